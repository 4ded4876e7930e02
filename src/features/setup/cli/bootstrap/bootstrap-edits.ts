import { Option } from '@commander-js/extra-typings';
import { type CliContext, exit, workingRoot } from '../../../../core/cli/cli-context.ts';
import type { NewCommand, OptionsOf } from '../../../../core/cli/command-line.ts';
import { declaredCluster } from '../../../../core/cli/declared-names.ts';
import { reportProblems, UsageError } from '../../../../core/cli/failure.ts';
import { type CommandLine, group, subcommand } from '../../../../core/cli/feature.ts';
import { readSourceFile } from '../../../../core/cli/input-files.ts';
import { clusterOption } from '../../../../core/cli/option-values.ts';
import { additionsTo } from '../../../../core/interfaces/extension.ts';
import type { SourceTree } from '../../../../core/interfaces/tree.ts';
import { type Outcome, ok } from '../../../../core/model/problem.ts';
import { sanitize } from '../../../../core/text/print/escape.ts';
import { unifiedDiff } from '../../../../core/text/print/unified-diff.ts';
import type { InputFile } from '../../../../core/text/yaml/template-hints.ts';
import { readPoolFile } from '../../../../core/tree/declared.ts';
import { inputLines, sourceLines } from '../../../../core/tree/source-line.ts';
import { openForReading } from '../../../../core/world/disk/disk-tree.ts';
import {
  type Offer,
  offeredAttributes,
  type ReadOffer,
} from '../../../../lib/akash/provider-attributes.ts';
import { editStrictARP, strictARPText } from '../../bootstrap/kube-proxy-edit.ts';
import { providerEditText } from '../../bootstrap/provider-edit-text.ts';
import { editProviderValues } from '../../bootstrap/provider-values.ts';

/** The commands of `leasehold bootstrap` that print a file of another program with an edit. */
export const editCommands = group(
  subcommand(
    'strict-arp',
    "kube-proxy's configuration with strictARP, which MetalLB needs with IPVS",
    editOptions,
    async (context, { diff }, [name]) => {
      const file = await readSourceFile(context, name);
      const edit = editStrictARP(file);
      if (!edit.ok) return reportProblems(context, edit.problems, inputLines([file]));
      context.err(strictARPText(file.name, edit.value));
      printEdited(context, file, edit.value.text, diff);
      return exit.fine;
    },
  ),
  subcommand(
    'provider',
    "an Akash provider's Helm values, with the IP operator off or on",
    providerOptions,
    (_, options, [name], line) => runProvider(line, name, options),
  ),
);

function editOptions(bare: NewCommand) {
  return bare
    .argument('<file>', 'the file, - for standard input; it is not changed')
    .option('--diff', 'print a diff instead of the whole file', false);
}

function providerOptions(bare: NewCommand) {
  return editOptions(bare)
    .addOption(
      new Option(
        '--ip-operator <state>',
        'off: the provider has no IP operator to call; on: it has one',
      )
        .choices(['off', 'on'])
        .default('off'),
    )
    .option(
      '--inventory',
      'with the attributes of the GPUs and storage classes of leases/inventory.yaml',
      false,
    )
    .addOption(clusterOption());
}

async function runProvider(
  { context, features }: CommandLine,
  name: string,
  options: OptionsOf<typeof providerOptions>,
): Promise<number> {
  const [read] = options.inventory ? await additionsTo(offeredAttributes, features) : [];
  if (options.inventory && !read) throw new UsageError('this program has no inventories');
  const tree = openForReading(workingRoot(context, options));
  const offer = read ? declaredOffer(tree, options, read) : ok(undefined);
  if (!offer.ok) return reportProblems(context, offer.problems, sourceLines(tree));
  const file = await readSourceFile(context, name);
  const isOn = options.ipOperator === 'on';
  const edit = editProviderValues(file, { isOn, offer: offer.value });
  if (!edit.ok) return reportProblems(context, edit.problems, inputLines([file]));
  context.err(providerEditText(file.name, edit.value, isOn));
  printEdited(context, file, edit.value.text, options.diff);
  return exit.fine;
}

/** The offer of the chosen cluster. */
function declaredOffer(
  tree: SourceTree,
  options: OptionsOf<typeof providerOptions>,
  read: ReadOffer,
): Outcome<Offer> {
  const pools = readPoolFile(tree);
  if (!pools.ok) return pools;
  return read(tree, pools.value, declaredCluster(pools.value, options.cluster).name);
}

/** Prints the whole edited file, or a unified diff, which is empty when nothing changes. */
function printEdited(context: CliContext, file: InputFile, text: string, diff: boolean): void {
  if (!diff) {
    context.out(text);
    return;
  }
  const { text: hunks } = unifiedDiff(new TextDecoder().decode(file.bytes), text);
  const name = sanitize(file.name);
  if (hunks !== '') context.out(`--- ${name}\n+++ ${name}\n${hunks}`);
}
