import type { PoolOption } from '../../core/allocate/matching/contention.ts';
import { type AddressNeed, needsOf } from '../../core/allocate/needs.ts';
import { pinProblems } from '../../core/allocate/pins.ts';
import { type OwnerCounts, quotaOf, usageByOwner } from '../../core/allocate/quotas.ts';
import type { Supplies } from '../../core/allocate/supply.ts';
import { unsatisfiable } from '../../core/allocate/unsatisfiable.ts';
import { holdersOf } from '../../core/declarations/holders.ts';
import { PoolIndex } from '../../core/declarations/pools/pool-index.ts';
import {
  type Allocation,
  type AllocationTable,
  isFree,
  ownerOf,
  recordsByHolder,
} from '../../core/model/allocation.ts';
import type { Day } from '../../core/model/day.ts';
import { addToGroup, groupBy } from '../../core/model/order.ts';
import type { Pool, Quotas } from '../../core/model/pools.ts';
import {
  type Address,
  compareAddresses,
  type Family,
  formatAddress,
} from '../../core/net/address.ts';
import { checkTable } from '../../core/records/held.ts';
import type { WorkspaceSnapshot } from '../list/workspace-snapshot.ts';
import type { PendingAddress } from './branch-adds.ts';
import type { PendingRef } from './pending.ts';

/**
 * A free address that an open branch will take from a pool, possibly another one than `address`.
 */
export interface BranchDemand {
  /** Undefined when the record is unreadable. */
  readonly holder: string | undefined;
  readonly address: Address;
  readonly pool: string;
}

/** The demand of a declared holder without an address. */
export interface WaitingDemand {
  readonly holder: string;
  readonly zone: string;
  /** The missing families. */
  readonly families: readonly Family[];
  /** One per pool that has all missing families; empty when no pool has them. */
  readonly seats: readonly PoolOption[];
}

/**
 * Returns by ref what open branches will take from the free addresses. A holder that gets an
 * address in several branches takes one. Several holders that get the same address take one each,
 * because only one can have it. When another holder got the address meanwhile, the pool has to
 * provide another one. An unreadable record counts while its address is free.
 */
export function branchDemands(
  { pools, table }: WorkspaceSnapshot,
  refs: readonly PendingRef[],
  day: Day,
): ReadonlyMap<string, readonly BranchDemand[]> {
  if (refs.length === 0) return new Map();
  const index = new PoolIndex(pools);
  const own = recordsByHolder(table, (record) => !isFree(record, day));
  const seen = new Set<string>();
  return new Map(
    refs.map(({ ref, adds }) => {
      const demands = adds.flatMap((added): BranchDemand[] => {
        const { address, holder } = added;
        const pool = index.of(address);
        if (!pool || !needsOne(added)) return [];
        const key = `${holder} ${address.family}`;
        if (holder !== undefined && seen.has(key)) return [];
        seen.add(key);
        return [{ holder, address, pool: pool.name }];
      });
      return [ref, demands];
    }),
  );

  function needsOne({ address, holder, moved }: PendingAddress): boolean {
    if (holder === undefined) return !isTaken(table, address, day);
    return !hasAddress(own.get(holder) ?? [], address, moved);
  }
}

function isTaken(table: AllocationTable, address: Address, day: Day): boolean {
  const record = table.get(formatAddress(address));
  return record !== undefined && !isFree(record, day);
}

/** Returns true when the holder no longer needs a free address of that family. */
function hasAddress(own: readonly Allocation[], address: Address, moved: boolean): boolean {
  return own.some((record) =>
    moved
      ? compareAddresses(record.address, address) === 0
      : record.address.family === address.family,
  );
}

/**
 * Returns what declared holders without an address will take, as the allocator would assign it.
 * Holders that reclaim a retained address take nothing. Holders with conflicting declarations, a
 * stranded address, an impossible pin or an unsatisfiable need take nothing until they are
 * fixed. An address that is retained with a key counts as not retained, because the keys are not
 * available here.
 */
