import { PoolIndex } from '../declarations/pools/pool-index.ts';
import { type Allocation, type AllocationTable, isFree, isHeld } from '../model/allocation.ts';
import type { Day } from '../model/day.ts';
import { compareText } from '../model/order.ts';
import type { Pool, Pools } from '../model/pools.ts';
import { type Address, type Family, familyName } from '../net/address.ts';
import { ofFamily, rangeSetOf, setSize, subtract } from '../net/range-set.ts';
import { Candidates } from './candidates.ts';

/** What one pool can still give of one family. Giving changes it. */
export class Supply {
  readonly pool: Pool;
  readonly #family: Family;
  readonly #candidates: Candidates;
  /** Usable addresses that were never held. */
  #neverHeld: bigint;
  readonly #recorded = new Set<bigint>();
  /** Released and free for anyone. */
  readonly #released = new Set<bigint>();
  /** The same and those given since, the longest free first; all before `#nextReleased` are given. */
  readonly #releasedInOrder: Allocation[] = [];
  #nextReleased = 0;
  readonly #releasedOf = new Map<string, Allocation[]>();
  /** What {@link describe} counts: held, and kept after release. */
  readonly #held = new Set<bigint>();
  readonly #retained = new Set<bigint>();

  /** `records` are those of the table that lie in the pool, sorted by {@link compareReleases}. */
  constructor(pool: Pool, family: Family, records: readonly Allocation[], today: Day) {
    this.pool = pool;
    this.#family = family;
    const usable = subtract(rangeSetOf(pool.ranges), pool.reserved);
    this.#candidates = new Candidates(usable, family, pool.avoidBuggyIPs);
    this.#neverHeld = this.#candidates.size;
    for (const record of records) this.#note(record, today);
  }

  /** True when the address may be given at all: in the pool, not reserved, not buggy. */
  has(address: Address): boolean {
    return this.#candidates.has(address);
  }

  /** How many addresses are free for anyone. */
  get free(): bigint {
    return this.#neverHeld + BigInt(this.#released.size);
  }

