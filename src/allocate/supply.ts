import type { PoolIndex } from '../declarations/pools/pool-index.ts';
import { type Allocation, type AllocationTable, isFree, isHeld } from '../model/allocation.ts';
import type { Day } from '../model/day.ts';
import { compareText } from '../model/order.ts';
import type { Pool } from '../model/pools.ts';
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
