import { readPlanJson } from '../run/plan/plan-answer.ts';
import { sanitize } from '../text/print/escape.ts';
import type { InputFile } from '../text/yaml/template-hints.ts';
import { largestSourceFile } from '../text/yaml/yaml-document.ts';
import { readInput } from '../world/disk/named-file.ts';
import type { CliContext } from './cli-context.ts';
import { UsageError } from './failure.ts';

/** Reads a file of another program; `-` is standard input. */
export async function readSourceFile({ cwd }: CliContext, name: string): Promise<InputFile> {
  return { name, bytes: await readInput(cwd, { name, mostBytes: largestSourceFile }) };
}

/** Bytes. More than a plan of every address in a repository of 20,000 leases. */
const largestPlan = 128 * 1024 * 1024;

/** Reads a plan that `leasehold plan -o json` printed. Returns its faults when it is not one. */
export async function readPlan(
  { cwd }: CliContext,
  name: string,
): Promise<ReturnType<typeof readPlanJson>> {
  return readPlanJson(await readInput(cwd, { name, mostBytes: largestPlan }));
}

/** Bytes. A larger file is not a secret. */
const largestSecret = 1024;
/** The minimum of vitistack's ipam-api (apicontracts.go, `min=8`). */
const fewestCharacters = 8;
const strongCharacters = 16;

/**
 * Reads the secret in a file, or in standard input for `-`: its bytes, without one line break at
 * the end. A UsageError when it is too long or too short. No message contains the secret.
 */
export async function readSecret(context: CliContext, name: string): Promise<Uint8Array> {
  const bytes = await readInput(context.cwd, {
    name,
    mostBytes: 1024 * 1024,
    followsLinks: true,
  });
  const end = /\r?\n$/.exec(Buffer.from(bytes).toString('latin1'))?.[0].length ?? 0;
  const secret = bytes.subarray(0, bytes.length - end);
  const file = name === '-' ? 'standard input' : sanitize(name);
  if (secret.length > largestSecret) {
    throw new UsageError(`${file} holds more than ${largestSecret} bytes, too many for a secret`);
  }
  if (lengthOf(secret) < fewestCharacters) {
    throw new UsageError(
      `${file} holds fewer than ${fewestCharacters} characters, too few for a secret`,
    );
  }
  return secret;
}

/** Warns on standard error about a secret that is easy to guess. */
export function cautionWeakSecret(context: CliContext, secret: Uint8Array): void {
  const length = lengthOf(secret);
  if (length >= strongCharacters) return;
  context.err(
    `caution: the secret has ${length} characters. The salt and the public key are public, so it can be guessed offline; use 16 random characters or more\n`,
  );
}

function lengthOf(secret: Uint8Array): number {
  return [...Buffer.from(secret).toString('utf8')].length;
}
