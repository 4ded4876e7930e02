import { occupancyOf } from '../../allocate/occupancy.ts';
import type { Pending } from '../../model/capacity.ts';
import type { Day } from '../../model/day.ts';
import { isOpenIn } from '../../model/pools.ts';
import type { Known } from '../ask/known.ts';
import { branchTakes } from '../ask/pending-takes.ts';
import { clusterIn, type OperatorScope } from './operator-leases.ts';

/** The answer to `/usage`. */
export interface OperatorUsage {
  /** All IPv4 addresses that leases of the scope can get at all. */
  readonly Available: number;
  /** Those of them that no new lease gets: held, retained, in a pool that is draining, or held by an open branch. */
  readonly InUse: number;
  /** The difference: what a new lease may be promised. */
  readonly Free: number;
}

/**
 * Akash provider, cluster/inventory.go: the client takes Available minus InUse, and what it reserved itself and has not seen
 * in use, for what is left, so Available is not what is free. Undefined when the pool file declares no such cluster.
 */
export function operatorUsage(
  known: Known,
  scope: OperatorScope,
  { day, pending }: { readonly day: Day; readonly pending: Pending },
): OperatorUsage | undefined {
  const { pools, table } = known;
  const cluster = clusterIn(pools, scope);
  if (cluster === undefined) return undefined;
  const zone = scope.zone ?? cluster.defaultZone ?? pools.defaultZone;
  const occupancies = occupancyOf(pools, table, day);
  const takes = takesByPool(known, pending, day);
  let available = 0n;
  let promisable = 0n;
  for (const pool of pools.pools) {
    const counts = occupancies.get(pool.name)?.ipv4;
    if (pool.zone !== zone || !isOpenIn(pool, cluster.name) || counts === undefined) continue;
    available += counts.usable;
    if (pool.state !== 'active') continue;
    const left = counts.free - (takes.get(pool.name) ?? 0n);
    if (left > 0n) promisable += left;
  }
  return {
    Available: Number(available),
    InUse: Number(available - promisable),
    Free: Number(promisable),
  };
}

/** How many IPv4 addresses open branches will take from each pool. */
function takesByPool(known: Known, { refs }: Pending, day: Day): ReadonlyMap<string, bigint> {
  const counts = new Map<string, bigint>();
  for (const { family, pool } of [...branchTakes(known, refs, day).values()].flat()) {
    if (family === 'ipv4') counts.set(pool, (counts.get(pool) ?? 0n) + 1n);
  }
  return counts;
}
