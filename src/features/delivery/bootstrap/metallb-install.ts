import { poolsPath } from '../../../model/folders.ts';
import { isSince } from '../../../model/metallb-version.ts';
import {
  type Cluster,
  isOpenIn,
  type MetalLB,
  type Pool,
  type Pools,
  poolsIn,
} from '../../../model/pools.ts';
import {
  compareProblems,
  type Outcome,
  type Position,
  type Problem,
} from '../../../model/problem.ts';
import type { SourceTree } from '../../../ports/tree.ts';
import { valueAt } from '../../../text/field-text.ts';
import { readYaml } from '../../../text/yaml/yaml-document.ts';
import { beyondNativeBGP } from '../../cluster/doctor/metallb-settings.ts';

/** How MetalLB's speakers speak BGP. MetalLB: its variable METALLB_BGP_TYPE. */
export const bgpModes = ['native', 'frr', 'frr-k8s'] as const;

/** One of {@link bgpModes}. */
export type BgpMode = (typeof bgpModes)[number];

/** A MetalLB to install. */
export interface MetalLBInstall {
  /** `major.minor.patch`, 0.13.9 or later. The chart has the same number. */
  readonly version: string;
  readonly namespace: string;
  readonly bgp: BgpMode;
  /** Undefined for one that serves Services without a class. */
  readonly loadBalancerClass?: string | undefined;
}

/** The namespace of MetalLB's own manifests, and the one that the Akash IP operator looks it up in. */
export const usualMetalLBNamespace = 'metallb-system';

/** What put MetalLB into a cluster: its chart, or its manifests, which Kubespray has too. Their labels differ. */
export type MetalLBSource = 'chart' | 'manifest';

/** The first version of MetalLB with frr-k8s. MetalLB: config/manifests/metallb-frr-k8s.yaml. */
const firstFrrK8s = '0.14.0';

/** The first version in which frr-k8s is the chart's default, and metrics are read over HTTPS only. MetalLB: its release notes. */
const frrK8sByDefault = '0.16.0';

/** What a person says of a MetalLB to install. */
export interface AskedInstall {
  /** Undefined for the mode that the pools need: native without BGP, frr-k8s or FRR with it. */
  readonly bgp: BgpMode | undefined;
  /** True for MetalLB's own manifest, which names its namespace. */
  readonly byManifest: boolean;
}

/**
 * The MetalLB to install in each of some clusters, by their names. Problems: METALLB_UNFIT for a mode that a version
 * lacks, or that cannot do what pools ask of BGP, and for a manifest of another namespace.
 */
export function installsFor(
  tree: SourceTree,
  pools: Pools,
  clusters: readonly Cluster[],
  asked: AskedInstall,
): Outcome<ReadonlyMap<string, MetalLBInstall>> {
  const installs = clusters.map((cluster): [string, MetalLBInstall] => {
    const { version, namespace, loadBalancerClass } = cluster.metallb;
    const bgp = asked.bgp ?? neededMode(version, poolsIn(pools, cluster.name));
    return [cluster.name, { version, namespace, bgp, loadBalancerClass }];
  });
  const problems = clusters.flatMap((cluster, index) => [
    ...modeProblems(tree, cluster, installs[index]?.[1].bgp),
    ...(asked.byManifest ? manifestProblems(tree, cluster) : []),
  ]);
  if (asked.bgp === 'native') problems.push(...nativeProblems(pools, clusters));
  if (problems.length > 0) return { ok: false, problems: problems.toSorted(compareProblems) };
  return { ok: true, value: new Map(installs) };
}

function modeProblems(
  tree: SourceTree,
  cluster: Cluster,
  bgp: BgpMode | undefined,
): readonly Problem[] {
  const { version } = cluster.metallb;
  if (bgp !== 'frr-k8s' || isSince(version, firstFrrK8s)) return [];
  return [
    {
      code: 'METALLB_UNFIT',
      message: `MetalLB ${version} has no frr-k8s, which came with ${firstFrrK8s}`,
      at: placeIn(tree, cluster, 'version'),
      hint: 'say --bgp frr',
    },
  ];
}

