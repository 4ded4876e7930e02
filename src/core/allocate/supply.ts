import { PoolIndex } from '../declarations/pools/pool-index.ts';
import { type Allocation, type AllocationTable, isFree, isHeld } from '../model/allocation.ts';
import type { Day } from '../model/day.ts';
import { addToGroup, compareText } from '../model/order.ts';
import type { Pool, Pools } from '../model/pools.ts';
import type { Address, Family } from '../net/address.ts';
import { ofFamily, type RangeSet, rangeSetOf, setSize, subtract } from '../net/range-set.ts';
import { Candidates } from './candidates.ts';

/** The addresses of one family that a pool can still give. Giving one changes the supply. */
export class Supply {
  readonly pool: Pool;
  readonly #family: Family;
  /** All that the pool can give, and these without the avoided ones. */
  readonly #usable: Candidates;
  readonly #candidates: Candidates;
  /** How many usable addresses were never held. */
  #neverHeld: bigint;
  /** Released, and free for any holder. */
  readonly #released = new Set<bigint>();
  /**
   * The same, with those given since, the longest free first. All before `#nextReleased` are given.
   */
  readonly #releasedInOrder: Allocation[] = [];
  #nextReleased = 0;
  readonly #releasedOf = new Map<string, Allocation[]>();

  /** `records` are those of the pool's addresses, the released ones sorted by {@link compareReleases}. */
  constructor(
    pool: Pool,
    family: Family,
    records: readonly Allocation[],
    { today, avoided }: Pick<SupplyInput, 'today' | 'avoided'>,
  ) {
    this.pool = pool;
    this.#family = family;
    const usable = subtract(rangeSetOf(pool.ranges), pool.reserved);
    const candidates = (set: RangeSet) => new Candidates(set, family, pool.avoidBuggyIPs);
    this.#usable = candidates(usable);
    this.#candidates = avoided ? candidates(subtract(usable, avoided)) : this.#usable;
    this.#neverHeld = this.#candidates.size;
    for (const record of records) this.#note(record, today);
  }

  /** True when the address is in the pool, not reserved and not buggy. */
  has(address: Address): boolean {
    return this.#usable.has(address);
  }

  /** How many addresses are free for any holder. */
  get free(): bigint {
    return this.#neverHeld + BigInt(this.#released.size);
  }

