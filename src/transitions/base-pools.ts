import { obstacle, PoolIndex } from '../declarations/pools/pool-index.ts';
import {
  type Allocation,
  type AllocationTable,
  isHeld,
  isSameAllocation,
} from '../model/allocation.ts';
import type { Holder } from '../model/claim.ts';
import type { Day } from '../model/day.ts';
import type { Pool, Pools } from '../model/pools.ts';
import type { Problem } from '../model/problem.ts';
import { type Address, formatAddress, isBuggyIP } from '../net/address.ts';
import { setHas } from '../net/range-set.ts';
import { placeOf } from '../records/held.ts';

/** Two states of the pool file, the table of both, and who holds in the second one. */
export interface Given {
  readonly pools: { readonly base: Pools; readonly head: Pools };
  readonly before: AllocationTable;
  readonly after: AllocationTable;
  readonly holders: ReadonlyMap<string, Holder>;
}

/**
 * BASE_WITHHOLDS for each address that is given anew and that the pools of the base would not give: a change
 * does not open for itself what the base reserves, drains, keeps from a cluster or has in another zone or pool. An address that
 * no pool of the base has is let through: nobody has said yet that it is not to be given.
 */
export function withheldByBase({ pools, before, after, holders }: Given): Problem[] {
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

/** True when a holder gets, or had on the way, what was still kept for it: also a draining pool gives that. */
function isReturn(was: Allocation, record: Allocation): boolean {
  const freeFrom: Day | undefined = was.released?.freeFrom;
  return was.holder === record.holder && freeFrom !== undefined && record.since < freeFrom;
}

function withholding(pool: Pool, address: Address, isKept: boolean): string | undefined {
  if (setHas(pool.reserved, address)) return `pool ${pool.name} reserves it`;
  if (pool.avoidBuggyIPs && isBuggyIP(address)) {
    return `pool ${pool.name} avoids addresses that end in .0 or .255`;
  }
  return pool.state === 'draining' && !isKept
    ? `pool ${pool.name} is draining and gives nothing new`
    : undefined;
}

/** Why a pool of the base is none for a holder. What the base does not know yet, the head says: a cluster, a pool's new name. */
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
    : `it lies in zone ${pool.zone}, and its claims want ${zone}`;
}

function withheld(record: Allocation, holder: Holder | undefined, reason: string): Problem {
  const at = placeOf(record);
  const asked = holder?.claims[0].at;
  return {
    code: 'BASE_WITHHOLDS',
    message: `${formatAddress(record.address)} goes to ${record.holder}, and by the pools of the base ${reason}`,
    at,
    ...(asked ? { also: [asked] } : {}),
    hint: `change leases/pools.yaml in a pull request of its own, and lease from it once that is merged; a record that no run wrote goes with git rm ${at.file} and leasehold synth`,
  };
}
