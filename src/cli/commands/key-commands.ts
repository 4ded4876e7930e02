import { resolve } from 'node:path';
import { Option } from 'commander';
import type { KeyName } from '../../declarations/key-file.ts';
import { keyUsageText, rotatedText, signedText } from '../../features/keys/key-text.ts';
import { type KeyOutcome, newKey, newSecret, usageOf } from '../../features/keys/keys.ts';
import { rotate } from '../../features/keys/rotate.ts';
import { sign } from '../../features/keys/sign.ts';
import { keyText, type OwnershipAction } from '../../model/ownership.ts';
import type { Address } from '../../net/address.ts';
import { openForReading, openForWriting } from '../../world/disk/disk-tree.ts';
import { writeSecretFile } from '../../world/disk/named-file.ts';
import { openRepository } from '../../world/git/git-repository.ts';
import { randomBytes } from '../../world/machine.ts';
import type { CommandLine, CommonOptions } from '../command-line.ts';
import { UsageError } from '../failure.ts';
import { addressValue, keyValue } from '../key-values.ts';
import { dateAheadOption, todayOption } from '../option-values.ts';
import { type DayOptions, recordedDay } from '../recorded-day.ts';
import { addBaseOptions, type BaseOptions, baseOf } from '../run-base.ts';
import { cautionWeak, readSecret } from '../secret-input.ts';
import { reportTreeProblems } from '../tree-problems.ts';
import { exit, type World } from '../world.ts';

const secretOption = '--secret-file <file>';

/** `leasehold key`: the keys by which an owner proves that an address is his. */
export function addKeyCommands({ world, command, take }: CommandLine): void {
  const key = command('key', 'make, show and use the keys that prove who owns an address');
  const subcommand = (name: string, description: string) =>
    key
      .command(name)
      .description(description)
      .argument('<key>', 'NAMESPACE/NAME', keyValue)
      .allowExcessArguments(false);
  subcommand('new', 'make a key, and print its new secret once')
    .addOption(new Option('--out <file>', 'write the secret there instead').conflicts('secretFile'))
    .option(secretOption, 'take the secret in this file, - for standard input')
    .action((name: KeyName, _, self) => take(runNew(world, name, self.optsWithGlobals())));
  subcommand('show', 'say who names a key, and which addresses have it').action(
    (name: KeyName, _, self) => take(runShow(world, name, self.optsWithGlobals())),
  );
  subcommand('sign', 'print the signature that lets an address have another holder or key')
    .requiredOption(secretOption, 'the secret of the key, - for standard input')
    .addOption(
      new Option('--action <action>', 'reclaim: another holder; rotate: another key')
        .choices(['reclaim', 'rotate'])
        .makeOptionMandatory(),
    )
    .requiredOption('--address <address>', 'the address', addressValue)
    .option('--holder <holder>', 'who is to have it, <cluster>/service/<namespace>/<name>')
    .option('--new-key <key>', 'the key that it is to have; none when left out', keyValue)
    .action((name: KeyName, _, self) => take(runSign(world, name, self.optsWithGlobals())));
  addBaseOptions(
    subcommand('rotate', 'give a key another secret, and sign its addresses over to it'),
  )
    .requiredOption(secretOption, 'the secret that it has, - for standard input')
    .requiredOption('--new-secret-file <file>', 'the secret that it is to have')
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .action((name: KeyName, _, self) => take(runRotate(world, name, self.optsWithGlobals())));
}

/** `leasehold key new`. */
async function runNew(
  world: World,
  name: KeyName,
  options: CommonOptions & { readonly out?: string; readonly secretFile?: string },
): Promise<number> {
  const root = resolve(world.cwd, options.directory);
  const { secretFile, out } = options;
  const own = secretFile === undefined ? undefined : await readSecret(world, secretFile);
  const made = own === undefined ? newSecret(randomBytes) : undefined;
  const secret = own ?? new TextEncoder().encode(made);
  const tree = await openForWriting(root);
  try {
    const changes = fitting(newKey(tree, randomBytes, { name, secret }));
    const file =
      out === undefined || made === undefined
        ? undefined
        : writeSecretFile({ cwd: world.cwd, root }, out, made);
    try {
      await tree.commit(changes);
    } catch (error) {
      file?.remove();
      throw error;
    }
    for (const path of changes.writes.keys()) world.err(`wrote ${path}\n`);
  } finally {
    tree.close();
  }
  if (own !== undefined) cautionWeak(world, own);
  else if (out === undefined) {
    world.err('the secret is printed once; keep it where nobody else reads it:\n');
    world.out(`${made}\n`);
  }
  return exit.fine;
}

/** `leasehold key show`. */
function runShow(world: World, name: KeyName, options: CommonOptions): number {
  const tree = openForReading(resolve(world.cwd, options.directory));
  world.out(keyUsageText(fitting(usageOf(tree, name))));
  return exit.fine;
}

/** `leasehold key sign`. */
async function runSign(
  world: World,
  name: KeyName,
  options: CommonOptions & {
    readonly secretFile: string;
    readonly action: OwnershipAction;
    readonly address: Address;
    readonly holder?: string;
    readonly newKey?: KeyName;
  },
): Promise<number> {
  const secret = await readSecret(world, options.secretFile);
  const tree = openForReading(resolve(world.cwd, options.directory));
  const { action, address, holder, newKey: into } = options;
  const signed = fitting(sign(tree, { name, secret, action, address, holder, newKey: into }));
  world.err(signedText(signed.statement, into && keyText(into)));
  world.out(`${signed.signature}\n`);
  return exit.fine;
}

/** `leasehold key rotate`. */
async function runRotate(
  world: World,
  name: KeyName,
  options: CommonOptions &
    BaseOptions &
    DayOptions & {
      readonly secretFile: string;
      readonly newSecretFile: string;
    },
): Promise<number> {
  if (options.secretFile === '-' && options.newSecretFile === '-') {
    throw new UsageError('only one of the two secrets can come from standard input');
  }
  const root = resolve(world.cwd, options.directory);
  const oldSecret = await readSecret(world, options.secretFile);
  const newSecretBytes = await readSecret(world, options.newSecretFile);
  const tree = await openForWriting(root);
  try {
    const today = recordedDay(world, options);
    const base = await baseOf({ world, root, tree, today }, options);
    const rotation = { name, oldSecret, newSecret: newSecretBytes, today, base };
    const rotated = fitting(await rotate(tree, openRepository(root).history, rotation));
    if (!rotated.ok) return reportTreeProblems(world, root, rotated.problems);
    const { changes, addresses, kept } = rotated.value;
    await tree.commit(changes);
    world.err(rotatedText([...changes.writes.keys()], { addresses, kept }));
  } finally {
    tree.close();
  }
  cautionWeak(world, newSecretBytes);
  return exit.fine;
}

function fitting<Value>(answered: KeyOutcome<Value>): Value {
  if (answered.ok) return answered.value;
  throw new UsageError(answered.reason);
}
