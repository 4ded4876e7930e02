import { readPools } from '../../core/declarations/pools/pools-file.ts';
import type { SourceTree, TargetTree } from '../../core/interfaces/tree.ts';
import type { History } from '../../core/interfaces/work-tree.ts';
import type { Day } from '../../core/model/day.ts';
import { sortedKeys } from '../../core/model/order.ts';
import type { Cluster, Pool, Pools } from '../../core/model/pools.ts';
import { fail, type Outcome, ok, type Problem } from '../../core/model/problem.ts';
import { leasesFolder, poolsPath } from '../../core/model/repository-paths.ts';
import type { Address } from '../../core/net/address.ts';
import { formatRange, formatShortRange } from '../../core/net/range.ts';
import { type RangeSet, rangeSetOf, subtract } from '../../core/net/range-set.ts';
import { type EditedRun, runEdited } from '../../core/run/synth/edited-run.ts';
import type { SynthOptions } from '../../core/run/synth/synth.ts';
import { readDeclared, readPoolFile } from '../../core/tree/declared.ts';
import { textIn } from '../../core/tree/tree-reader.ts';
import { lostFiles } from '../../core/tree/workspace.ts';
import type { ImportNote } from '../../lib/foreign/source-reader.ts';
import {
  type LiveDeclarations,
  liveDeclarations,
  noLiveDeclarations,
} from './adopt/live-declarations.ts';
import { lossProblems, replacedNotes } from './cilium/cilium-losses.ts';
import { type ImportAnswer, type ImportAnswerPool, sortedNotes } from './import-answer.ts';
import { newFileNotes, poolFileNotes, routesNotes, useNotes } from './import-notes.ts';
import type { Imported, ImportedPool } from './imported.ts';
import {
  type LivePoolOptions,
  type PlacedLivePools,
  placeLivePools,
  targetPlane,
} from './live-pools.ts';
import { type WithCluster, withCluster } from './new-cluster.ts';
import type { PlacedPools } from './placed-pools.ts';
import { extendedPoolFile, importedPoolFile, writtenPool } from './pool-file.ts';
import { newReserves, type Reserves, usedAddresses } from './reserves.ts';

/** The options of an import of pools. */
export interface ImportOptions extends SynthOptions, LivePoolOptions {
  /** The zone of the pools; undefined for the default zone of the pool file. */
  readonly zone: string | undefined;
  /** The version of the data plane for a new pool file or cluster. */
  readonly planeVersion: string | undefined;
  /** True to leave all hostnames. */
  readonly withoutHostnames?: boolean | undefined;
  /** The Akash provider for a new pool file; undefined for that of the live leases. */
  readonly provider?: string | undefined;
}

/** A finished import and its answer. */
export interface ImportedRun extends EditedRun {
  readonly answer: ImportAnswer;
}

/**
 * Adds imported pools to the pool file, or creates it, and runs a synth: all of it, or nothing. In
 * pools that are already declared more addresses may become reserved; everything else stays
 * unchanged. Problems: FILE_LOST, those of {@link placeLivePools}, of the pool file before and
 * after, and of a synth.
 */
export async function importPools(
  tree: SourceTree & TargetTree,
  history: History,
  source: Imported,
  options: ImportOptions,
): Promise<Outcome<ImportedRun>> {
  const imported = options.withoutHostnames ? withoutHostnames(source) : source;
  // Do not create a pool file if the tracked one is only missing on disk.
  const lost = await lostFiles(tree, history);
  if (lost.length > 0) return fail(lost);
  const planned = planImport(tree, imported, options);
  if (!planned.ok) return planned;
  const { poolsText, writes: declarations } = planned.value.live;
  const writes = new Map([
    ...declarations,
    ...(poolsText === undefined ? [] : [[poolsPath, poolsText] as const]),
  ]);
  const outcome = await runEdited(tree, history, { writes, removes: [] }, options);
  if (!outcome.ok) return fail(outcome.problems.map(unwritten(writes)));
  const answer: ImportAnswer = {
    ...importAnswer(planned.value, options),
    edited: sortedKeys(writes),
  };
  return ok({ ...outcome.value, answer });
}

function withoutHostnames(source: Imported): Imported {
  const { live } = source;
  return live ? { ...source, live: { ...live, providerHosts: [], routes: [] } } : source;
}

/** An import that is not written yet. */
interface PlannedImport {
  readonly kind: 'planned';
  readonly imported: Imported;
  /** The pool file before the import, if there is one. */
  readonly declared: Pools | undefined;
  readonly placed: PlacedLivePools;
  readonly reserves: ReadonlyMap<ImportedPool, Reserves>;
  readonly live: LiveDeclarations;
  /** About a cluster that the import adds. */
  readonly notes: readonly ImportNote[];
}

