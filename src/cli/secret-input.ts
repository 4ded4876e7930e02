import { plain } from '../text/print/plain.ts';
import { readInput } from '../world/disk/named-file.ts';
import { UsageError } from './failure.ts';
import type { World } from './world.ts';

/** Whoever needs more wants a file with something else. */
const mostBytes = 1024;
/** What vitistack's ipam-api asks for at least (apicontracts.go, `min=8`). */
const fewestCharacters = 8;
const strongCharacters = 16;

/**
 * The secret in a file, or in standard input for `-`: its bytes, without one line break at the end. A
 * UsageError when it is no secret at all. Its text reaches no message.
 */
export async function readSecret(world: World, name: string): Promise<Uint8Array> {
  const bytes = await readInput(world.cwd, {
    name,
    mostBytes: 1024 * 1024,
    followsLinks: true,
  });
  const end = /\r?\n$/.exec(Buffer.from(bytes).toString('latin1'))?.[0].length ?? 0;
  const secret = bytes.subarray(0, bytes.length - end);
  const file = name === '-' ? 'standard input' : plain(name);
  if (secret.length > mostBytes) {
    throw new UsageError(`${file} holds more than ${mostBytes} bytes, which is no secret`);
  }
  if (lengthOf(secret) < fewestCharacters) {
    throw new UsageError(
      `${file} holds fewer than ${fewestCharacters} characters, too few for a secret`,
    );
  }
  return secret;
}

/** Says of a secret that a person made how easy it is to guess. */
export function cautionWeak(world: World, secret: Uint8Array): void {
  const length = lengthOf(secret);
  if (length >= strongCharacters) return;
  world.err(
    `caution: the secret has ${length} characters. Salt and public key are public, so anybody can try secrets at home; take one of 16 random characters or more (docs/ownership.md)\n`,
  );
}

function lengthOf(secret: Uint8Array): number {
  return [...Buffer.from(secret).toString('utf8')].length;
}
