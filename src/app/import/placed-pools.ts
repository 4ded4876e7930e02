import { overlapProblems, type PoolEntry } from '../../codec/pools-rules.ts';
import type { ImportedPool, ImportNote } from '../../model/import.ts';
import type { Advertise, Pool, Pools } from '../../model/pools.ts';
import type { Outcome, Position, Problem } from '../../model/problem.ts';
import { formatRange } from '../../net/range.ts';
import { rangeSetOf } from '../../net/range-set.ts';

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
}

/**
 * Compares imported pools with each other and with those that are declared. One that is declared with the same
 * addresses is `present`, and stays as it is. Problems: POOL_DUPLICATE for one name of two pools, POOL_OVERLAP, each at
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
    const known = declared && knownPool(pool, declared);
    if (other) problems.push(twice(pool, other, `the source has two pools '${pool.name}'`));
    else first.set(pool.name, pool.at);
    if (!known) added.push(pool);
    else if (textOf(known.ranges) !== textOf(pool.ranges.map(({ range }) => range))) {
      const message = `the pool '${pool.name}' is declared with other addresses`;
      problems.push(twice(pool, known.at, message));
    } else {
      present.push({ pool, declared: known });
      notes.push(...differences(pool, known));
    }
  }
  const entries = added.flatMap((pool) =>
    pool.ranges.map(({ range, at }): PoolEntry => ({ range, at, pool: pool.name })),
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

function twice({ at }: ImportedPool, other: Position, message: string): Problem {
  return { code: 'POOL_DUPLICATE', message, at, also: [other] };
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