/** One for each pool of the clusters, in the order of the pools. */
function nativeProblems(pools: Pools, clusters: readonly Cluster[]): readonly Problem[] {
  return pools.pools
    .filter((pool) => clusters.some(({ name }) => isOpenIn(pool, name)))
    .flatMap((pool): Problem[] => {
      const beyond = beyondNativeBGP([pool]);
      if (beyond.length === 0) return [];
      const message = `native BGP cannot do what pools ask for: ${beyond.join(', ')}`;
      return [{ code: 'METALLB_UNFIT', message, at: pool.at, hint: 'leave --bgp out' }];
    });
}

function neededMode(version: string, pools: readonly Pool[]): BgpMode {
  if (!pools.some(({ advertise }) => advertise.kind === 'bgp')) return 'native';
  return isSince(version, frrK8sByDefault) ? 'frr-k8s' : 'frr';
}

/** METALLB_UNFIT unless MetalLB's own manifests, which name their namespace, can be used as they are. */
function manifestProblems(tree: SourceTree, cluster: Cluster): readonly Problem[] {
  const { namespace, loadBalancerClass } = cluster.metallb;
  const unfit = (message: string, field: keyof MetalLB): Problem => ({
    code: 'METALLB_UNFIT',
    message,
    at: placeIn(tree, cluster, field),
    hint: 'install the chart: leasehold bootstrap metallb --for helm, argocd or flux',
  });
  const problems: Problem[] = [];
  if (namespace !== usualMetalLBNamespace) {
    const message = `MetalLB's manifests are of the namespace ${usualMetalLBNamespace}, not ${namespace}`;
    problems.push(unfit(message, 'namespace'));
  }
  if (loadBalancerClass !== undefined) {
    const message = `MetalLB's manifests start it without --lb-class, and it is to serve ${loadBalancerClass}`;
    problems.push(unfit(message, 'loadBalancerClass'));
  }
  return problems;
}

/** METALLB_UNFIT for each reason why the Akash IP operator would not find or read MetalLB's metrics. */
export function monitoringProblems(tree: SourceTree, cluster: Cluster): readonly Problem[] {
  const { version, namespace } = cluster.metallb;
  const problems: Problem[] = [];
  if (isSince(version, frrK8sByDefault)) {
    problems.push({
      code: 'METALLB_UNFIT',
      message: `MetalLB ${version} gives its metrics over HTTPS only, on port 9120, to whom RBAC allows it: the Akash IP operator, which asks over HTTP, never gets them`,
      at: placeIn(tree, cluster, 'version'),
      hint: 'with leasehold nobody needs them: do without the operator, or stay with MetalLB 0.15.3 or earlier as long as it runs',
    });
  }
  if (namespace !== usualMetalLBNamespace) {
    problems.push({
      code: 'METALLB_UNFIT',
      message: `the Akash IP operator looks for MetalLB in ${usualMetalLBNamespace} only, not in ${namespace}`,
      at: placeIn(tree, cluster, 'namespace'),
      hint: 'give the operator --metal-lb-endpoint, or do without it',
    });
  }
  return problems;
}

function placeIn(tree: SourceTree, cluster: Cluster, field: keyof MetalLB): Position {
  return placeOfMetalLB(poolsPath, tree.read(poolsPath), { cluster: cluster.name, field });
}

/**
 * Where a sound pool file says something of the MetalLB of a cluster: of its own, or of all; the
 * file's `kind` when it leaves the default.
 */
export function placeOfMetalLB(
  file: string,
  bytes: Uint8Array,
  { cluster, field }: { readonly cluster: string; readonly field: keyof MetalLB },
): Position {
  const document = readYaml(file, bytes, 'refused');
  if (!document.ok) return { file, line: 1, column: 1 };
  const { value, at } = document.value;
  const clusters = valueAt(value, ['clusters']);
  const index = Array.isArray(clusters)
    ? clusters.findIndex((one) => valueAt(one, ['name']) === cluster)
    : -1;
  const places = [
    ['clusters', index, 'metallb', field],
    ['metallb', field],
  ];
  const said = places.find((path) => valueAt(value, path) !== undefined);
  return at(said ?? ['kind']);
}