  /** How good the best free address for a holder is: compare with {@link compareOffers}. */
  offerTo(holder: string): Offer {
    if (this.#ownOf(holder)) return { rank: 0, freeFrom: '' };
    if (this.#neverHeld > 0n) return { rank: 1, freeFrom: '' };
    return { rank: 2, freeFrom: this.#longestFree()?.released?.freeFrom ?? '' };
  }

  /** Gives this very address, which the caller knows nobody else has. */
  give(address: Address): Address {
    this.#held.add(address.value);
    this.#retained.delete(address.value);
    if (!this.#released.delete(address.value)) this.#take(address);
    return address;
  }

  /**
   * Gives the best free address for a holder: one it had before, else one that nobody had, else the
   * one that is free the longest. Call it only while {@link free} is above 0.
   */
  giveAny(holder: string): Address {
    const own = this.#ownOf(holder);
    if (own) return this.give(own.address);
    if (this.#neverHeld > 0n) return this.give(this.#freshFor(holder));
    const longestFree = this.#longestFree();
    if (!longestFree) throw new RangeError(`pool ${this.pool.name} has nothing left to give`);
    return this.give(longestFree.address);
  }

  /** `0 of 16 IPv4 addresses free: 13 held, 1 kept after release, 2 reserved`; what this run gave is held. */
  describe(): string {
    const declared = setSize(ofFamily(rangeSetOf(this.pool.ranges), this.#family));
    const reserved = declared - this.#candidates.size;
    return `${this.free} of ${declared} ${familyName(this.#family)} addresses free: ${this.#held.size} held, ${this.#retained.size} kept after release, ${reserved} reserved`;
  }

  /** The address the holder had before, of several the longest free. */
  #ownOf(holder: string): Allocation | undefined {
    return this.#releasedOf.get(holder)?.find((record) => this.#released.has(record.address.value));
  }

  /** Of the released addresses that are free, the longest free. */
  #longestFree(): Allocation | undefined {
    for (;;) {
      const record = this.#releasedInOrder[this.#nextReleased];
      if (!record || this.#released.has(record.address.value)) return record;
      this.#nextReleased += 1;
    }
  }

  #freshFor(holder: string): Address {
    if (this.pool.strategy === 'lowest') return this.#candidates.lowest();
    return this.#candidates.spread(`${holder}|${this.pool.name}|${this.#family}`);
  }

  #note(record: Allocation, today: Day): void {
    const { value } = record.address;
    if (!this.has(record.address)) return;
    this.#take(record.address);
    if (isHeld(record)) this.#held.add(value);
    else if (!isFree(record, today)) this.#retained.add(value);
    else {
      this.#released.add(value);
      this.#releasedInOrder.push(record);
      const own = this.#releasedOf.get(record.holder);
      if (own) own.push(record);
      else this.#releasedOf.set(record.holder, [record]);
    }
  }

  #take(address: Address): void {
    if (this.#recorded.has(address.value)) return;
    this.#recorded.add(address.value);
    this.#candidates.take(address);
    this.#neverHeld -= 1n;
  }
}

/** What a pool can give a holder: 0 its former address, 1 one nobody had, 2 a released one. */
export interface Offer {
  readonly rank: 0 | 1 | 2;
  /** With rank 2, since when it is free. */
  readonly freeFrom: string;
}

/** The better offer first; of released addresses, the longest free. */
export function compareOffers(left: Offer, right: Offer): number {
  return left.rank - right.rank || compareText(left.freeFrom, right.freeFrom);
}

/** The supplies of every pool, by pool name and family. */
export type Supplies = ReadonlyMap<string, Readonly<Record<Family, Supply>>>;

/** What every pool can give when the table is as it is. */
export function suppliesOf(index: PoolIndex, table: AllocationTable, today: Day): Supplies {
  const { pools } = index.pools;
  const byPool = new Map<string, Allocation[]>(pools.map((pool) => [pool.name, []]));
  for (const record of table.values()) {
    const pool = index.of(record.address);
    if (pool) byPool.get(pool.name)?.push(record);
  }
  return new Map(
    pools.map((pool) => {
      const records = (byPool.get(pool.name) ?? []).sort(compareReleases);
      const supply = (family: Family) =>
        new Supply(
          pool,
          family,
          records.filter((record) => record.address.family === family),
          today,
        );
      return [pool.name, { ipv4: supply('ipv4'), ipv6: supply('ipv6') }];
    }),
  );
}

/** The longest free first, then by address; held ones anywhere. */
function compareReleases(left: Allocation, right: Allocation): number {
  return (
    compareText(left.released?.freeFrom ?? '', right.released?.freeFrom ?? '') ||
    (left.address.value < right.address.value ? -1 : 1)
  );
}

/** How many addresses of one family of a pool are in use. */
export interface FamilyOccupancy {
  /** All that are declared. */
  readonly total: bigint;
  /** Those that can be given out: without reserved ones, and without what `avoidBuggyIPs` leaves out. */
  readonly usable: bigint;
  readonly held: number;
  /** Released, and still kept for their last holders. */
  readonly retained: number;
  readonly free: bigint;
}

/** Both families of a pool. */
export type FamilyOccupancies = Readonly<Record<Family, FamilyOccupancy>>;

/**
 * How full each family of every pool is on a day: pool name to counts, in the order of the file. A
 * record counts for the pool that its address lies in; one that lies in none, because the pool shrank,
 * for the pool that it names. What is held or retained counts as such also where the pool would not give it any
 * more, reserved or buggy; it takes nothing from what is free there.
 */
export function occupancyOf(
  pools: Pools,
  table: AllocationTable,
  day: Day,
): ReadonlyMap<string, FamilyOccupancies> {
  const index = new PoolIndex(pools);
  const records = new Map(pools.pools.map((pool): [string, Allocation[]] => [pool.name, []]));
  for (const record of table.values()) {
    if (isFree(record, day)) continue;
    records.get(index.of(record.address)?.name ?? record.pool)?.push(record);
  }
  return new Map(
    pools.pools.map((pool) => {
      const taken = records.get(pool.name) ?? [];
      return [pool.name, { ipv4: count(pool, 'ipv4', taken), ipv6: count(pool, 'ipv6', taken) }];
    }),
  );
}

/**
 * What of the usable addresses is not free, in whole per cent, rounded down: 100 only when nothing is
 * free. 0 for a pool that has no usable address at all.
 */
export function percentInUse(usable: bigint, free: bigint): number {
  return usable === 0n ? 0 : Number(((usable - free) * 100n) / usable);
}

/** `taken` are the records of the pool that are held or retained. */
function count(pool: Pool, family: Family, taken: readonly Allocation[]): FamilyOccupancy {
  const declared = rangeSetOf(pool.ranges);
  const usable = new Candidates(subtract(declared, pool.reserved), family, pool.avoidBuggyIPs);
  const own = taken.filter(({ address }) => address.family === family);
  const held = own.filter(isHeld).length;
  const takenOfUsable = own.filter(({ address }) => usable.has(address)).length;
  return {
    total: setSize(ofFamily(declared, family)),
    usable: usable.size,
    held,
    retained: own.length - held,
    free: usable.size - BigInt(takenOfUsable),
  };
}