  /** Returns the best free address for a holder as an offer: see {@link compareOffers}. */
  offerTo(holder: string): Offer {
    if (this.#ownOf(holder)) return { rank: 0, freeFrom: '' };
    if (this.#neverHeld > 0n) return { rank: 1, freeFrom: '' };
    return { rank: 2, freeFrom: this.#longestFree()?.released?.freeFrom ?? '' };
  }

  /** Gives this address. The caller ensures that no other holder has it. */
  give(address: Address): Address {
    if (!this.#released.delete(address.value)) this.#take(address);
    return address;
  }

  /**
   * Gives the best free address for a holder: one that it had before, else one that was never held,
   * else the one that is free the longest. Throws a RangeError when {@link free} is 0.
   */
  giveAny(holder: string): Address {
    const own = this.#ownOf(holder);
    if (own) return this.give(own.address);
    if (this.#neverHeld > 0n) return this.give(this.#freshFor(holder));
    const longestFree = this.#longestFree();
    if (!longestFree) throw new RangeError(`pool ${this.pool.name} has no free address left`);
    return this.give(longestFree.address);
  }

  /** An address that the holder had before; of several, the longest free. */
  #ownOf(holder: string): Allocation | undefined {
    return this.#releasedOf.get(holder)?.find((record) => this.#released.has(record.address.value));
  }

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
    if (!this.#candidates.has(record.address)) return;
    this.#take(record.address);
    if (!isFree(record, today)) return;
    this.#released.add(record.address.value);
    this.#releasedInOrder.push(record);
    addToGroup(this.#releasedOf, record.holder, record);
  }

  #take(address: Address): void {
    if (this.#candidates.take(address)) this.#neverHeld -= 1n;
  }
}

/**
 * The rank of an address: 0 the holder's former one, 1 never held, 2 released by another holder.
 */
export interface Offer {
  readonly rank: 0 | 1 | 2;
  /** The day since which an address of rank 2 is free. */
  readonly freeFrom: string;
}

/** The better offer first; of released addresses, the longest free. */
export function compareOffers(left: Offer, right: Offer): number {
  return left.rank - right.rank || compareText(left.freeFrom, right.freeFrom);
}

/** The supplies of all pools, by pool name and family. */
export type Supplies = ReadonlyMap<string, Readonly<Record<Family, Supply>>>;

/** The table of a run, and the addresses that it gives to no holder anew. */
export interface SupplyInput {
  readonly table: AllocationTable;
  readonly today: Day;
  readonly avoided?: RangeSet | undefined;
}

/** Returns the supplies of all pools under a table. */
export function suppliesOf(index: PoolIndex, { table, ...input }: SupplyInput): Supplies {
  const { pools } = index.pools;
  const byPool = new Map<string, Allocation[]>(pools.map((pool) => [pool.name, []]));
  for (const record of table.values()) {
    const pool = index.of(record.address);
    if (pool) byPool.get(pool.name)?.push(record);
  }
  return new Map(
    pools.map((pool) => {
      const records = byPool.get(pool.name) ?? [];
      const supply = (family: Family) => {
        const own = records.filter(({ address }) => address.family === family);
        const released = own.filter((record) => !isHeld(record)).sort(compareReleases);
        return new Supply(pool, family, [...own.filter(isHeld), ...released], input);
      };
      return [pool.name, { ipv4: supply('ipv4'), ipv6: supply('ipv6') }];
    }),
  );
}

/** The longest free first, then by address. */
function compareReleases(left: Allocation, right: Allocation): number {
  return (
    compareText(left.released?.freeFrom ?? '', right.released?.freeFrom ?? '') ||
    (left.address.value < right.address.value ? -1 : 1)
  );
}

/** The address counts of one family of a pool. */
export interface FamilyOccupancy {
  /** All declared addresses. */
  readonly total: bigint;
  /** Addresses that can be given: not reserved, and not left out by `avoidBuggyIPs`. */
  readonly usable: bigint;
  readonly held: number;
  /** Released, and retained for their last holders. */
  readonly retained: number;
  /** A new holder could get one today. */
  readonly free: bigint;
  /** Neither in use nor free, since the pool is draining. */
  readonly draining: bigint;
}

export type FamilyOccupancies = Readonly<Record<Family, FamilyOccupancy>>;

/**
 * Returns the counts of each pool on a day, by pool name, in the order of the pool file. A record
 * counts for the pool that contains its address; for none if the pool shrank. A held address counts
 * even if the pool reserves it now, but does not reduce `free`; a released one is then reserved. A
 * draining pool has no free address.
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
    records.get(index.of(record.address)?.name ?? '')?.push(record);
  }
  return new Map(
    pools.pools.map((pool) => {
      const taken = records.get(pool.name) ?? [];
      return [pool.name, { ipv4: count(pool, 'ipv4', taken), ipv6: count(pool, 'ipv6', taken) }];
    }),
  );
}

/**
 * Returns the share of usable addresses that are in use, in whole per cent, rounded down: 100 only
 * when all are. 0 for a pool without usable addresses.
 */
export function percentInUse({
  usable,
  free,
  draining,
}: Pick<FamilyOccupancy, 'usable' | 'free' | 'draining'>): number {
  return usable === 0n ? 0 : Number(((usable - free - draining) * 100n) / usable);
}

/** `taken` are the held and retained records of the pool. */
function count(pool: Pool, family: Family, taken: readonly Allocation[]): FamilyOccupancy {
  const declared = rangeSetOf(pool.ranges);
  const usable = new Candidates(subtract(declared, pool.reserved), family, pool.avoidBuggyIPs);
  const own = taken.filter(({ address }) => address.family === family);
  const held = own.filter(isHeld).length;
  const takenOfUsable = own.filter(({ address }) => usable.has(address)).length;
  const unused = usable.size - BigInt(takenOfUsable);
  const isDraining = pool.state === 'draining';
  return {
    total: setSize(ofFamily(declared, family)),
    usable: usable.size,
    held,
    retained: own.filter((one) => !isHeld(one) && usable.has(one.address)).length,
    free: isDraining ? 0n : unused,
    draining: isDraining ? unused : 0n,
  };
}
