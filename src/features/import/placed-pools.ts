import { overlapProblems, type PoolEntry } from '../../core/declarations/pools/pools-rules.ts';
import { compareText, sortedEntries } from '../../core/model/order.ts';
import { isOpenIn, type Pool, type PoolAdvertisement, type Pools } from '../../core/model/pools.ts';
import { type Outcome, okUnless, type Position, type Problem } from '../../core/model/problem.ts';
import { formatRange, formatShortRange } from '../../core/net/range.ts';
import { rangeSetOf, setHas } from '../../core/net/range-set.ts';
import type { ImportNote } from '../../lib/foreign/source-reader.ts';
import type { ImportedPool, ImportedRange } from './imported.ts';

/** Imported pools compared with the pool file: the missing and the present ones. */
export interface PlacedPools {
  readonly added: readonly ImportedPool[];
  readonly present: readonly PresentPool[];
  readonly notes: readonly ImportNote[];
}

/** An imported pool that the pool file already has. */
export interface PresentPool {
  readonly pool: ImportedPool;
  readonly declared: Pool;
  /** The addresses that the import adds to it. */
  readonly missing: readonly ImportedRange[];
}

/**
 * Compares imported pools with each other and with the declared ones. A pool declared with the same
 * addresses is `present` and stays unchanged. So is one that contains a zone's addresses in use, or
 * gets those that no declared pool has. Problems: POOL_DUPLICATE for two pools with one name, and
 * for a pool of another cluster that L2 announces, and POOL_OVERLAP, at the position in the source.
 */
export function placedPools(
  imported: readonly ImportedPool[],
  declared: Pools | undefined,
  cluster?: string,
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
    const place = declared ? placeIn(pool, declared, cluster) : { isAdded: true };
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
  return okUnless(problems, { added, present, notes });
}

/**
 * The declared pool of that name. If the import made up the name, a pool with the same addresses
 * comes first.
 */
function knownPool(pool: ImportedPool, { pools }: Pools): Pool | undefined {
  const text = rangesText(pool.ranges.map(({ range }) => range));
  const equal = pool.isNamedHere
    ? pools.find(({ ranges }) => rangesText(ranges) === text)
    : undefined;
  return equal ?? pools.find(({ name }) => name === pool.name);
}

/** The addresses in use that no declared pool has, with notes. */
function useOf(
  pool: ImportedPool,
  known: Pool | undefined,
  { pools }: Pools,
): { readonly missing: readonly ImportedRange[]; readonly notes: readonly ImportNote[] } {
  const sets = pools.map((one) => ({ one, set: rangeSetOf(one.ranges) }));
  const homes = pool.ranges.map(({ range }) => sets.find(({ set }) => setHas(set, range.from)));
  const missing = pool.ranges.filter((_, index) => homes[index] === undefined);
  const names = new Set(homes.flatMap((home) => (home && home.one !== known ? home.one.name : [])));
  const note = (effect: ImportNote['effect'], message: string): ImportNote => {
    return { effect, subject: `pool ${pool.name}`, message, at: pool.at };
  };
  const notes: ImportNote[] = [];
  if (names.size > 0) {
    const others = [...names].join(' and ');
    const message = `it has addresses that lie in the pool ${others} here, and pools must not overlap: undo this import, name that pool ${pool.name} in leases/pools.yaml and import again. A live pool that is deleted takes the addresses of its Services`;
    notes.push(note('left', message));
  }
  if (known && missing.length > 0) {
    const texts = missing.map(({ range }) => formatShortRange(range));
    notes.push(note('changed', `${texts.join(', ')} of it is added: it is in use there`));
  }
  return { missing, notes };
}

function twice({ at }: ImportedPool, other: Position, message: string): Problem {
  return { code: 'POOL_DUPLICATE', message, at, also: [other] };
}

/** The result for one pool. All fields are missing if other declared pools have its addresses. */
interface Place {
  readonly isAdded?: boolean;
  readonly present?: PresentPool;
  readonly problem?: Problem;
  readonly notes?: readonly ImportNote[];
}

function placeIn(
  pool: ImportedPool,
  declared: Pools,
  cluster: string = declared.defaultCluster,
): Place {
  const known = knownPool(pool, declared);
  const { missing, notes } = pool.isInUse ? useOf(pool, known, declared) : unused;
  if (!known) return { isAdded: !pool.isInUse || missing.length > 0, notes };
  if (pool.isInUse || hasSame(known, pool)) {
    const joined = joins(pool, known, cluster);
    if (joined.problem) return joined;
    const present = { pool, declared: known, missing };
    return { present, notes: [...notes, ...(joined.notes ?? []), ...differences(pool, known)] };
  }
  const message = `the pool '${pool.name}' is declared with other addresses`;
  const hint =
    'if they are pools of two clusters, keep each cluster in a repository of its own: a pool file has each name once';
  const isOther = declared.clusters.length > 1;
  return { problem: { ...twice(pool, known.at, message), ...(isOther && { hint }) } };
}

const unused = { missing: [], notes: [] };

/**
 * What it means that a declared pool of other clusters is in the cluster of the import too. An
 * address is in one network, so only BGP can announce it from several clusters.
 */
function joins(pool: ImportedPool, known: Pool, cluster: string): Place {
  if (isOpenIn(known, cluster)) return {};
  const others = (known.clusters ?? []).join(' and ');
  if (known.advertise.every(({ kind }) => kind === 'bgp')) {
    const message = `cluster ${cluster} announces it too, beside ${others}`;
    return { notes: [{ effect: 'changed', subject: `pool ${known.name}`, message, at: pool.at }] };
  }
  const message = `the pool '${known.name}' is declared for ${others}, and announced by L2: two clusters cannot have the same addresses`;
  const hint = `if ${cluster} is another name of that cluster, import with --cluster ${known.clusters?.[0]}; if the two networks use the same addresses, keep each in a repository of its own`;
  return { problem: { ...twice(pool, known.at, message), hint } };
}

function hasSame({ ranges }: Pool, pool: ImportedPool): boolean {
  return rangesText(ranges) === rangesText(pool.ranges.map(({ range }) => range));
}

/** Canonical text: equal for ranges with the same addresses. */
function rangesText(ranges: Pool['ranges']): string {
  return rangeSetOf(ranges).ranges.map(formatRange).join(',');
}

/** Notes the fields in which a declared pool differs from the source. The pool stays unchanged. */
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

/** Equal for the same advertisements in any order, also under other names. */
function advertiseText(advertise: readonly PoolAdvertisement[]): string {
  const texts = advertise.map(({ name: _, ...settings }) =>
    JSON.stringify(sortedEntries(Object.entries(settings))),
  );
  return texts.sort(compareText).join();
}
