import { PoolIndex, reservation } from '../declarations/pools/pool-index.ts';
import {
  type Allocation,
  type AllocationTable,
  isFree,
  isHeld,
  isSameAllocation,
  moveOrigins,
  recordsByHolder,
} from '../model/allocation.ts';
import { addDays, type Day } from '../model/day.ts';
import type { Holder } from '../model/holder.ts';
import { compareText, groupBy } from '../model/order.ts';
import type { Pools } from '../model/pools.ts';
import { compareAddresses, type Family, formatAddress } from '../net/address.ts';
import { type Withheld, withheldUntil } from './landings.ts';

/** The tables of the two sides of a merge, and of their base. */
export interface TableSides {
  /** The side whose holders keep their addresses. */
  readonly kept: AllocationTable;
  readonly other: AllocationTable;
  readonly base: AllocationTable;
}

/**
 * Merges two tables, address by address. A record that the kept side changed is taken from the kept
 * side. Of the records that only the other side changed:
 *
 * - An address that the kept side holds stays with its holder. A new retention is taken over, and a
 *   release if no claim needs the address any more.
 * - The two records of a move are taken over together or not at all. Not at all if the kept side
 *   has changed the vacated address.
 * - A released record is taken over. A removed record is removed if the address is free for any
 *   holder.
 * - An address that a holder got is taken over if the holder may have it: its claims need it, it
 *   has none of that family on the kept side, and the pools and pins of the result allow it.
 *   Otherwise the address counts as never given, and allocate() gives another one.
 *
 * `pools` and `holders` are those of the result. Their effect on retentions and releases is left to
 * allocate(). If no holder of the kept side has two addresses of a family, no holder of the result
 * has.
 */
export function mergeTables(
  sides: TableSides,
  pools: Pools,
  holders: readonly Holder[],
  today: Day,
): AllocationTable {
  const byId = new Map(holders.map((holder) => [holder.id, holder]));
  const merged = new Map(sides.kept);
  const given: Allocation[] = [];
  for (const address of changedByOther(sides)) {
    const kept = sides.kept.get(address);
    const other = sides.other.get(address);
    if (kept && isHeld(kept)) merged.set(address, whileHeld(kept, other, byId));
    else if (other && isHeld(other)) given.push(other);
    else if (other) merged.set(address, other);
    else if (kept && isFree(kept, today)) merged.delete(address);
  }
  const vacated = vacatedByMoves(sides, given);
  const staying = new Map([...sides.kept].filter(([address]) => !vacated.has(address)));
  const giving = new GivenAddresses(new PoolIndex(pools), holders, staying);
  const accepted = new Set(giving.acceptable(given));
  for (const record of accepted) merged.set(formatAddress(record.address), record);
  const moved = [...vacated].filter(([, { made }]) => accepted.has(made));
  for (const [address, { record }] of moved) merged.set(address, record);
  return merged;
}

/** The addresses that only the other side has changed. */
function changedByOther({ kept, other, base }: TableSides): string[] {
  return [...new Set([...base.keys(), ...other.keys()])].filter(
    (address) =>
      isSameAllocation(kept.get(address), base.get(address)) &&
      !isSameAllocation(other.get(address), base.get(address)),
  );
}

/**
 * The addresses of the kept side that a move of the other side vacates, with both records of the
 * move. Leaves out addresses that the kept side has changed: a new key or a longer retention would
 * be lost.
 */
function vacatedByMoves(
  { kept, other, base }: TableSides,
  given: readonly Allocation[],
): ReadonlyMap<string, { readonly record: Allocation; readonly made: Allocation }> {
  const heldBy = recordsByHolder(kept, isHeld);
  return new Map(
    given.flatMap((made) => {
      const held = (heldBy.get(made.holder) ?? []).filter((record) => {
        const text = formatAddress(record.address);
        return (
          record.address.family === made.address.family &&
          isSameAllocation(record, base.get(text)) &&
          other.get(text)?.since === record.since &&
          moveOrigins(other, made).includes(text)
        );
      });
      return held.flatMap(({ address }) => {
        const record = other.get(formatAddress(address));
        return record ? [[formatAddress(address), { record, made }] as const] : [];
      });
    }),
  );
}

/** The record of an address that the kept side holds and only the other side has changed. */
function whileHeld(
  kept: Allocation,
  other: Allocation | undefined,
  holders: ReadonlyMap<string, Holder>,
): Allocation {
  if (other?.holder !== kept.holder || other.since !== kept.since) return kept;
  const isNeeded = holders.get(kept.holder)?.families.includes(kept.address.family) ?? false;
  return !isHeld(other) && isNeeded ? kept : other;
}

/** Chooses among the addresses that the other side gave. */
class GivenAddresses {
  readonly #index: PoolIndex;
  readonly #holders: readonly Holder[];
  readonly #heldBy: ReadonlyMap<string, readonly Allocation[]>;
  /** The holder that pins each address. */
  readonly #pinnedBy: ReadonlyMap<string, string>;

  constructor(index: PoolIndex, holders: readonly Holder[], kept: AllocationTable) {
    this.#index = index;
    this.#holders = holders;
    this.#heldBy = recordsByHolder(kept, isHeld);
    this.#pinnedBy = new Map(
      holders.flatMap(({ id, pins }) => pins.map((pin) => [formatAddress(pin.address), id])),
    );
  }

  /**
   * Returns the addresses that their holders may have. None for a holder that would still lack an
   * address or have addresses of two pools.
   */
  acceptable(given: readonly Allocation[]): readonly Allocation[] {
    const byHolder = groupBy([...given].sort(compareGiven), ({ holder }) => holder);
    return this.#holders.flatMap((holder) => this.#ofHolder(holder, byHolder.get(holder.id) ?? []));
  }

  #ofHolder(holder: Holder, given: readonly Allocation[]): readonly Allocation[] {
    if (given.length === 0) return [];
    const held = this.#heldBy.get(holder.id) ?? [];
    const has = (records: readonly Allocation[], family: Family) =>
      records.some(({ address }) => address.family === family);
    const lacking = holder.families.filter((family) => !has(held, family));
    const taken = lacking.flatMap(
      (family) =>
        given.find((record) => record.address.family === family && this.#mayHave(holder, record)) ??
        [],
    );
    const stays = held.filter(({ address }) => holder.families.includes(address.family));
    const pools = new Set([...taken, ...stays].map(({ address }) => this.#index.of(address)));
    return taken.length === lacking.length && pools.size === 1 ? taken : [];
  }

  #mayHave(holder: Holder, { address }: Allocation): boolean {
    const text = formatAddress(address);
    const pool = this.#index.of(address);
    if (!pool || reservation(pool, address) || !this.#index.allows(holder, pool)) return false;
    if ((this.#pinnedBy.get(text) ?? holder.id) !== holder.id) return false;
    const pin = holder.pins.find((candidate) => candidate.address.family === address.family);
    return !pin || formatAddress(pin.address) === text;
  }
}

/** The address that the holder got first comes first. */
function compareGiven(left: Allocation, right: Allocation): number {
  return compareText(left.since, right.since) || compareAddresses(left.address, right.address);
}

/**
 * Withholds free addresses that are still held in `live`, until tomorrow. So an address never goes
 * from one holder to another in a single change.
 */
export function embargo(
  table: AllocationTable,
  live: AllocationTable,
  today: Day,
): Withheld<Allocation> {
  const used = [...table].filter(([address, record]) => {
    const inUse = live.get(address);
    return isFree(record, today) && inUse !== undefined && isHeld(inUse);
  });
  return withheldUntil(table, new Map(used.map(([address]) => [address, addDays(today, 1)])));
}
