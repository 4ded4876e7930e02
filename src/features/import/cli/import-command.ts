import { Option } from '@commander-js/extra-typings';
import type { CliContext } from '../../../core/cli/cli-context.ts';
import type { NewCommand, OptionsOf } from '../../../core/cli/command-line.ts';
import { reportProblems, reportRefusal, UsageError } from '../../../core/cli/failure.ts';
import { group, subcommand } from '../../../core/cli/feature.ts';
import { readSourceFile } from '../../../core/cli/input-files.ts';
import { clusterOption, labelOption, textsValue } from '../../../core/cli/option-values.ts';
import { recordingOf, recordingOptions } from '../../../core/cli/recording.ts';
import { tell, toldPaint } from '../../../core/cli/tell.ts';
import { withTree } from '../../../core/cli/with-tree.ts';
import {
  lastingLayouts,
  type Plane,
  planeNames,
  usualMetalLB,
} from '../../../core/model/planes.ts';
import type { Pools } from '../../../core/model/pools.ts';
import { fail, InternalError, type Outcome, type Problem } from '../../../core/model/problem.ts';
import { explainTemplates, type InputFile } from '../../../core/text/yaml/template-hints.ts';
import { readPoolFile } from '../../../core/tree/declared.ts';
import { inputLines } from '../../../core/tree/source-line.ts';
import {
  connectionOf,
  contextOption,
  kubeconfigOption,
} from '../../../lib/kubernetes/cli/connection-options.ts';
import { type Connection, textFor } from '../../../lib/kubernetes/kubectl-command.ts';
import { kubernetesCluster } from '../../../lib/kubernetes/world/kubernetes.ts';
import { readLiveCluster } from '../cluster/cluster-source.ts';
import { sortedNotes } from '../import-answer.ts';
import { importPools } from '../import-pools.ts';
import { importNotesText } from '../import-text.ts';
import type { Imported } from '../imported.ts';
import { documentsOf, type SourceDocuments } from '../metallb/metallb-source.ts';
import type { NetBoxChoice } from '../netbox/netbox-choice.ts';
import { readNetBox } from '../netbox/netbox-source.ts';
import { type PoolSource, poolSourceNames, poolSources, sourceOfPools } from '../sources.ts';
import { importSdlCommand, reportImport } from './import-sdl-command.ts';

function importCommandOf(source: PoolSource) {
  const { description, objects, files } = sourceOfPools(source);
  return subcommand(
    source,
    description,
    (bare) => sourceOptions(bare, objects !== undefined),
    async (context, options, [names]) => {
      const readObjects = await objects?.();
      const read = readObjects
        ? (found: readonly InputFile[]) => readObjects(found.map(documentsOf))
        : await files?.();
      if (!read) throw new InternalError(`nothing reads ${source}`);
      return runImport(context, { source, readObjects, read }, names, options);
    },
  );
}

const importNetBoxCommand = subcommand(
  'netbox',
  poolSources.netbox.description,
  netBoxOptions,
  (context, options, [names]) => {
    const read = (files: readonly InputFile[]) => readNetBox(files, netBoxChoice(options));
    return runImport(context, { source: 'netbox', read }, names, options);
  },
);

/** `leasehold import`: pools and declarations, from what hands out addresses today. */
export const importCommands = group(
  ...poolSourceNames.map((source) =>
    source === 'netbox' ? importNetBoxCommand : importCommandOf(source),
  ),
  importSdlCommand,
);

