import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import {
  reportText,
  stateFields,
  tableOption,
  tableStyle,
  valuesOption,
} from '../../../core/cli/answer.ts';
import { type CliContext, exit } from '../../../core/cli/cli-context.ts';
import type { NewCommand } from '../../../core/cli/command-line.ts';
import { UsageError } from '../../../core/cli/failure.ts';
import { group, subcommand } from '../../../core/cli/feature.ts';
import { cautionWeakSecret, readSecret } from '../../../core/cli/input-files.ts';
import { addressValue } from '../../../core/cli/option-values.ts';
import { recordingOf, recordingOptions } from '../../../core/cli/recording.ts';
import { openTree, withTree } from '../../../core/cli/with-tree.ts';
import { shownPath, shownSteps } from '../../../core/cli/workspace-place.ts';
import { type KeyName, parseKeyName } from '../../../core/declarations/key-file.ts';
import type { TargetTree, TreeChanges } from '../../../core/interfaces/tree.ts';
import { keyText } from '../../../core/model/ownership.ts';
import { formatAddress } from '../../../core/net/address.ts';
import { writeSecretFile } from '../../../core/world/disk/named-file.ts';
import type { Repository } from '../../../core/world/git/git-repository.ts';
import { randomBytes } from '../../../core/world/machine.ts';
import type { KeyRotation, KeySignature, KeyUsage, NewKey } from '../key-answer.ts';
import { keyUsageText, newKeyNextText, rotatedText, signedText } from '../key-text.ts';
import { type KeyOutcome, newKey, newSecret, usageOf } from '../keys.ts';
import { rotate } from '../rotate.ts';
import { sign } from '../sign.ts';

const secretFlags = '--secret-file <file>';

/** `leasehold key`: the keys that prove who owns an address. */
export const keyCommands = group(
  subcommand(
    'new',
    'make a key, and print its new secret once',
    (bare) =>
      keyArgument(bare)
        .addOption(
          new Option('--out <file>', 'write the secret there instead').conflicts('secretFile'),
        )
        .option(secretFlags, 'take the secret in this file, - for standard input')
        .addOption(valuesOption('secret')),
    async (context, options, [name]) => {
      const { secretFile, out } = options;
      const own = secretFile === undefined ? undefined : await readSecret(context, secretFile);
      const made = own === undefined ? newSecret(randomBytes) : undefined;
      const secret = own ?? new TextEncoder().encode(made);
      return withTree(context, options, async ({ tree, repository }) => {
        const changes = acceptedValue(newKey(tree, randomBytes, { name, secret }));
        await commitWithSecret({ context, tree, repository }, changes, { out, made });
        const files = [...changes.writes.keys()];
        for (const path of files) context.err(`wrote ${shownPath(context, path)}\n`);
        if (own !== undefined) cautionWeakSecret(context, own);
        const shown = out === undefined ? made : undefined;
        if (shown !== undefined) {
          context.err('the secret is printed only once; store it where only you can read it:\n');
        }
        const answer: NewKey = {
          ...{ apiVersion: 'leasehold.dev/v1', kind: 'NewKey' },
          ...(await headOf(context, repository, name)),
          files,
          ...(shown === undefined ? {} : { secret: shown }),
        };
        context.out(
          reportText(answer, options.output, ({ secret }) => (secret ? `${secret}\n` : '')),
        );
        context.err(shownSteps(context, newKeyNextText(name)));
        return exit.fine;
      });
    },
  ),
  subcommand(
    'show',
    'show what refers to a key, and which addresses have it',
    (bare) => keyArgument(bare).addOption(tableOption()),
    async (context, options, [name]) => {
      const { tree, repository } = openTree(context, options);
      const usage = acceptedValue(usageOf(tree, name));
      const head = await headOf(context, repository, name);
      const answer: KeyUsage = {
        apiVersion: 'leasehold.dev/v1',
        kind: 'KeyUsage',
        ...head,
        ...usage,
      };
      const style = tableStyle(context, options.output);
      context.out(reportText(answer, options.output, (shown) => keyUsageText(shown, style)));
      return exit.fine;
    },
  ),
  subcommand(
    'sign',
    'print the signature that lets an address change its holder or key',
    (bare) =>
      keyArgument(bare)
        .requiredOption(secretFlags, 'the secret of the key, - for standard input')
        .addOption(
          new Option('--action <action>', 'reclaim: another holder; rotate: another key')
            .choices(['reclaim', 'rotate'])
            .makeOptionMandatory(),
        )
        .requiredOption('--address <address>', 'the address', addressValue)
        .option('--holder <holder>', 'the new holder, <cluster>/service/<namespace>/<name>')
        .option('--new-key <key>', 'the new key of the address; none when left out', keyValue)
        .addOption(valuesOption('signature')),
    async (context, options, [name]) => {
      const secret = await readSecret(context, options.secretFile);
      const { tree, repository } = openTree(context, options);
      const { action, address, holder, newKey: into } = options;
      const signed = acceptedValue(
        sign(tree, { name, secret, action, address, holder, newKey: into }),
      );
      const newKey = into && keyText(into);
      const { statement, signature } = signed;
      context.err(signedText(statement, newKey));
      const answer: KeySignature = {
        ...{ apiVersion: 'leasehold.dev/v1', kind: 'KeySignature' },
        ...(await headOf(context, repository, name)),
        action,
        address: formatAddress(address),
        holder: statement.holder,
        generation: statement.generation,
        ...(newKey === undefined ? {} : { newKey }),
        signature,
      };
      context.out(reportText(answer, options.output, () => `${signature}\n`));
      return exit.fine;
    },
  ),
  subcommand(
    'rotate',
    'replace the secret of a key, and sign its addresses over to the new one',
    (bare) =>
      recordingOptions(
        keyArgument(bare)
          .requiredOption(secretFlags, 'the current secret, - for standard input')
          .addOption(
            new Option('--out <file>', 'make a new secret, and write it there').conflicts(
              'newSecretFile',
            ),
          )
          .option(
            '--new-secret-file <file>',
            'take the new secret in this file, - for standard input',
          ),
      ),
    async (context, options, [name]) => {
      const { secretFile, newSecretFile, out } = options;
      if (secretFile === '-' && newSecretFile === '-') {
        throw new UsageError('only one of the two secrets can come from standard input');
      }
      if (newSecretFile === undefined && out === undefined) {
        throw new UsageError(
          'the new secret is missing: --out makes one and writes it to a file, --new-secret-file takes yours',
        );
      }
      const oldSecret = await readSecret(context, secretFile);
      const own =
        newSecretFile === undefined ? undefined : await readSecret(context, newSecretFile);
      const made = own === undefined ? newSecret(randomBytes) : undefined;
      const newSecretBytes = own ?? new TextEncoder().encode(made);
      return withTree(context, options, async (locked) => {
        const { tree, repository } = locked;
        const recording = await recordingOf(context, locked, options);
        const rotation = { name, oldSecret, newSecret: newSecretBytes, ...recording };
        const rotated = acceptedValue(await rotate(tree, repository.history, rotation));
        if (!rotated.ok) return rotated;
        const { changes, addresses, kept } = rotated.value;
        await commitWithSecret({ context, tree, repository }, changes, { out, made });
        const answer: KeyRotation = {
          ...{ apiVersion: 'leasehold.dev/v1', kind: 'KeyRotation' },
          ...(await headOf(context, repository, name)),
          day: recording.today,
          files: [...changes.writes.keys()],
          signed: addresses,
          kept,
        };
        context.out(reportText(answer, options.output, rotatedText));
        cautionWeakSecret(context, newSecretBytes);
        return exit.fine;
      });
    },
  ),
);

