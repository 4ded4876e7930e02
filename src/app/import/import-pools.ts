import {
  newPoolFile,
  type WrittenPool,
  withDefaultZone,
  withPools,
  withReserved,
  writtenReserve,
} from '../../codec/pools-edit.ts';
import { readPools } from '../../codec/pools-file.ts';
import type { Day } from '../../model/day.ts';
import { leasesFolder, poolsPath } from '../../model/folders.ts';
import type {
  ImportAnswer,
  ImportAnswerPool,
  Imported,
  ImportedPool,
  ImportSource,
} from '../../model/import.ts';
import { sortedKeys } from '../../model/order.ts';
import type { Fence, Layout, Pool, Pools } from '../../model/pools.ts';
import type { Outcome, Problem } from '../../model/problem.ts';
import { formatRange } from '../../net/range.ts';
import { type RangeSet, rangeSetOf } from '../../net/range-set.ts';
import { type EditedRun, runEdited } from '../operate/edited-run.ts';
import type { History } from '../ports/history.ts';
import type { SourceTree, TargetTree } from '../ports/tree.ts';
import type { SynthOptions } from '../synth/synth.ts';
import { readDeclared, readPoolFile } from '../workspace/declared.ts';
import { lostFiles } from '../workspace/workspace.ts';
import { newFileNotes, poolFileNotes, toldNotes, usual } from './import-notes.ts';
import {
  type LiveDeclarations,
  liveDeclarations,
  noLiveDeclarations,
} from './live-declarations.ts';
import { type PlacedPools, type PresentPool, placedPools } from './placed-pools.ts';
import { hadAddresses, newReserves, type Reserves } from './reserves.ts';

/** What a person says of an import. */
export interface ImportOptions extends SynthOptions {
  readonly source: ImportSource;
  /** The zone of the pools; undefined for the default one of the pool file. */
  readonly zone: string | undefined;
  /** The cluster of the pools; undefined for the default one. */
  readonly cluster: string | undefined;
  /** Of a new pool file. */
  readonly layout: Layout | undefined;
  /** MetalLB's version for a new pool file. */
  readonly metallb: string | undefined;
}

/** Of which sources the pools serve Services already, declared or not. */
const areLive: Readonly<Record<ImportSource, boolean>> = {
  cluster: true,
  metallb: true,
  kubespray: true,
  netbox: false,
};

/** Of a new pool file, where nobody says another: pools that live already are updated in place. */
const newLayout: Layout = 'pool';

/** What an import did, and what to answer. */
export interface ImportedRun extends EditedRun {
  readonly answer: ImportAnswer;
}

/**
 * Adds imported pools to the pool file, or makes one, and synthesizes: all of it, or nothing. Of pools that are declared
 * already more addresses may become reserved; everything else stays as it is. Problems: FILE_LOST, those of
 * {@link placedPools}, of the pool file as it is and as it would be, and of a synth.
 */
export async function importPools(
  tree: SourceTree & TargetTree,
  history: History,
  imported: Imported,
  options: ImportOptions,
): Promise<Outcome<ImportedRun>> {
  // A pool file that only the disk lacks is no reason for a new one.
  const lost = await lostFiles(tree, history);
  if (lost.length > 0) return { ok: false, problems: lost };
  const isThere = tree.list(leasesFolder).some(({ path }) => path === poolsPath);
  const declared = isThere ? readPoolFile(tree) : undefined;
  if (declared && !declared.ok) return declared;
  const placed = placedPools(imported.pools, declared?.value);
  if (!placed.ok) return placed;
  const reserves = reservesOf(tree, placed.value, options.today);
  const added = placed.value.added.map((pool) => writtenPool(pool, reserves));
  const fence = fenceOf(options, declared?.value);
  const text = declared
    ? extended(tree, { ...placed.value, added, reserves }, declared.value, { ...options, fence })
    : newFile(added, imported, { ...options, fence });
  const problems = text === undefined ? [] : problemsOf(text);
  if (problems.length > 0) return { ok: false, problems };
  const live = liveOf(tree, text, imported, options);
  if (!live.ok) return live;
  const { poolsText, writes: declarations } = live.value;
  const writes = new Map([
    ...declarations,
    ...(poolsText === undefined ? [] : [[poolsPath, poolsText] as const]),
  ]);
  const outcome = await runEdited(
    tree,
    history,
    { writes, removes: [] },
    { ...options, allowingCommand: (count) => `leasehold synth --allow-release ${count}` },
  );
  if (!outcome.ok) return { ok: false, problems: outcome.problems.map(unwritten(writes)) };
  const notes = [
    ...imported.notes,
    ...placed.value.notes,
    ...[...reserves.values()].flatMap((one) => one.notes),
    ...(declared
      ? poolFileNotes(placed.value.added, imported, declared.value, fence)
      : newFileNotes(imported, options.metallb, fence)),
    ...live.value.notes,
  ];
  const answer: ImportAnswer = {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Import',
    source: options.source,
    pools: imported.pools.map((pool) =>
      answerPool(pool, placed.value, reservedOf(pool, placed.value, reserves, live.value)),
    ),
    declarations: live.value.answer,
    notes: toldNotes(notes),
    edited: sortedKeys(writes),
  };
  return { ok: true, value: { ...outcome.value, answer } };
}