function sourceOptions(bare: NewCommand, isLive: boolean) {
  const withCluster = () =>
    bare
      .addOption(contextOption())
      .addOption(kubeconfigOption())
      .option('--without-hostnames', 'leave routes and ProviderHosts as they are');
  const base: ReturnType<typeof withCluster> = isLive ? withCluster() : bare;
  return recordingOptions(
    base
      .argument(
        isLive ? '[file...]' : '<file...>',
        `the files, - for standard input${isLive ? '; the live cluster when left out' : ''}`,
      )
      .option('--zone <name>', 'the zone of the pools', labelOption)
      .addOption(
        clusterOption('the cluster of the source; one that leases/pools.yaml lacks is added to it'),
      )
      .addOption(
        new Option(
          '--layout <layout>',
          'of the pools of a new cluster; pool when left out',
        ).choices(lastingLayouts),
      )
      .option(
        '--metallb <version>',
        `for a new cluster: the MetalLB version that runs, such as ${usualMetalLB.version}`,
      )
      .option('--cilium <version>', 'for a new cluster on Cilium: the version that runs')
      .option(
        '--allow-closed-fence',
        'accept that a declared pool has a closed fence but is open to all Services in the source',
      ),
  );
}

type ImportOptions = OptionsOf<typeof sourceOptions>;

/** A source, and what reads it. */
interface ReadSource {
  readonly source: PoolSource;
  /** Reads the answers of the live cluster. */
  readonly readObjects?: ((answers: readonly SourceDocuments[]) => Outcome<Imported>) | undefined;
  /** Reads all files together. */
  readonly read: (files: readonly InputFile[]) => Outcome<Imported>;
}

async function runImport(
  context: CliContext,
  { source, readObjects, read }: ReadSource,
  names: readonly string[],
  options: ImportOptions,
): Promise<number> {
  const files: InputFile[] = [];
  for (const name of names) files.push(await readSourceFile(context, name));
  const readLive = names.length === 0 ? readObjects : undefined;
  if (!readLive) refuseLiveOptions(options);
  const imported = readLive
    ? await readLiveCluster(await kubernetesCluster(connectionOf(options), context.cwd), readLive)
    : explainTemplates(read(files), files);
  if (!imported.ok) return reportProblems(context, imported.problems, inputLines(files));
  return withTree(context, options, async (locked) => {
    const declared = readPoolFile(locked.tree);
    if (!hasAny(imported.value, declared.ok)) {
      tell(context, notesText(context, imported.value));
      if (!declared.ok && declared.problems.some(({ code }) => code !== 'FILE_MISSING')) {
        return declared;
      }
      const place = readLive ? 'the cluster' : names.join(', ');
      return reportRefusal(context, [`no pool found in ${place}; nothing was written`]);
    }
    const plane = planeFor(source, imported.value, options, declared);
    const outcome = await importPools(locked.tree, locked.repository.history, imported.value, {
      source,
      zone: options.zone,
      cluster: options.cluster,
      layout: options.layout,
      planeVersion: options[plane],
      allowClosedFence: options.allowClosedFence,
      withoutHostnames: options.withoutHostnames,
      ...(await recordingOf(context, locked, options)),
      progress: context.progress,
    });
    if (!outcome.ok) {
      tell(context, notesText(context, imported.value));
      return fail(outcome.problems.map((one) => problemFor(one, readLive ? options : {})));
    }
    return reportImport(context, locked, outcome.value, options.output);
  });
}

/** A problem whose commands are for the cluster that was read. */
function problemFor(problem: Problem, connection: Connection): Problem {
  const { hint } = problem;
  return hint === undefined ? problem : { ...problem, hint: textFor(hint, connection) };
}

/** The notes of an import that failed. */
function notesText(context: CliContext, { notes }: Imported): string {
  const style = { paint: toldPaint(context), width: context.columns };
  return importNotesText(sortedNotes(notes), style);
}

/** True for pools, or beside declared pools for Services, leases and routes. */
function hasAny({ pools, live }: Imported, isDeclared: boolean): boolean {
  const { services = [], leasedIPs = [], providerHosts = [], routes = [] } = live ?? {};
  const things = [services, leasedIPs, providerHosts, routes];
  return pools.length > 0 || (isDeclared && things.some(({ length }) => length > 0));
}

/** Throws for options that name a live cluster when files are read. */
function refuseLiveOptions({ kubeconfig, context }: ImportOptions): void {
  if (kubeconfig === undefined && context === undefined) return;
  const option = kubeconfig === undefined ? '--context' : '--kubeconfig';
  throw new UsageError(`${option} is for a live cluster, but files are given`);
}

