import type { Cluster, Pools } from '../model/pools.ts';
import type { Position, Problem } from '../model/problem.ts';
import { declaredNames } from '../text/nearest.ts';

/** The cluster of a declaration: the one that it names, or the default one. */
export function clusterNamed(name: string | undefined, pools: Pools): Cluster | undefined {
  const wanted = name ?? pools.defaultCluster;
  return pools.clusters.find((candidate) => candidate.name === wanted);
}

/** CLUSTER_UNKNOWN for a cluster that is not declared. `at` says where the declaration names it. */
export function clusterUnknown(
  name: string | undefined,
  pools: Pools,
  at: () => Position,
): Problem {
  const wanted = name ?? pools.defaultCluster;
  const message = `the cluster '${wanted}' is not declared`;
  const names = pools.clusters.map((candidate) => candidate.name);
  return { code: 'CLUSTER_UNKNOWN', message, at: at(), ...declaredNames('cluster', wanted, names) };
}
