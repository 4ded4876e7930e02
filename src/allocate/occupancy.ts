import { PoolIndex } from '../declarations/pools/pool-index.ts';
import { type Allocation, type AllocationTable, isFree, isHeld } from '../model/allocation.ts';
import type { Day } from '../model/day.ts';
import type { Pool, Pools } from '../model/pools.ts';
import type { Family } from '../net/address.ts';
import { ofFamily, rangeSetOf, setSize, subtract } from '../net/range-set.ts';
import { Candidates } from './candidates.ts';

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
