import { type Command, Option } from 'commander';
import { editStrictARP, strictARPText } from '../../features/delivery/bootstrap/kube-proxy-edit.ts';
import {
  editProviderValues,
  providerEditText,
} from '../../features/delivery/bootstrap/provider-values.ts';
import type { ImportFile } from '../../model/input-file.ts';
import { plain } from '../../text/print/plain.ts';
import { unifiedDiff } from '../../text/print/unified-diff.ts';
import { largestForeignFile } from '../../text/yaml/yaml-document.ts';
import { readInput } from '../../world/disk/named-file.ts';
import type { CommandLine } from '../command-line.ts';
import { reportProblems } from '../failure.ts';
import { exit, type World } from '../world.ts';

/** The parts of `leasehold bootstrap` that print a file of another program with something changed. */
export function addEditCommands(world: World, group: Command, take: CommandLine['take']): void {
  const subcommand = (name: string, description: string): Command =>
    group
      .command(name)
      .description(description)
      .argument('<file>', 'the file, - for standard input; it stays as it is')
      .option('--diff', 'print what changes instead of the whole', false)
      .allowExcessArguments(false);
  subcommand(
    'strict-arp',
    "kube-proxy's configuration with strictARP, which MetalLB needs with IPVS",
  ).action((name: string, _, self) => take(runStrictARP(world, name, self.opts())));
  subcommand('provider', "an Akash provider's Helm values, with the IP operator off or on")
    .addOption(
      new Option('--ip-operator <state>', 'off: nothing answers the provider; on: something does')
        .choices(['off', 'on'])
        .default('off'),
    )
    .action((name: string, _, self) => take(runProvider(world, name, self.opts())));
}

interface EditOptions {
  readonly diff: boolean;
}

async function runStrictARP(world: World, name: string, options: EditOptions): Promise<number> {
  const file = await fileNamed(world, name);
  const edit = editStrictARP(file);
  if (!edit.ok) return reportProblems(world, edit.problems);
  world.err(strictARPText(file.name, edit.value));
  printEdited(world, file, edit.value.text, options);
  return exit.fine;
}

async function runProvider(
  world: World,
  name: string,
  options: EditOptions & { readonly ipOperator: 'on' | 'off' },
): Promise<number> {
  const file = await fileNamed(world, name);
  const isOn = options.ipOperator === 'on';
  const edit = editProviderValues(file, isOn);
  if (!edit.ok) return reportProblems(world, edit.problems);
  world.err(providerEditText(file.name, edit.value, isOn));
  printEdited(world, file, edit.value.text, options);
  return exit.fine;
}

async function fileNamed({ cwd }: World, name: string): Promise<ImportFile> {
  return { name, bytes: await readInput(cwd, { name, mostBytes: largestForeignFile }) };
}

/** The whole, byte for byte but for what changed; or the difference, nothing when there is none. */
function printEdited(world: World, file: ImportFile, text: string, { diff }: EditOptions): void {
  if (!diff) {
    world.out(text);
    return;
  }
  const { text: hunks } = unifiedDiff(new TextDecoder().decode(file.bytes), text);
  const name = plain(file.name);
  if (hunks !== '') world.out(`--- ${name}\n+++ ${name}\n${hunks}`);
}