export function waitingDemands(
  { pools, table, claims, promises }: WorkspaceSnapshot,
  supplies: Supplies,
  day: Day,
): readonly WaitingDemand[] {
  const index = new PoolIndex(pools);
  const holders = [...claims].flatMap(([holder, own]) => {
    const promise = promises.get(holder);
    const found = holdersOf({ claims: own, promises: promise ? [promise] : [] }, pools);
    return found.ok ? found.value : [];
  });
  const { statuses } = checkTable(index, holders, table);
  const servable = statuses.filter((status) => unsatisfiable(index, status) === undefined);
  const pinned = new Set<string>();
  const demands = needsOf(index, servable, table, day).flatMap((want): WaitingDemand[] => {
    const pins = want.pins.map(formatAddress);
    const cannot = pinProblems(index, [want], table, day).length > 0;
    if (cannot || pins.some((text) => pinned.has(text))) return [];
    for (const text of pins) pinned.add(text);
    const families = [...want.families, ...want.pins.map(({ family }) => family)];
    const seats = want.pools.flatMap((pool) => seatIn(pool, want, supplies));
    if (seats.some(({ uses }) => uses.length === 0)) return [];
    return [{ holder: want.holder.id, zone: index.zoneOf(want.holder), families, seats }];
  });
  return withinQuotas(demands, pools.quotas, usageByOwner(pools, table, day));
}

/**
 * Removes the pools in which a holder would exceed the quota of its owner: it has to take the pool
 * with its retained addresses. A holder that exceeds the quota in each pool keeps all of them.
 */
function withinQuotas(
  demands: readonly WaitingDemand[],
  quotas: Quotas,
  usage: ReadonlyMap<string, OwnerCounts>,
): readonly WaitingDemand[] {
  const ofOwners = groupBy(demands, ({ holder }) => ownerOf(holder));
  return demands.map((demand) => {
    const owner = ownerOf(demand.holder);
    const quota = owner === undefined ? undefined : quotaOf(quotas, owner);
    if (owner === undefined || quota === undefined) return demand;
    const { held, kept } = usage.get(owner) ?? { held: 0, kept: 0 };
    const others = (ofOwners.get(owner) ?? []).filter((other) => other !== demand);
    const remaining = quota - held - kept - others.reduce((sum, other) => sum + fewest(other), 0);
    const seats = demand.seats.filter(({ uses }) => uses.length <= remaining);
    return seats.length === 0 ? demand : { ...demand, seats };
  });
}

/** The free addresses that a holder takes at least. */
function fewest({ seats }: WaitingDemand): number {
  return seats.length === 0 ? 0 : Math.min(...seats.map(({ uses }) => uses.length));
}

/** Returns the free addresses of a pool that a need takes; empty when the pool lacks them. */
function seatIn(pool: Pool, want: AddressNeed, supplies: Supplies): readonly PoolOption[] {
  const supply = supplies.get(pool.name);
  const isKept = (family: Family) =>
    want.keptForIt.some(
      ({ address }) => address.family === family && supply?.[family].has(address) === true,
    );
  const isOwn = (pin: Address) =>
    want.keptForIt.some(({ address }) => compareAddresses(address, pin) === 0);
  const uses = [
    ...want.families.filter((family) => !isKept(family)),
    ...want.pins.filter((pin) => !isOwn(pin)).map(({ family }) => family),
  ];
  const isOpen = pool.state === 'active' && uses.every((one) => (supply?.[one].free ?? 0n) > 0n);
  return uses.length === 0 || isOpen ? [{ pool: pool.name, uses }] : [];
}

/**
 * Returns the demand that remains after open branches are merged. An address from a branch fixes
 * the pool for the other family of the holder.
 */
export function remainingDemands(
  waiting: readonly WaitingDemand[],
  given: readonly BranchDemand[],
): readonly WaitingDemand[] {
  const byHolder = new Map<string, BranchDemand[]>();
  for (const demand of given) {
    const { holder } = demand;
    if (holder !== undefined) addToGroup(byHolder, holder, demand);
  }
  return waiting.flatMap((demand) => {
    const own = byHolder.get(demand.holder);
    if (own === undefined) return [demand];
    const lacking = (families: readonly Family[]) =>
      families.filter((family) => !own.some(({ address }) => address.family === family));
    const families = lacking(demand.families);
    const seats = demand.seats
      .filter(({ pool }) => own.every((one) => one.pool === pool))
      .map(({ pool, uses }) => ({ pool, uses: lacking(uses) }));
    const isDone = families.length === 0 || seats.some(({ uses }) => uses.length === 0);
    return isDone ? [] : [{ ...demand, families, seats }];
  });
}
