import type { Pools } from '../model/pools.ts';
import type { Position, Problem } from '../model/problem.ts';
import { declaredNames } from '../text/nearest.ts';

/**
 * What is wrong with the zone and the pool that a declaration names: ZONE_UNKNOWN, POOL_UNKNOWN, and
 * FIELD_VALUE for a pool outside the zone. `at` says where a field stands.
 */
export function poolProblems(
  { zone, pool: name }: { readonly zone: string | undefined; readonly pool: string | undefined },
  pools: Pools,
  at: (field: 'zone' | 'pool') => Position,
): Problem[] {
  const zones = [...new Set(pools.pools.map((pool) => pool.zone))];
  const names = pools.pools.map((pool) => pool.name);
  const pool = pools.pools.find((candidate) => candidate.name === name);
  const problems: Problem[] = [];
  if (zone !== undefined && !zones.includes(zone)) {
    const message = `no pool lies in the zone '${zone}'`;
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
    const message = `the pool '${pool.name}' lies in the zone '${pool.zone}', not '${zone}'`;
    problems.push({ code: 'FIELD_VALUE', message, at: at('pool') });
  }
  return problems;
}
