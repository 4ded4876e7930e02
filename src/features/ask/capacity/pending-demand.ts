import type { Seat } from '../../../allocate/matching/seats.ts';
import { pinProblems } from '../../../allocate/pins.ts';
import type { Supplies } from '../../../allocate/supply.ts';
import { unservable } from '../../../allocate/unservable.ts';
import { type Want, wantsOf } from '../../../allocate/wants.ts';
import { holdersOf } from '../../../declarations/holders.ts';
import { PoolIndex } from '../../../declarations/pools/pool-index.ts';
import {
  type Allocation,
  type AllocationTable,
  isFree,
  recordsByHolder,
} from '../../../model/allocation.ts';
import type { Day } from '../../../model/day.ts';
import type { Pool } from '../../../model/pools.ts';
import {
  type Address,
  compareAddresses,
  type Family,
  formatAddress,
} from '../../../net/address.ts';
import { reviewHeld } from '../../../records/held.ts';
import type { Known } from '../workspace-snapshot.ts';
import type { PendingAddress } from './branch-adds.ts';
import type { PendingRef } from './pending.ts';

/** What an open branch will take from what is free: an address of a pool, this one or another. */
export interface BranchTake {
  /** Undefined where nobody can read whose it is. */
  readonly holder: string | undefined;
  readonly address: Address;
  readonly pool: string;
}

/** What a holder that waits will take, in each pool that could give it all it lacks. */
export interface WaitingTake {
  readonly holder: string;
  readonly zone: string;
  /** Those that it lacks. */
  readonly families: readonly Family[];
  /** None when no pool has enough. */
  readonly seats: readonly Seat[];
}

/**
 * What open branches will take from what is free, by ref. A holder that several of them give an address takes one;
 * several holders that want the same address take one each, since only one can have it. Where an address is
 * somebody else's meanwhile, its pool still has to give the holder another one. Of a record that cannot be read counts the
 * address alone, while nobody has it.
 */
export function branchTakes(
  { pools, table }: Known,
  refs: readonly PendingRef[],
  day: Day,
): ReadonlyMap<string, readonly BranchTake[]> {
  const index = new PoolIndex(pools);
  const own = recordsByHolder(table, (record) => !isFree(record, day));
  const seen = new Set<string>();
  return new Map(
    refs.map(({ ref, adds }) => {
      const takes = adds.flatMap((added): BranchTake[] => {
        const { address, holder } = added;
        const pool = index.of(address);
        if (!pool || !needsOne(added)) return [];
        const key = `${holder} ${address.family}`;
        if (holder !== undefined && seen.has(key)) return [];
        seen.add(key);
        return [{ holder, address, pool: pool.name }];
      });
      return [ref, takes];
    }),
  );

  function needsOne({ address, holder, moved }: PendingAddress): boolean {
    if (holder === undefined) return !isTaken(table, address, day);
    return !hasIts(own.get(holder) ?? [], address, moved);
  }
}

function isTaken(table: AllocationTable, address: Address, day: Day): boolean {
  const record = table.get(formatAddress(address));
  return record !== undefined && !isFree(record, day);
}

/** True when the holder needs no free address of that family any more. */
function hasIts(own: readonly Allocation[], address: Address, moved: boolean): boolean {
  return own.some((record) =>
    moved
      ? compareAddresses(record.address, address) === 0
      : record.address.family === address.family,
  );
}

/**
 * What holders will take that are declared and lack an address, by holder: the allocator's own wants. Who returns to
 * what is kept for it takes nothing; nor does, before it is mended, what contradicts itself, is stranded, pins what it cannot have or
 * could never be met. An address that is kept with a key counts as not kept: the keys are not known here.
 */
export function waitingTakes(
  { pools, table, claims }: Known,
  supplies: Supplies,
  day: Day,
): readonly WaitingTake[] {
  const index = new PoolIndex(pools);
  const holders = [...claims.values()].flatMap((ofHolder) => {
    const found = holdersOf(ofHolder, pools);
    return found.ok ? found.value : [];
  });
  const { standings } = reviewHeld(index, holders, table);
  const servable = standings.filter((standing) => unservable(index, standing) === undefined);
  const pinned = new Set<string>();
  return wantsOf(index, servable, table, day).flatMap((want): readonly WaitingTake[] => {
    const pins = want.pins.map(formatAddress);
    const cannot = pinProblems(index, [want], table, day).length > 0;
    if (cannot || pins.some((text) => pinned.has(text))) return [];
    for (const text of pins) pinned.add(text);
    const families = [...want.families, ...want.pins.map(({ family }) => family)];
    const seats = want.pools.flatMap((pool) => seatIn(pool, want, supplies));
    if (seats.some(({ uses }) => uses.length === 0)) return [];
    return [{ holder: want.holder.id, zone: index.zoneOf(want.holder), families, seats }];
  });
}

/** What a want takes of a pool's free addresses; no seat where the pool has not enough of them. */
function seatIn(pool: Pool, want: Want, supplies: Supplies): readonly Seat[] {
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

/** What waits still when branches give what they have: what one of them gives decides the pool of the rest. */
export function withoutGiven(
  waiting: readonly WaitingTake[],
  given: readonly BranchTake[],
): readonly WaitingTake[] {
  const byHolder = new Map<string, BranchTake[]>();
  for (const take of given) {
    const { holder } = take;
    if (holder !== undefined) byHolder.set(holder, [...(byHolder.get(holder) ?? []), take]);
  }
  return waiting.flatMap((take) => {
    const own = byHolder.get(take.holder);
    if (own === undefined) return [take];
    const left = (families: readonly Family[]) =>
      families.filter((family) => !own.some(({ address }) => address.family === family));
    const families = left(take.families);
    const seats = take.seats
      .filter(({ pool }) => own.every((one) => one.pool === pool))
      .map(({ pool, uses }) => ({ pool, uses: left(uses) }));
    const isDone = families.length === 0 || seats.some(({ uses }) => uses.length === 0);
    return isDone ? [] : [{ ...take, families, seats }];
  });
}
