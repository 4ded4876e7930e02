import { overlapProblems, type PoolEntry } from '../../declarations/pools/pools-rules.ts';
import type { ImportNote } from '../../model/input-file.ts';
import type { Advertise, Pool, Pools } from '../../model/pools.ts';
import type { Outcome, Position, Problem } from '../../model/problem.ts';
import { formatRange } from '../../net/range.ts';
import { rangeSetOf, setHas } from '../../net/range-set.ts';
import type { ImportedPool, ImportedRange } from './imported.ts';
import { writtenReserve } from './reserves.ts';

/** What of the imported pools the pool file lacks, and what it has. */
export interface PlacedPools {
  readonly added: readonly ImportedPool[];
  readonly present: readonly PresentPool[];
  readonly notes: readonly ImportNote[];
}

/** An imported pool that the pool file has. */
export interface PresentPool {
  readonly pool: ImportedPool;
  readonly declared: Pool;
  /** What it is to have too. */
  readonly missing: readonly ImportedRange[];
}

/**
 * Compares imported pools with each other and with those that are declared. One that is declared with the same
 * addresses is `present`, and stays as it is; so is one that has a zone's addresses in use among its own, or gets those that no
 * declared pool has. Problems: POOL_DUPLICATE for one name of two pools, POOL_OVERLAP, each at
 * the place of the source.
 */
export function placedPools(
  imported: readonly ImportedPool[],
  declared: Pools | undefined,
): Outcome<PlacedPools> {
  const problems: Problem[] = [];
  const notes: ImportNote[] = [];
  const present: PresentPool[] = [];
  const added: ImportedPool[] = [];
  const first = new Map<string, Position>();
  for (const pool of imported) {
    const other = first.get(pool.name);
    if (other) problems.push(twice(pool, other, `the source has two pools '${pool.name}'`));
    else first.set(pool.name, pool.at);
    const place = declared ? placeIn(pool, declared) : { isAdded: true };
    notes.push(...(place.notes ?? []));
    if (place.problem) problems.push(place.problem);
    if (place.present) present.push(place.present);
    if (place.isAdded) added.push(pool);
  }
  const entries = [
    ...added.map((pool) => ({ name: pool.name, ranges: pool.ranges })),
    ...present.map(({ declared: { name }, missing }) => ({ name, ranges: missing })),
  ].flatMap(({ name, ranges }) =>
    ranges.map(({ range, at }): PoolEntry => ({ range, at, pool: name })),
  );
  const own = (declared?.pools ?? []).flatMap((pool) =>
    pool.ranges.map((range): PoolEntry => ({ range, at: pool.at, pool: pool.name })),
  );
  problems.push(...overlapProblems([...own, ...entries]));
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, value: { added, present, notes } };
}

/** The declared pool of that name; of one that was named on the way here, first the one with the same addresses. */
function knownPool(pool: ImportedPool, { pools }: Pools): Pool | undefined {
  const text = textOf(pool.ranges.map(({ range }) => range));
  const equal = pool.isNamedHere ? pools.find(({ ranges }) => textOf(ranges) === text) : undefined;
  return equal ?? pools.find(({ name }) => name === pool.name);
}

/** What a pool of addresses in use lacks here, and what is told of it. */
function useOf(
  pool: ImportedPool,
  known: Pool | undefined,
  { pools }: Pools,
): { readonly missing: readonly ImportedRange[]; readonly notes: readonly ImportNote[] } {
  const sets = pools.map((one) => ({ one, set: rangeSetOf(one.ranges) }));
  const homes = pool.ranges.map(({ range }) => sets.find(({ set }) => setHas(set, range.from)));
  const missing = pool.ranges.filter((_, index) => homes[index] === undefined);
  const names = new Set(homes.flatMap((home) => (home && home.one !== known ? home.one.name : [])));
  const told = (effect: ImportNote['effect'], message: string): ImportNote => {
    return { effect, subject: `pool ${pool.name}`, message, at: pool.at };
  };
  const notes: ImportNote[] = [];
  if (names.size > 0) {
    const others = [...names].join(' and ');
    const message = `it has addresses that lie in the pool ${others} here, and MetalLB refuses pools that overlap: undo this import, name that pool ${pool.name} in leases/pools.yaml and import again. A live pool that is deleted takes the addresses of its Services`;
    notes.push(told('left', message));
  }
  if (known && missing.length > 0) {
    const texts = missing.map(({ range }) => writtenReserve(range));
    notes.push(told('changed', `${texts.join(', ')} of it is added: it is in use there`));
  }
  return { missing, notes };
}

function twice({ at }: ImportedPool, other: Position, message: string): Problem {
  return { code: 'POOL_DUPLICATE', message, at, also: [other] };
}

/** What becomes of one pool beside those that are declared; nothing where they have its addresses under other names. */
interface Place {
  readonly isAdded?: boolean;
  readonly present?: PresentPool;
  readonly problem?: Problem;
  readonly notes?: readonly ImportNote[];
}

function placeIn(pool: ImportedPool, declared: Pools): Place {
  const known = knownPool(pool, declared);
  const { missing, notes } = pool.isInUse ? useOf(pool, known, declared) : unused;
  if (!known) return { isAdded: !pool.isInUse || missing.length > 0, notes };
  if (pool.isInUse || hasSame(known, pool)) {
    const present = { pool, declared: known, missing };
    return { present, notes: [...notes, ...differences(pool, known)] };
  }
  const message = `the pool '${pool.name}' is declared with other addresses`;
  return { problem: twice(pool, known.at, message) };
}

const unused = { missing: [], notes: [] };

function hasSame({ ranges }: Pool, pool: ImportedPool): boolean {
  return textOf(ranges) === textOf(pool.ranges.map(({ range }) => range));
}

/** Equal for ranges with the same addresses. */
function textOf(ranges: Pool['ranges']): string {
  return rangeSetOf(ranges).ranges.map(formatRange).join(',');
}

/** What a declared pool says otherwise than the source. It stays so. */
function differences(pool: ImportedPool, known: Pool): readonly ImportNote[] {
  const words = [
    ...(pool.zone === undefined || pool.zone === known.zone ? [] : ['zone']),
    ...(pool.avoidBuggyIPs === known.avoidBuggyIPs ? [] : ['avoidBuggyIPs']),
    ...(advertiseText(pool.advertise) === advertiseText(known.advertise) ? [] : ['advertise']),
  ];
  return words.map((field) => ({
    effect: 'left',
    subject: `pool ${known.name}`,
    message: `it is declared with another ${field}, which stays as it is`,
    at: pool.at,
  }));
}

function advertiseText(advertise: Advertise): string {
  return JSON.stringify(
    Object.entries(advertise).sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}
