import { Option } from '@commander-js/extra-typings';
import { type CliContext, exit, workingRoot } from '../../../../core/cli/cli-context.ts';
import type { NewCommand, OptionsOf } from '../../../../core/cli/command-line.ts';
import { metallbCluster } from '../../../../core/cli/declared-names.ts';
import { reportProblems, UsageError } from '../../../../core/cli/failure.ts';
import { clusterOption, labelOption, textsValue } from '../../../../core/cli/option-values.ts';
import { type ClusterOn, isOn, type Pools } from '../../../../core/model/pools.ts';
import { engines } from '../../../../core/model/repository-paths.ts';
import { readPoolFile } from '../../../../core/tree/declared.ts';
import { sourceLines } from '../../../../core/tree/source-line.ts';
import { openForReading } from '../../../../core/world/disk/disk-tree.ts';
import type { ArgoCDCluster } from '../../argocd.ts';
import { metalLBArgoCDText } from '../../bootstrap/metallb-argocd.ts';
import { bgpModes, installsFor, type MetalLBInstall } from '../../bootstrap/metallb-install.ts';
import {
  helmText,
  metalLBFluxText,
  metalLBKustomizeText,
} from '../../bootstrap/metallb-objects.ts';
import { clusterServers } from '../cluster-servers.ts';
import { projectValue } from '../engine-values.ts';

const ways = ['helm', ...engines, 'kubectl'] as const;

/**
 * `leasehold bootstrap metallb`: MetalLB in the declared version, for the tool that installs it.
 */
export function metalLBOptions(bare: NewCommand) {
  return bare
    .addOption(new Option('--for <what>', 'what installs it').choices(ways).makeOptionMandatory())
    .addOption(
      new Option(
        '--bgp <mode>',
        'the BGP implementation; as the pools need it when left out',
      ).choices(bgpModes),
    )
    .addOption(clusterOption('only this cluster of leases/pools.yaml'))
    .option(
      '--namespace <name>',
      'the namespace of Argo CD, or of the objects of Flux',
      labelOption,
    )
    .option(
      '--project <name>',
      'of Argo CD: the AppProject; also the prefix of the names of all objects',
      projectValue,
    )
    .option(
      '--server <name=url>',
      "of Argo CD: a cluster's API server, as Argo CD knows it; may be repeated",
      textsValue,
      [],
    )
    .option('--name <name>', 'of Flux: the name of the objects', labelOption);
}

type MetalLBOptions = OptionsOf<typeof metalLBOptions>;

/** Prints the objects or values for one cluster, or for all clusters of an Argo CD. */
export async function runMetalLB(context: CliContext, options: MetalLBOptions): Promise<number> {
  refuseUnused(options);
  const tree = openForReading(workingRoot(context, options));
  const pools = readPoolFile(tree);
  if (!pools.ok) return reportProblems(context, pools.problems, sourceLines(tree));
  const clusters = clustersOf(pools.value, options);
  const servers = options.for === 'argocd' ? clusterServers(clusters, options.server) : [];
  const installs = installsFor(tree, pools.value, clusters, {
    bgp: options.bgp,
    byManifest: options.for === 'kubectl',
  });
  if (!installs.ok) return reportProblems(context, installs.problems, sourceLines(tree));
  context.out(
    options.for === 'argocd'
      ? argocdText(servers, installs.value, options)
      : [...installs.value.values()].map((install) => oneText(install, options)).join(''),
  );
  return exit.fine;
}

/** All clusters for Argo CD; the others install MetalLB only in the cluster they run in. */
function clustersOf(
  pools: Pools,
  { for: way, cluster }: MetalLBOptions,
): readonly ClusterOn<'metallb'>[] {
  if (cluster !== undefined || pools.clusters.length === 1) return [metallbCluster(pools, cluster)];
  if (way === 'argocd') return pools.clusters.filter((one) => isOn(one, 'metallb'));
  throw new UsageError('there is more than one cluster: name one with --cluster');
}

/** Throws for options that the chosen tool does not use. */
function refuseUnused({ for: way, namespace, project, server, name }: MetalLBOptions): void {
  const isArgoCD = way === 'argocd';
  refuse(namespace !== undefined && !isArgoCD && way !== 'flux', '--namespace', 'argocd or flux');
  refuse(project !== undefined && !isArgoCD, '--project', 'argocd');
  refuse(server.length > 0 && !isArgoCD, '--server', 'argocd');
  refuse(name !== undefined && way !== 'flux', '--name', 'flux');
}

function refuse(isUnused: boolean, option: string, way: string): void {
  if (isUnused) throw new UsageError(`${option} is for --for ${way}`);
}

function argocdText(
  servers: readonly ArgoCDCluster[],
  installs: ReadonlyMap<string, MetalLBInstall>,
  { namespace = 'argocd', project = 'metallb' }: MetalLBOptions,
): string {
  const clusters = servers.flatMap(({ name, server }) => {
    const install = installs.get(name);
    return install ? [{ name, server, install }] : [];
  });
  return metalLBArgoCDText({ namespace, project, clusters });
}

/** The text for a tool that installs MetalLB in one cluster. */
function oneText(install: MetalLBInstall, options: MetalLBOptions): string {
  if (options.for === 'helm') return helmText(install, options.cluster);
  if (options.for === 'kubectl') return metalLBKustomizeText(install);
  const { namespace = 'flux-system', name = 'metallb' } = options;
  return metalLBFluxText({ namespace, name, install });
}