/** New pools that cannot be written: a pool file has no pool whose addresses are all reserved. */
interface FullPools {
  readonly kind: 'full';
  readonly pools: readonly [ImportedPool, ...ImportedPool[]];
  readonly why: string;
}

/** Plans an import without the pools that turn out to be full. */
function planImport(
  tree: SourceTree,
  source: Imported,
  options: ImportOptions,
): Outcome<PlannedImport> {
  for (let imported = source; ; ) {
    const tried = tryImport(tree, imported, options);
    if (!tried.ok) return tried;
    if (tried.value.kind === 'planned') return ok(tried.value);
    imported = withoutPools(imported, tried.value);
  }
}

/** Plans an import, or finds new pools that it has to leave. */
function tryImport(
  tree: SourceTree,
  imported: Imported,
  options: ImportOptions,
): Outcome<PlannedImport | FullPools> {
  const file = poolFileBefore(tree, imported, options);
  if (!file.ok) return file;
  const { committed, text: before, declared, notes = [] } = file.value;
  const found = placeLivePools(tree, imported, declared, options);
  if (!found.ok) return found;
  const placed = found.value;
  const reserves = reservesOf(tree, placed, options.today);
  const inUse = fullPools(placed, declared, (pool) => reserves.get(pool)?.added);
  if (inUse) {
    const why = 'it is not imported: every address of it is in use in the source';
    return ok({ kind: 'full', pools: inUse, why });
  }
  const added = placed.added.map((pool) => writtenPool(pool, reserves));
  const poolOptions = { ...options, fence: placed.fence };
  const edited = declared
    ? extendedPoolFile(before, { ...placed, added, reserves }, declared, poolOptions)
    : importedPoolFile(added, imported, poolOptions);
  const text = edited === committed ? undefined : edited;
  const problems = text === undefined ? [] : problemsOf(text);
  if (problems.length > 0) return fail(problems);
  const outcome = liveOf(tree, text, imported, options);
  if (!outcome.ok) return outcome;
  const live = outcome.value;
  const isChecked =
    !options.allowClosedFence && targetPlane(imported, declared, options) === 'cilium';
  const lost = isChecked ? lossProblems(live.undeclared, imported) : [];
  if (lost.length > 0) return fail(lost);
  const empty = fullPools(placed, declared, ({ name }) => setOf(live.reserved.get(name)));
  if (empty) {
    const why = 'nothing that has its addresses can be declared: it stays as it is';
    return ok({ kind: 'full', pools: empty, why });
  }
  return ok({ kind: 'planned', imported, declared, placed, reserves, live, notes });
}

/** The pool file before pools are added; without one, all but an empty `text` is undefined. */
interface PoolFileBefore extends Partial<WithCluster> {
  readonly committed: string | undefined;
  readonly text: string;
}

/** The pool file, with the cluster of the import. */
function poolFileBefore(
  tree: SourceTree,
  imported: Imported,
  options: ImportOptions,
): Outcome<PoolFileBefore> {
  const isThere = tree.list(leasesFolder).some(({ path }) => path === poolsPath);
  if (!isThere) return ok({ committed: undefined, text: '' });
  const file = readPoolFile(tree);
  if (!file.ok) return file;
  const committed = textIn(tree, poolsPath);
  const { cluster = file.value.defaultCluster } = options;
  const isKnown = file.value.clusters.some(({ name }) => name === cluster);
  return ok({
    committed,
    ...(isKnown
      ? { text: committed, declared: file.value }
      : withCluster(committed, file.value, imported, { ...options, name: cluster })),
  });
}

/** The answer, without the edited files. */
function importAnswer(plan: PlannedImport, options: ImportOptions): Omit<ImportAnswer, 'edited'> {
  const { imported, declared, placed, reserves, live, notes: ofCluster } = plan;
  const { isLive, fence, closed } = placed;
  const notes = [
    ...imported.notes,
    ...ofCluster,
    ...placed.notes,
    ...[...reserves.values()].flatMap((one) => one.notes),
    ...(declared
      ? poolFileNotes(placed, imported, declared, { fence, isLive })
      : newFileNotes(imported, options.planeVersion, fence)),
    ...useNotes(placed, closed),
    ...replacedNotes(imported, declared, options.cluster),
    ...routesNotes(imported, options.cluster, clusterOf(declared, options)),
    ...live.notes,
  ];
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Import',
    day: options.today,
    source: options.source,
    pools: answeredPools(plan),
    declarations: live.answer,
    notes: sortedNotes(notes),
  };
}

/** The cluster of the import; undefined for that of a new pool file. */
function clusterOf(
  declared: Pools | undefined,
  { cluster: name }: ImportOptions,
): Cluster | undefined {
  return declared?.clusters.find((one) => one.name === (name ?? declared.defaultCluster));
}

