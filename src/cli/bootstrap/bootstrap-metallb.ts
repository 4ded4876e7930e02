import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { ArgoCDCluster } from '../../features/delivery/argocd.ts';
import { metalLBArgoCDText } from '../../features/delivery/bootstrap/metallb-argocd.ts';
import {
  type BgpMode,
  bgpModes,
  installsFor,
  type MetalLBInstall,
} from '../../features/delivery/bootstrap/metallb-install.ts';
import {
  helmText,
  metalLBFluxText,
  metalLBKustomizeText,
} from '../../features/delivery/bootstrap/metallb-objects.ts';
import type { Cluster, Pools } from '../../model/pools.ts';
import { readPoolFile } from '../../workspace/declared.ts';
import { openForReading } from '../../world/disk/disk-tree.ts';
import type { CommandLine, CommonOptions } from '../command-line.ts';
import { reportProblems, UsageError } from '../failure.ts';
import { clusterServers, labelValue, projectValue } from '../gitops-values.ts';
import { declaredCluster } from '../live-options.ts';
import { refsValue } from '../option-values.ts';
import { exit, type World } from '../world.ts';

const ways = ['helm', 'argocd', 'flux', 'kubectl'] as const;

interface MetalLBOptions extends CommonOptions {
  readonly for: (typeof ways)[number];
  readonly bgp: BgpMode | undefined;
  readonly cluster: string | undefined;
  readonly namespace: string | undefined;
  readonly project: string | undefined;
  readonly server: readonly string[];
  readonly name: string | undefined;
}

/** `leasehold bootstrap metallb`: MetalLB in the declared version, for whatever installs it. */
export function addMetalLBCommand(world: World, group: Command, take: CommandLine['take']): void {
  group
    .command('metallb')
    .description('MetalLB in the declared version and namespace')
    .addOption(new Option('--for <what>', 'what installs it').choices(ways).makeOptionMandatory())
    .addOption(
      new Option('--bgp <mode>', 'how it speaks BGP; as its pools need it when left out').choices(
        bgpModes,
      ),
    )
    .option('--cluster <name>', 'only this cluster of leases/pools.yaml')
    .option('--namespace <name>', 'the namespace of Argo CD, or of the objects of Flux', labelValue)
    .option('--project <name>', 'of Argo CD: the AppProject; begins the names of all', projectValue)
    .option(
      '--server <name=url>',
      "of Argo CD: a cluster's API server, as Argo CD knows it; may be repeated",
      refsValue,
      [],
    )
    .option('--name <name>', 'of Flux: the name of the objects', labelValue)
    .allowExcessArguments(false)
    .action((_, self) => take(runMetalLB(world, self.optsWithGlobals())));
}

async function runMetalLB(world: World, options: MetalLBOptions): Promise<number> {
  refuseUnused(options);
  const tree = openForReading(resolve(world.cwd, options.directory));
  const pools = readPoolFile(tree);
  if (!pools.ok) return reportProblems(world, pools.problems);
  const clusters = clustersOf(pools.value, options);
  const servers = options.for === 'argocd' ? clusterServers(clusters, options.server) : [];
  const installs = installsFor(tree, pools.value, clusters, {
    bgp: options.bgp,
    byManifest: options.for === 'kubectl',
  });
  if (!installs.ok) return reportProblems(world, installs.problems);
  const known = [...installs.value];
  world.out(
    options.for === 'argocd'
      ? argocdText(servers, installs.value, options)
      : known.map(([, install]) => oneText(install, options)).join(''),
  );
  return exit.fine;
}

/** For Argo CD all clusters, for what installs MetalLB in its own cluster that one. */
function clustersOf(pools: Pools, { for: way, cluster }: MetalLBOptions): readonly Cluster[] {
  if (cluster !== undefined || pools.clusters.length === 1)
    return [declaredCluster(pools, cluster)];
  if (way === 'argocd') return pools.clusters;
  throw new UsageError('there is more than one cluster: say with --cluster which one is meant');
}

/** Options that would do nothing. */
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

/** For what installs MetalLB in one cluster. */
function oneText(install: MetalLBInstall, options: MetalLBOptions): string {
  if (options.for === 'helm') return helmText(install, options.cluster);
  if (options.for === 'kubectl') return metalLBKustomizeText(install);
  const { namespace = 'flux-system', name = 'metallb' } = options;
  return metalLBFluxText({ namespace, name, install });
}