/** What is declared of what lives on the pools, where the source knows it. */
function liveOf(
  tree: SourceTree,
  text: string | undefined,
  { live }: Imported,
  options: ImportOptions,
): Outcome<LiveDeclarations> {
  return live === undefined
    ? { ok: true, value: { ...noLiveDeclarations, poolsText: text } }
    : liveDeclarations(tree, text, live, options);
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

/** A problem of a file that is not written, said as such. */
function unwritten(writes: ReadonlyMap<string, string>): (problem: Problem) => Problem {
  return (problem) =>
    writes.has(problem.at.file) ? { ...problem, hint: hintOf(problem) } : problem;
}

function hintOf({ code, hint }: Problem): string {
  const more = code === 'ZONE_MISSING' ? 'say with --zone which zone is the default one' : hint;
  return `${more ? `${more}; ` : ''}the line is of the file as the import would have written it`;
}

/** By imported pool. */
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
  const had = isAny ? hadAddresses({ ...readDeclared(tree), today }) : [];
  return new Map(all.map(([pool, declared]) => [pool, newReserves(pool, declared, had)]));
}

function writtenPool(pool: ImportedPool, reserves: ReadonlyMap<ImportedPool, Reserves>) {
  return { pool, reserved: reserves.get(pool)?.added ?? rangeSetOf([]) };
}

/**
 * Pools that serve are open until all that has their addresses is declared; a cluster with a pool for each address knows
 * no such time.
 */
function fenceOf({ source, cluster, layout }: ImportOptions, declared: Pools | undefined): Fence {
  const own = declared
    ? declared.clusters.find(({ name }) => name === (cluster ?? declared.defaultCluster))?.metallb
    : { layout: layout ?? newLayout };
  return areLive[source] && own?.layout === 'pool' ? 'open' : 'closed';
}

interface PlacedOptions extends ImportOptions {
  readonly fence: Fence;
}

function newFile(
  pools: readonly WrittenPool[],
  { namespace, version, live }: Imported,
  { zone, fence, metallb, layout }: PlacedOptions,
): string {
  // Of two providers each lease says its own.
  const [provider, second] = new Set(live?.leasedIPs.map((leased) => leased.provider));
  return newPoolFile(
    pools,
    { zone: zone ?? usual.zone, fence },
    {
      provider: second === undefined ? provider : undefined,
      version: metallb ?? version ?? usual.version,
      namespace: namespace ?? usual.namespace,
      layout: layout ?? newLayout,
    },
  );
}

/** The pool file with what it lacks; undefined when it lacks nothing. */
function extended(
  tree: SourceTree,
  {
    added,
    present,
    reserves,
  }: {
    readonly added: readonly WrittenPool[];
    readonly present: readonly PresentPool[];
    readonly reserves: ReadonlyMap<ImportedPool, Reserves>;
  },
  declared: Pools,
  { zone, cluster, fence }: PlacedOptions,
): string | undefined {
  const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(tree.read(poolsPath));
  const text = present.reduce((edited, { pool, declared: known }) => {
    const { reserved } = writtenPool(pool, reserves);
    return reserved.ranges.length === 0
      ? edited
      : withReserved(edited, declared.pools.indexOf(known), reserved);
  }, before);
  if (added.length === 0) return text === before ? undefined : text;
  const isOne = declared.clusters.length === 1;
  const place = {
    zone: zone ?? declared.defaultZone,
    clusters: isOne ? undefined : [cluster ?? declared.defaultCluster],
    fence,
  };
  return withOwnZone(withPools(text, added, place), declared);
}

/** With the default zone that there has been, where a second zone would leave declarations that name none without one. */
function withOwnZone(text: string, { defaultZone }: Pools): string {
  const isMissing = problemsOf(text).some(({ code }) => code === 'ZONE_MISSING');
  return isMissing ? withDefaultZone(text, defaultZone) : text;
}

/** What the pool file would have wrong, said as such: it is not written. */
function problemsOf(text: string): readonly Problem[] {
  const read = readPools(poolsPath, new TextEncoder().encode(text));
  if (read.ok) return [];
  return read.problems.map((problem) => ({ ...problem, hint: hintOf(problem) }));
}

function answerPool(
  pool: ImportedPool,
  { added, present }: PlacedPools,
  reserved: RangeSet,
): ImportAnswerPool {
  const known = present.find((one) => one.pool === pool)?.declared;
  const inFile = reserved.ranges.length > 0 ? 'extended' : 'present';
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
