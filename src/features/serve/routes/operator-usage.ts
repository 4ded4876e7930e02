import { occupancyOf } from '../../../allocate/occupancy.ts';
import type { Day } from '../../../model/day.ts';
import { isOpenIn } from '../../../model/pools.ts';
import { capacityOf } from '../../ask/capacity/capacity.ts';
import type { Pending } from '../../ask/capacity/pending-refs.ts';
import type { Known } from '../../ask/known.ts';
import { clusterIn, type OperatorScope } from './operator-leases.ts';

/** The answer to `/usage`. */
export interface OperatorUsage {
  /** All IPv4 addresses that leases of the scope can get at all. */
  readonly Available: number;
  /** Those of them that no new lease gets: held, retained, in a pool that is draining, held by an open branch, or for a holder that waits. */
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
  const available = pools.pools
    .filter((pool) => pool.zone === zone && isOpenIn(pool, cluster.name))
    .reduce((sum, { name }) => sum + (occupancies.get(name)?.ipv4.usable ?? 0n), 0n);
  const question = { day, cluster: cluster.name, zones: [zone], family: 'ipv4' } as const;
  const [row] = capacityOf(known, question, pending).items;
  const promisable = BigInt(row?.promisable ?? 0);
  return {
    Available: Number(available),
    InUse: Number(available - promisable),
    Free: Number(promisable),
  };
}