function keyArgument(bare: NewCommand) {
  return bare.argument('<key>', 'NAMESPACE/NAME', keyValue);
}

interface KeyPlace {
  readonly context: CliContext;
  readonly tree: TargetTree;
  readonly repository: Repository;
}

/** A secret that the command made, and the file of `--out` for it. */
interface MadeSecret {
  readonly out: string | undefined;
  readonly made: string | undefined;
}

/**
 * Writes the secret to its file, then the changes to the tree. A key without its secret could never
 * be replaced, so the secret goes first.
 */
async function commitWithSecret(
  { context, tree, repository }: KeyPlace,
  changes: TreeChanges,
  { out, made }: MadeSecret,
): Promise<void> {
  const place = { cwd: context.cwd, root: repository.root };
  const file =
    out === undefined || made === undefined ? undefined : writeSecretFile(place, out, made);
  try {
    await tree.commit(changes);
  } catch (error) {
    file?.remove();
    throw error;
  }
}

/** The fields that all answers of `leasehold key` have. */
async function headOf(context: CliContext, repository: Repository, name: KeyName) {
  return { ...(await stateFields(context, repository, context.output)), key: keyText(name) };
}

/** The value of an answer; a UsageError with the reason of a refusal. */
function acceptedValue<Value>(answered: KeyOutcome<Value>): Value {
  if (answered.ok) return answered.value;
  throw new UsageError(answered.reason);
}

/** `NAMESPACE/NAME` of a key. */
function keyValue(text: string): KeyName {
  const name = parseKeyName(text);
  if (name) return name;
  throw new InvalidArgumentError(
    text.endsWith('/default')
      ? 'default means no key, so no key has that name.'
      : 'It is not NAMESPACE/NAME, such as shop/web.',
  );
}
