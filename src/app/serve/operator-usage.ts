import { occupancyOf } from '../../allocate/occupancy.ts';
import type { Day } from '../../model/day.ts';
import { isOpenIn } from '../../model/pools.ts';
import type { Known } from '../ask/known.ts';
import { clusterIn, type OperatorScope } from './operator-leases.ts';

/** The answer to `/usage`. */
export interface OperatorUsage {
  /** All IPv4 addresses that leases of the scope can get at all. */
  readonly Available: number;
  /** Those of them that no new lease gets: held, retained, or in a pool that is draining. */
  readonly InUse: number;
  /** The difference: what a new lease may be promised. */
  readonly Free: number;
}

/**
 * Akash provider, cluster/inventory.go: the client takes Available minus InUse, and what it reserved itself and has not seen
 * in use, for what is left, so Available is not what is free. Undefined when the pool file declares no such cluster.
 */
export function operatorUsage(
  { pools, table }: Known,
  scope: OperatorScope,
  day: Day,
): OperatorUsage | undefined {
  const cluster = clusterIn(pools, scope);
  if (cluster === undefined) return undefined;
  const zone = scope.zone ?? cluster.defaultZone ?? pools.defaultZone;
  const occupancies = occupancyOf(pools, table, day);
  let available = 0n;
  let promisable = 0n;
  for (const pool of pools.pools) {
    const counts = occupancies.get(pool.name)?.ipv4;
    if (pool.zone !== zone || !isOpenIn(pool, cluster.name) || counts === undefined) continue;
    available += counts.usable;
    if (pool.state === 'active') promisable += counts.free;
  }
  return {
    Available: Number(available),
    InUse: Number(available - promisable),
    Free: Number(promisable),
  };
}
