import { type Cluster, isOn, type Pools } from '../model/pools.ts';
import type { Position, Problem } from '../model/problem.ts';
import { declaredNames } from '../text/message-text.ts';

/** The cluster that a declaration names, or the default cluster. */
export function clusterNamed(name: string | undefined, pools: Pools): Cluster | undefined {
  const wanted = name ?? pools.defaultCluster;
  return pools.clusters.find((candidate) => candidate.name === wanted);
}

/** CLUSTER_UNKNOWN for a cluster that is not declared. `at` returns the place of its name. */
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

/**
 * Problems of the zone and the pool that a declaration names: ZONE_UNKNOWN, POOL_UNKNOWN, and
 * FIELD_VALUE for a pool outside the zone. `at` returns the place of a field.
 */
export function poolProblems(
  { zone, pool: name }: { readonly zone: string | undefined; readonly pool: string | undefined },
  pools: Pools,
  at: (field: 'zone' | 'pool') => Position,
): Problem[] {
  if (zone === undefined && name === undefined) return [];
  const zones = [...new Set(pools.pools.map((pool) => pool.zone))];
  const names = pools.pools.map((pool) => pool.name);
  const pool = pools.pools.find((candidate) => candidate.name === name);
  const problems: Problem[] = [];
  if (zone !== undefined && !zones.includes(zone)) {
    const message = `no pool is in the zone '${zone}'`;
    problems.push({
      code: 'ZONE_UNKNOWN',
      message,
      at: at('zone'),
      ...declaredNames('zone', zone, zones),
    });
  }
  if (name !== undefined && pool === undefined) {
    const message = `the pool '${name}' is not declared`;
    problems.push({
      code: 'POOL_UNKNOWN',
      message,
      at: at('pool'),
      ...declaredNames('pool', name, names),
    });
  }
  if (problems.length === 0 && pool && zone !== undefined && pool.zone !== zone) {
    const message = `the pool '${pool.name}' is in the zone '${pool.zone}', not '${zone}'`;
    problems.push({ code: 'FIELD_VALUE', message, at: at('pool') });
  }
  return problems;
}

/**
 * Problems of the advertisement that a declaration names: ADVERTISEMENT_UNKNOWN, and
 * ADVERTISEMENT_REFUSED in a cluster whose addresses have no advertisements of their own. `at`
 * returns the place of its name.
 */
export function advertisementProblems(
  name: string | undefined,
  { pools, cluster }: { readonly pools: Pools; readonly cluster: Cluster | undefined },
  at: () => Position,
): Problem[] {
  if (name === undefined) return [];
  const names = pools.advertisements.map((one) => one.name);
  if (!names.includes(name)) {
    const message = `the advertisement '${name}' is not declared`;
    const known = declaredNames('advertisement', name, names);
    return [{ code: 'ADVERTISEMENT_UNKNOWN', message, at: at(), ...known }];
  }
  if (!cluster || cluster.plane.layout === 'lease') return [];
  return [
    {
      code: 'ADVERTISEMENT_REFUSED',
      message: `cluster ${cluster.name} has layout: ${cluster.plane.layout}, in which all addresses of a pool have one advertisement`,
      at: at(),
      hint: isOn(cluster, 'metallb')
        ? 'remove the advertisement, or change to layout: lease with `leasehold migrate-layout`'
        : 'remove the advertisement, or use a pool that has it',
    },
  ];
}
