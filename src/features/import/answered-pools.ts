import { formatRange } from '../../net/range.ts';
import { type RangeSet, rangeSetOf } from '../../net/range-set.ts';
import type { LiveDeclarations } from './adopt/live-declarations.ts';
import type { ImportedPool } from './import.ts';
import type { ImportAnswerPool } from './import-answer.ts';
import type { PlacedPools } from './placed-pools.ts';
import { type WrittenPool, writtenReserve } from './pools-edit.ts';
import type { Reserves } from './reserves.ts';

/** What became of imported pools, in the order of the source, but for those whose addresses other pools have. */
export function answeredPools(
  pools: readonly ImportedPool[],
  placed: PlacedPools,
  reserves: ReadonlyMap<ImportedPool, Reserves>,
  live: LiveDeclarations,
): readonly ImportAnswerPool[] {
  return pools
    .filter((pool) => isPlaced(pool, placed))
    .map((pool) => answerPool(pool, placed, reservedOf(pool, placed, reserves, live)));
}

/** A pool as it is written, with what its source reserves of it. */
export function writtenPool(
  pool: ImportedPool,
  reserves: ReadonlyMap<ImportedPool, Reserves>,
): WrittenPool {
  return { pool, reserved: reserves.get(pool)?.added ?? rangeSetOf([]) };
}

function isPlaced(pool: ImportedPool, { added, present }: PlacedPools): boolean {
  return added.includes(pool) || present.some((one) => one.pool === pool);
}

/** All that this import reserves of a pool. */
function reservedOf(
  pool: ImportedPool,
  { present }: PlacedPools,
  reserves: ReadonlyMap<ImportedPool, Reserves>,
  live: LiveDeclarations,
): RangeSet {
  const name = present.find((one) => one.pool === pool)?.declared.name ?? pool.name;
  const addresses = live.reserved.get(name) ?? [];
  return rangeSetOf([
    ...writtenPool(pool, reserves).reserved.ranges,
    ...addresses.map((address) => ({ from: address, to: address })),
  ]);
}

function answerPool(
  pool: ImportedPool,
  { added, present }: PlacedPools,
  reserved: RangeSet,
): ImportAnswerPool {
  const own = present.find((one) => one.pool === pool);
  const known = own?.declared;
  const inFile = reserved.ranges.length > 0 || own?.missing.length ? 'extended' : 'present';
  return {
    name: known?.name ?? pool.name,
    state: added.includes(pool) ? 'added' : inFile,
    addresses: pool.ranges.map(({ range }) => formatRange(range)),
    reserved: reserved.ranges.map(writtenReserve),
    avoidBuggyIPs: pool.avoidBuggyIPs,
    advertise: pool.advertise.kind,
    file: pool.at.file,
    line: pool.at.line,
  };
}
