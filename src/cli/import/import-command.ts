import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { readLiveCluster } from '../../features/import/cluster/cluster-source.ts';
import { sortedNotes } from '../../features/import/import-answer.ts';
import { importPools } from '../../features/import/import-pools.ts';
import { importNotesText } from '../../features/import/import-text.ts';
import type { Imported } from '../../features/import/imported.ts';
import { readNetBox } from '../../features/import/netbox/netbox-source.ts';
import { type FileSource, fileSources, netBoxSource } from '../../features/import/sources.ts';
import type { ImportFile } from '../../model/input-file.ts';
import type { Layout, Pools } from '../../model/pools.ts';
import { explainTemplates } from '../../text/template-hints.ts';
import { largestForeignFile } from '../../text/yaml/yaml-document.ts';
import { readPoolFile } from '../../workspace/declared.ts';
import { openForWriting } from '../../world/disk/disk-tree.ts';
import { readInput } from '../../world/disk/named-file.ts';
import { openRepository } from '../../world/git/git-repository.ts';
import { kubernetesCluster } from '../../world/kubernetes/kubernetes.ts';
import type { CommandLine, CommonOptions } from '../command-line.ts';
import { reportProblems, UsageError } from '../failure.ts';
import { declaredCluster } from '../live-options.ts';
import { dateAheadOption, labelValue, todayOption } from '../option-values.ts';
import { type DayOptions, recordedDay } from '../recorded-day.ts';
import { addBaseOptions, type BaseOptions, baseOf } from '../run-base.ts';
import { reportTreeProblems } from '../tree-problems.ts';
import { exit, type World } from '../world.ts';
import { tellImport } from './import-answer.ts';
import { addNetBoxOptions, type NetBoxOptions, netBoxChoice } from './import-netbox-options.ts';
import { addImportSdlCommand } from './import-sdl-command.ts';

/** What every source can be told. */
interface ImportCommandOptions extends CommonOptions, BaseOptions, DayOptions {
  readonly zone: string | undefined;
  readonly cluster: string | undefined;
  readonly layout: Layout | undefined;
  readonly metallb: string | undefined;
  readonly allowClosedFence: boolean | undefined;
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly output: 'text' | 'json';
}

/** `leasehold import`: pools and declarations, from what hands out addresses today. */
export function addImportCommand(line: CommandLine): void {
  const { world, command, take } = line;
  const group = command('import', 'take over what hands out addresses today, and synthesize');
  for (const source of fileSources) {
    sourceCommand(group, source).action((names: string[], _, self) =>
      take(runImport(world, source, names, self.optsWithGlobals())),
    );
  }
  const netBox = addNetBoxOptions(sourceCommand(group, netBoxSource));
  netBox.action((names: string[], _, self: Command) => {
    const options = self.optsWithGlobals<ImportCommandOptions & NetBoxOptions>();
    const read = (files: readonly ImportFile[]) => readNetBox(files, netBoxChoice(options));
    return take(runImport(world, { ...netBoxSource, read }, names, options));
  });
  addImportSdlCommand(group, line);
}

function sourceCommand(group: Command, source: Omit<FileSource, 'read'>): Command {
  const own = group.command(source.name);
  if (source.readLive) {
    own
      .option('--context <name>', 'the context of the kubeconfig; the current one when left out')
      .option('--kubeconfig <file>', 'the kubeconfig; KUBECONFIG or ~/.kube/config when left out');
  }
  return addBaseOptions(own)
    .description(source.description)
    .argument(
      source.readLive ? '[file...]' : '<file...>',
      `the files, - for standard input${source.readLive ? '; the cluster itself when left out' : ''}`,
    )
    .option('--zone <name>', 'the zone of the pools', labelValue)
    .option('--cluster <name>', 'the cluster that announces the pools, where there are several')
    .addOption(
      new Option('--layout <layout>', 'of a new pool file: pool when left out').choices([
        'pool',
        'lease',
      ]),
    )
    .option('--metallb <version>', 'of a new pool file: the MetalLB that runs, such as 0.14.9')
    .option(
      '--allow-closed-fence',
      'take a declared pool with a closed fence, although it serves everybody in the source',
    )
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .addOption(new Option('-o, --output <format>').choices(['text', 'json']).default('text'))
    .allowExcessArguments(false);
}

async function runImport(
  world: World,
  source: FileSource,
  names: readonly string[],
  options: ImportCommandOptions,
): Promise<number> {
  const files: ImportFile[] = [];
  for (const name of names) {
    const bytes = await readInput(world.cwd, { name, mostBytes: largestForeignFile });
    files.push({ name, bytes });
  }
  const root = resolve(world.cwd, options.directory);
  const readLive = names.length === 0 ? source.readLive : undefined;
  if (!readLive) refuseLive(options);
  const imported = readLive
    ? await readLiveCluster(await kubernetesCluster(options, world.cwd), readLive)
    : explainTemplates(source.read(files), files);
  if (!imported.ok) return reportProblems(world, imported.problems);
  const tree = await openForWriting(root);
  try {
    const declared = readPoolFile(tree);
    if (!hasAny(imported.value, declared.ok)) {
      world.err(importNotesText(sortedNotes(imported.value.notes)));
      const place = readLive ? 'the cluster' : names.join(', ');
      world.err(`leasehold: there is no pool in ${place}; nothing is written\n`);
      return exit.problems;
    }
    if (declared.ok) refuseUnused(declared.value, options);
    const today = recordedDay(world, options);
    const outcome = await importPools(tree, openRepository(root).history, imported.value, {
      ...options,
      source: source.name,
      today,
      base: await baseOf({ world, root, tree, today }, options),
      allowRelease: undefined,
    });
    if (!outcome.ok) {
      world.err(importNotesText(sortedNotes(imported.value.notes)));
      return reportTreeProblems(world, root, outcome.problems);
    }
    return tellImport(world, outcome.value, options.output);
  } finally {
    tree.close();
  }
}

/** Pools, or what lives on those that are declared. */
function hasAny({ pools, live }: Imported, isDeclared: boolean): boolean {
  const things = (live?.services.length ?? 0) + (live?.leasedIPs.length ?? 0);
  return pools.length > 0 || (isDeclared && things > 0);
}

/** Options that say which cluster to ask, where none is. */
function refuseLive({ kubeconfig, context }: ImportCommandOptions): void {
  if (kubeconfig === undefined && context === undefined) return;
  const option = kubeconfig === undefined ? '--context' : '--kubeconfig';
  throw new UsageError(`${option} says which cluster to ask, and files are read instead of one`);
}

/** Options that would do nothing where there is a pool file: those that say something else than it does. */
function refuseUnused(pools: Pools, { cluster, layout, metallb }: ImportCommandOptions): void {
  const own = declaredCluster(pools, cluster).metallb;
  refuseOther('--layout', layout, own.layout);
  refuseOther('--metallb', metallb, own.version);
}

function refuseOther(option: string, said: string | undefined, declared: string): void {
  if (said === undefined || said === declared) return;
  throw new UsageError(
    `${option} is for a new pool file, and leases/pools.yaml says ${declared}: change it there`,
  );
}