/**
 * The new pools that would have all their addresses reserved. Undefined when no pool is like that. Undefined too when a
 * new pool file would have only such pools.
 */
function fullPools(
  { added }: PlacedPools,
  declared: Pools | undefined,
  reservedIn: (pool: ImportedPool) => RangeSet | undefined,
): FullPools['pools'] | undefined {
  const [first, ...others] = added.filter((pool) => {
    const all = rangeSetOf(pool.ranges.map(({ range }) => range));
    return subtract(all, reservedIn(pool) ?? rangeSetOf([])).ranges.length === 0;
  });
  const isRest = declared !== undefined || others.length + 1 < added.length;
  return first && isRest ? [first, ...others] : undefined;
}

function setOf(addresses: readonly Address[] = []): RangeSet {
  return rangeSetOf(addresses.map((address) => ({ from: address, to: address })));
}

/** Drops some pools, with a note for each. */
function withoutPools(imported: Imported, { pools: dropped, why }: FullPools): Imported {
  const notes = dropped.map(({ name, at }): ImportNote => {
    return { effect: 'left', subject: `pool ${name}`, message: why, at };
  });
  const pools = imported.pools.filter((pool) => !dropped.includes(pool));
  return { ...imported, pools, notes: [...imported.notes, ...notes] };
}

/** The declarations of the live objects on the pools, if the source lists them. */
function liveOf(
  tree: SourceTree,
  text: string | undefined,
  { live }: Imported,
  options: ImportOptions,
): Outcome<LiveDeclarations> {
  return live === undefined
    ? ok({ ...noLiveDeclarations, poolsText: text })
    : liveDeclarations(tree, text, live, options);
}

/** The addresses to reserve, by imported pool. */
function reservesOf(
  tree: SourceTree,
  { added, present }: PlacedPools,
  today: Day | undefined,
): ReadonlyMap<ImportedPool, Reserves> {
  const all: readonly (readonly [ImportedPool, Pool?])[] = [
    ...added.map((pool) => [pool] as const),
    ...present.map(({ pool, declared }) => [pool, declared] as const),
  ];
  const isAny = all.some(([pool]) => (pool.reserved ?? []).length > 0);
  const had = isAny ? usedAddresses({ ...readDeclared(tree), today }) : [];
  return new Map(all.map(([pool, declared]) => [pool, newReserves(pool, declared, had)]));
}

/** The problems of a pool file that is not written yet, with hints that say so. */
function problemsOf(text: string): readonly Problem[] {
  const read = readPools(poolsPath, new TextEncoder().encode(text));
  if (read.ok) return [];
  return read.problems.map((problem) => ({ ...problem, hint: hintOf(problem) }));
}

/**
 * The imported pools in the order of the source, except those whose addresses are in other pools.
 */
function answeredPools({
  imported,
  placed: { added, present },
  reserves,
  live,
}: PlannedImport): readonly ImportAnswerPool[] {
  return imported.pools.flatMap((pool): ImportAnswerPool[] => {
    const isAdded = added.includes(pool);
    const own = present.find((one) => one.pool === pool);
    if (!isAdded && !own) return [];
    const name = own?.declared.name ?? pool.name;
    const { ranges: reserved } = rangeSetOf([
      ...writtenPool(pool, reserves).reserved.ranges,
      ...setOf(live.reserved.get(name)).ranges,
    ]);
    const inFile = reserved.length > 0 || own?.missing.length ? 'extended' : 'present';
    return [
      {
        name,
        state: isAdded ? 'added' : inFile,
        addresses: pool.ranges.map(({ range }) => formatRange(range)),
        reserved: reserved.map(formatShortRange),
        avoidBuggyIPs: pool.avoidBuggyIPs,
        advertise: waysOf(pool),
        file: pool.at.file,
        line: pool.at.line,
      },
    ];
  });
}

function waysOf({ advertise }: ImportedPool): ImportAnswerPool['advertise'] {
  const isBy = (kind: 'l2' | 'bgp') => advertise.some((one) => one.kind === kind);
  if (!isBy('bgp')) return 'l2';
  return isBy('l2') ? 'l2 and bgp' : 'bgp';
}

/** Adds a hint to problems in files that the import would have written. */
export function unwritten(writes: ReadonlyMap<string, string>): (problem: Problem) => Problem {
  return (problem) =>
    writes.has(problem.at.file) ? { ...problem, hint: hintOf(problem) } : problem;
}

/** The hint for a problem in a file that is not written. */
function hintOf({ code, hint }: Problem): string {
  const more = code === 'ZONE_MISSING' ? 'name the default zone with --zone' : hint;
  return `${more ? `${more}; ` : ''}the line is of the file as the import would have written it`;
}
