import type { SourceTree } from '../../../core/interfaces/tree.ts';
import { firstMetalLB, isSince, type MetalLB, usualMetalLB } from '../../../core/model/planes.ts';
import {
  type Cluster,
  isOpenIn,
  type Pool,
  type Pools,
  poolsIn,
} from '../../../core/model/pools.ts';
import {
  failSorted,
  type Outcome,
  ok,
  type Position,
  type Problem,
} from '../../../core/model/problem.ts';
import { poolsPath } from '../../../core/model/repository-paths.ts';
import { valueAt } from '../../../core/text/message-text.ts';
import { readYaml } from '../../../core/text/yaml/yaml-document.ts';
import { beyondNativeBGP } from '../../../lib/kubernetes/metallb-workload.ts';
import { problem } from '../codes.ts';

/** The BGP modes of MetalLB's speakers. MetalLB: variable METALLB_BGP_TYPE. */
export const bgpModes = ['native', 'frr', 'frr-k8s'] as const;

/** One of {@link bgpModes}. */
type BgpMode = (typeof bgpModes)[number];

/** A MetalLB to install. */
export interface MetalLBInstall {
  /** `major.minor.patch`. The chart has the same number. */
  readonly version: string;
  readonly namespace: string;
  readonly bgp: BgpMode;
  /** Undefined to serve Services without a class. */
  readonly loadBalancerClass?: string | undefined;
}

/** How MetalLB was installed: by its chart, or by its manifests, as by Kubespray. Labels differ. */
export type MetalLBSource = 'chart' | 'manifest';

/** Options of an installation of MetalLB. */
export interface InstallOptions {
  /** Undefined for the mode that the pools need: native without BGP, else frr-k8s or FRR. */
  readonly bgp: BgpMode | undefined;
  /** True for MetalLB's own manifest, which has a fixed namespace. */
  readonly byManifest: boolean;
}

/**
 * The MetalLB to install in each cluster, by cluster name. Problems: METALLB_UNFIT for a mode that
 * the version does not have or that does not support what the pools need, and for a manifest with
 * another namespace.
 */
export function installsFor(
  tree: SourceTree,
  pools: Pools,
  clusters: readonly Cluster[],
  options: InstallOptions,
): Outcome<ReadonlyMap<string, MetalLBInstall>> {
  const installs = clusters.map((cluster): [string, MetalLBInstall] => {
    const { version, namespace, loadBalancerClass } = cluster.plane;
    const bgp = options.bgp ?? neededMode(version, poolsIn(pools, cluster.name));
    return [cluster.name, { version, namespace, bgp, loadBalancerClass }];
  });
  const problems = clusters.flatMap((cluster, index) => [
    ...modeProblems(tree, cluster, installs[index]?.[1].bgp),
    ...(options.byManifest ? manifestProblems(tree, cluster) : []),
  ]);
  if (options.bgp === 'native') problems.push(...nativeProblems(pools, clusters));
  if (problems.length > 0) return failSorted(problems);
  return ok(new Map(installs));
}

function modeProblems(
  tree: SourceTree,
  cluster: Cluster,
  bgp: BgpMode | undefined,
): readonly Problem[] {
  const { version } = cluster.plane;
  if (bgp !== 'frr-k8s' || isSince(version, firstMetalLB.frrK8s)) return [];
  return [
    {
      code: problem.METALLB_UNFIT,
      message: `MetalLB ${version} has no frr-k8s, which came with ${firstMetalLB.frrK8s}`,
      at: placeIn(tree, cluster, 'version'),
      hint: 'use --bgp frr',
    },
  ];
}

/** One problem for each pool that needs more than native mode, in the order of the pools. */
function nativeProblems(pools: Pools, clusters: readonly Cluster[]): readonly Problem[] {
  return pools.pools
    .filter((pool) => clusters.some(({ name }) => isOpenIn(pool, name)))
    .flatMap((pool): Problem[] => {
      const beyond = beyondNativeBGP([pool]);
      if (beyond.length === 0) return [];
      const message = `native BGP does not support what pools need: ${beyond.join(', ')}`;
      return [{ code: problem.METALLB_UNFIT, message, at: pool.at, hint: 'leave --bgp out' }];
    });
}

function neededMode(version: string, pools: readonly Pool[]): BgpMode {
  const isByBGP = pools.some(({ advertise }) => advertise.some(({ kind }) => kind === 'bgp'));
  if (!isByBGP) return 'native';
  return isSince(version, firstMetalLB.frrK8sByDefault) ? 'frr-k8s' : 'frr';
}

/** METALLB_UNFIT unless MetalLB's own manifests fit the declared namespace and class. */
function manifestProblems(tree: SourceTree, cluster: Cluster): readonly Problem[] {
  const { namespace, loadBalancerClass } = cluster.plane;
  const unfit = (message: string, field: keyof MetalLB): Problem => ({
    code: problem.METALLB_UNFIT,
    message,
    at: placeIn(tree, cluster, field),
    hint: 'install the chart: `leasehold bootstrap metallb --for helm`, `argocd` or `flux`',
  });
  const problems: Problem[] = [];
  if (namespace !== usualMetalLB.namespace) {
    const message = `MetalLB's manifests use the namespace ${usualMetalLB.namespace}, not ${namespace}`;
    problems.push(unfit(message, 'namespace'));
  }
  if (loadBalancerClass !== undefined) {
    const message = `MetalLB's manifests do not set --lb-class, but leases/pools.yaml declares ${loadBalancerClass}`;
    problems.push(unfit(message, 'loadBalancerClass'));
  }
  return problems;
}

/** METALLB_UNFIT for each reason why the Akash IP operator cannot read MetalLB's metrics. */
export function monitoringProblems(tree: SourceTree, cluster: Cluster): readonly Problem[] {
  const { version, namespace } = cluster.plane;
  const problems: Problem[] = [];
  if (isSince(version, firstMetalLB.secureMetrics)) {
    problems.push({
      code: problem.METALLB_UNFIT,
      message: `MetalLB ${version} serves its metrics only over HTTPS on port 9120 and to authorized clients: the Akash IP operator, which uses HTTP, cannot read them`,
      at: placeIn(tree, cluster, 'version'),
      hint: 'leasehold does not need them: remove the operator, or keep MetalLB 0.15.3 or earlier while it runs',
    });
  }
  if (namespace !== usualMetalLB.namespace) {
    problems.push({
      code: problem.METALLB_UNFIT,
      message: `the Akash IP operator looks for MetalLB in ${usualMetalLB.namespace} only, not in ${namespace}`,
      at: placeIn(tree, cluster, 'namespace'),
      hint: 'set --metal-lb-endpoint of the operator, or remove the operator',
    });
  }
  return problems;
}

function placeIn(tree: SourceTree, cluster: Cluster, field: keyof MetalLB): Position {
  return placeOfMetalLB(poolsPath, tree.read(poolsPath), { cluster: cluster.name, field });
}

/**
 * The position of a MetalLB field for a cluster in a valid pool file: in the cluster, or at the top
 * level. The position of `kind` when the field has its default.
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
  const set = places.find((path) => valueAt(value, path) !== undefined);
  return at(set ?? ['kind']);
}
