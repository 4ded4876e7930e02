import { obstacle, PoolIndex, reservation } from '../declarations/pools/pool-index.ts';
import {
  type Allocation,
  type AllocationTable,
  isHeld,
  isSameAllocation,
} from '../model/allocation.ts';
import type { Day } from '../model/day.ts';
import type { Holder } from '../model/holder.ts';
import type { Pool, Pools } from '../model/pools.ts';
import type { Problem } from '../model/problem.ts';
import { type Address, formatAddress } from '../net/address.ts';
import { recordPlace } from '../records/held.ts';

/** The pools and tables of base and head, and the holders of the head by id. */
export interface BasePoolsCase {
  readonly pools: { readonly base: Pools; readonly head: Pools };
  readonly before: AllocationTable;
  readonly after: AllocationTable;
  readonly holders: ReadonlyMap<string, Holder>;
}

/**
 * BASE_WITHHOLDS for each newly given address that the pools of the base would not give: a change
 * cannot open for itself what the base reserves, drains, withholds from a cluster or has in another
 * zone or pool. An address in no pool of the base is allowed.
 */
export function withheldByBase({ pools, before, after, holders }: BasePoolsCase): Problem[] {
  const base = new PoolIndex(pools.base);
  const head = new PoolIndex(pools.head);
  return [...after].flatMap(([text, record]): Problem[] => {
    const was = before.get(text);
    if (was && (isHeld(was) || isSameAllocation(was, record))) return [];
    const pool = base.of(record.address);
    if (!pool) return [];
    const holder = holders.get(record.holder);
    const reason =
      withholding(pool, record.address, was !== undefined && isReturn(was, record)) ??
      (isHeld(record) && holder ? unfit({ base, head }, holder, pool) : undefined);
    return reason === undefined ? [] : [withheld(record, holder, reason)];
  });
}

/** True when a holder gets an address that was retained for it. A draining pool gives that too. */
function isReturn(was: Allocation, record: Allocation): boolean {
  const freeFrom: Day | undefined = was.released?.freeFrom;
  return was.holder === record.holder && freeFrom !== undefined && record.since < freeFrom;
}

function withholding(pool: Pool, address: Address, isKept: boolean): string | undefined {
  const reserved = reservation(pool, address);
  if (reserved !== undefined) return reserved;
  return pool.state === 'draining' && !isKept
    ? `pool ${pool.name} is draining and gives no new addresses`
    : undefined;
}

/**
 * Returns why a holder may not use a pool of the base. Clusters and pool names that the base lacks
 * are taken from the head.
 */
function unfit(
  { base, head }: { readonly base: PoolIndex; readonly head: PoolIndex },
  holder: Holder,
  pool: Pool,
): string | undefined {
  const between = obstacle(holder, pool);
  if (between) return between.reason;
  if (base.named(holder.pool)) {
    return pool.name === holder.pool ? undefined : `it lies in pool ${pool.name}`;
  }
  const known = new Set(base.pools.clusters.map(({ name }) => name));
  const isKnown = holder.pool === undefined && holder.clusters.every((one) => known.has(one));
  const zone = (isKnown ? base : head).zoneOf(holder);
  return pool.zone === zone
    ? undefined
    : `it lies in zone ${pool.zone}, but its claims want ${zone}`;
}

function withheld(record: Allocation, holder: Holder | undefined, reason: string): Problem {
  const at = recordPlace(record);
  const asked = holder?.at;
  return {
    code: 'BASE_WITHHOLDS',
    message: `${formatAddress(record.address)} goes to ${record.holder}, and in the pools of the base ${reason}`,
    at,
    ...(asked ? { also: [asked] } : {}),
    hint: `change leases/pools.yaml in a separate pull request, and lease from it after the merge; remove a record that no run wrote with git rm ${at.file} and leasehold synth`,
  };
}
