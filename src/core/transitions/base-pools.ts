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
  readonly pools: {
    /** Of the commit that the head is to be merged into. */
    readonly base: Pools;
    readonly head: Pools;
    /** Of the merge base. */
    readonly start: Pools | undefined;
  };
  readonly before: AllocationTable;
  readonly after: AllocationTable;
  readonly holders: ReadonlyMap<string, Holder>;
}

/**
 * BASE_WITHHOLDS for each newly given address that the pools of the base would not give: a change
 * cannot open for itself what the base reserves, drains, withholds from a cluster or has in another
 * zone or pool, or has removed since the change started. Any other address in no pool of the base is
 * allowed. `mergeHint` is for an address that the pools of the merge base would have given.
 */
export function withheldByBase(
  { pools, before, after, holders }: BasePoolsCase,
  mergeHint: (address: string) => string,
): Problem[] {
  const head = new PoolIndex(pools.head);
  const base = new PoolIndex(pools.base);
  const start = pools.start && new PoolIndex(pools.start);
  return [...after].flatMap(([text, record]): Problem[] => {
    const was = before.get(text);
    if (was && (isHeld(was) || isSameAllocation(was, record))) return [];
    const holder = holders.get(record.holder);
    const given = { record, holder, isReturn: was !== undefined && isReturn(was, record) };
    const reason =
      whyWithheld(given, base, head) ??
      (!base.of(record.address) && start?.of(record.address) ? 'it has been removed' : undefined);
    if (reason === undefined) return [];
    const isOlder = start !== undefined && whyWithheld(given, start, head) === undefined;
    return [withheld(record, { holder, reason, hint: isOlder ? mergeHint(text) : undefined })];
  });
}

/** A record that is new in the head. */
interface Given {
  readonly record: Allocation;
  readonly holder: Holder | undefined;
  readonly isReturn: boolean;
}

/** Returns why the pools of a base would not give an address that one of them has. */
function whyWithheld(
  { record, holder, isReturn }: Given,
  base: PoolIndex,
  head: PoolIndex,
): string | undefined {
  const pool = base.of(record.address);
  if (!pool) return undefined;
  return (
    withholding(pool, record.address, isReturn) ??
    (isHeld(record) && holder ? unfit({ base, head }, holder, pool) : undefined)
  );
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

function withheld(
  record: Allocation,
  {
    holder,
    reason,
    hint,
  }: Pick<Given, 'holder'> & { readonly reason: string; readonly hint: string | undefined },
): Problem {
  const at = recordPlace(record);
  const asked = holder?.at;
  return {
    code: 'BASE_WITHHOLDS',
    message: `${formatAddress(record.address)} goes to ${record.holder}, and in the pools of the base ${reason}`,
    at,
    ...(asked ? { also: [asked] } : {}),
    hint:
      hint ??
      `change leases/pools.yaml in a separate pull request, and lease from it after the merge; remove a record that no run wrote with \`git rm ${at.file}\` and \`leasehold synth\``,
  };
}