/** The plane of the source. Throws for options and a declared cluster that do not fit it. */
function planeFor(
  source: PoolSource,
  { plane = 'metallb' }: Imported,
  options: ImportOptions,
  declared: Outcome<Pools>,
): Plane['kind'] {
  refuseOtherPlane(plane, options);
  const serving = poolSources[source].isServing ? plane : undefined;
  if (declared.ok) refuseOtherCluster(declared.value, options, serving);
  return plane;
}

/** Throws for options of a plane that the source does not have. */
function refuseOtherPlane(plane: Plane['kind'], options: ImportOptions): void {
  const { layout, metallb, cilium } = options;
  const others =
    plane === 'metallb' ? { '--cilium': cilium } : { '--metallb': metallb, '--layout': layout };
  for (const [option, value] of Object.entries(others)) {
    if (value === undefined) continue;
    throw new UsageError(
      `${option} is not for a cluster on ${planeNames[plane]}, which the source has: leave it out`,
    );
  }
}

/**
 * Throws when the declared cluster has other values than the options of a new one, or is on another
 * plane than the one that serves the addresses of the source.
 */
function refuseOtherCluster(
  { clusters, defaultCluster }: Pools,
  { cluster = defaultCluster, layout, metallb, cilium }: ImportOptions,
  serving: Plane['kind'] | undefined,
): void {
  const own = clusters.find(({ name }) => name === cluster);
  if (!own) return;
  if (serving !== undefined && own.plane.kind !== serving) {
    throw new UsageError(
      `cluster ${cluster} is on ${planeNames[own.plane.kind]} in leases/pools.yaml, and the pools of the source are ${planeNames[serving]}'s: name another one with --cluster`,
    );
  }
  refuseOther('--layout', layout, own.plane.layout);
  refuseOther('--metallb', metallb, own.plane.version);
  refuseOther('--cilium', cilium, own.plane.version);
}

function refuseOther(option: string, value: string | undefined, declared: string): void {
  if (value === undefined || value === declared) return;
  throw new UsageError(
    `${option} is for a new cluster, but leases/pools.yaml declares ${declared} for this one: change it there`,
  );
}

function netBoxOptions(bare: NewCommand) {
  return sourceOptions(bare, false)
    .option(
      '--tag <name>',
      'prefixes and ranges with this tag are pools; may be repeated',
      textsValue,
      [],
    )
    .option(
      '--role <name>',
      'prefixes and ranges with this role are pools; may be repeated',
      textsValue,
      [],
    )
    .option(
      '--zone-field <name>',
      'those with this custom field are pools, in the zone that it names',
    )
    .option('--all', 'all prefixes and ranges of the export are pools')
    .option(
      '--status <name>',
      'only those with this status; may be repeated; active when left out',
      textsValue,
      [],
    )
    .option('--vrf <name>', 'only objects of this VRF; global: objects without a VRF')
    .option('--given-field <name>', 'do not reserve addresses that have this custom field')
    .addOption(
      new Option(
        '--pool-per <what>',
        'one pool for each zone or each prefix; by default zone with --zone-field, else prefix',
      ).choices(['zone', 'prefix']),
    );
}

/**
 * The prefixes and IP ranges of NetBox that become pools. A UsageError when the options choose
 * none.
 */
function netBoxChoice(options: OptionsOf<typeof netBoxOptions>): NetBoxChoice {
  const { status, tag, role, vrf, zoneField, givenField, all, poolPer } = options;
  const isChosen = tag.length > 0 || role.length > 0 || zoneField !== undefined;
  if (!isChosen && !all) {
    throw new UsageError(
      'choose the prefixes of NetBox that are pools: --tag, --role, --zone-field, or --all of the export',
    );
  }
  if (isChosen && all) {
    throw new UsageError('--all cannot be combined with --tag, --role or --zone-field');
  }
  return {
    statuses: status.map((one) => one.toLowerCase()),
    tags: tag,
    roles: role,
    vrf,
    zoneField,
    givenField,
    per: poolPer ?? (zoneField === undefined ? 'prefix' : 'zone'),
  };
}
