import { allocate, placementsOf, type RunInput } from '../../allocate/allocate.ts';
import { allocateHostnames, type HostnameResult } from '../../allocate/hostnames.ts';
import type { Progress } from '../../interfaces/progress.ts';
import type { SourceTree, TreeChanges, TreeEntry } from '../../interfaces/tree.ts';
import type { History } from '../../interfaces/work-tree.ts';
import { holderPath } from '../../manifests/paths.ts';
import { planeOf } from '../../manifests/planes/planes.ts';
import { type RenderObjects, renderDist, type WriteFile } from '../../manifests/render.ts';
import {
  type AllocationResult,
  type AllocationTable,
  type Change,
  isHeld,
} from '../../model/allocation.ts';
import type { Day } from '../../model/day.ts';
import type { Hostname } from '../../model/hostname.ts';
import type { Cluster } from '../../model/pools.ts';
import { failSorted, type Outcome, ok, type Problem, type Standing } from '../../model/problem.ts';
import { distFolder, isRecordPath } from '../../model/repository-paths.ts';
import { type HostnameBase, hostnamesOnBase } from '../../transitions/hostnames.ts';
import { allocateOnBase } from '../../transitions/rebase.ts';
import { changedTree } from '../../tree/changed-tree.ts';
import { readDeclared } from '../../tree/declared.ts';
import { changesOf, manifestFileChanges } from '../../tree/file-changes.ts';
import { readWorkspace, type Workspace } from '../../tree/workspace.ts';
import {
  addedPaths,
  hiddenManifests,
  recordChanges,
  TreeComparison,
  unexpectedFiles,
  unexpectedManifests,
} from './generated-files.ts';
import { keptDnsNames } from './kept-dns-names.ts';
import { runWithLandings } from './late-landings.ts';
import { type LiveRecords, liveChanges, lostHostnames } from './live-changes.ts';
import {
  type JudgedReleases,
  judgedReleases,
  type Records,
  type ReleaseTerms,
  withMarksOf,
} from './mass-releases.ts';
import { takenPromiseFiles } from './promise-rules.ts';
import { refusedDeclarations } from './refused-declarations.ts';
import { type RunBase, withRenamesOn } from './run-base.ts';
import { isClash, placed, standingIn } from './standing.ts';

/** The address changes and file changes of a run that is not written yet. */
export interface PlannedRun {
  readonly workspace: Workspace;
  /** The table after the run. */
  readonly table: AllocationTable;
  readonly changes: readonly Change[];
  /** The records of hostnames after the run, and their changes. */
  readonly hostnames: HostnameResult;
  /** Only the files whose bytes differ. */
  readonly files: TreeChanges;
  /** The files of `files.removes` that are promises: a lease has their addresses. */
  readonly takenPromises: readonly string[];
  /** The merge base, if the run recorded something else because of it. */
  readonly rebasedOn: RunBase | undefined;
}

export interface RunOptions {
  readonly moves?: RunInput['moves'];
  readonly withheld?: RunInput['withheld'];
  /** What the branch starts from. Without it, every committed record counts. */
  readonly base?: RunBase | undefined;
  /** What the branch starts from for hostnames; that of the base when left out. */
  readonly hostnameBase?: HostnameBase | undefined;
  /** Decides which of two declarations is right in a clash; the base when left out. */
  readonly before?: SourceTree | undefined;
  /** What the branch starts from, for a clash only; the newest commit when left out. */
  readonly start?: (() => Promise<SourceTree | undefined>) | undefined;
  /** Judges the releases of the run. Without it, a run may release any number. */
  readonly releases?: ReleaseTerms | undefined;
  readonly progress?: Progress | undefined;
  /** See {@link renderDist}. */
  readonly renderObjects?: RenderObjects | undefined;
}

/**
 * Reads, allocates and renders without writing. A frozen run has no `today`, and of the options only
 * `before` or `start`. A run on a red base is made on its lawful records: where the base makes a difference,
 * and where a holder gets an address that has a manifest in the base.
 */
export async function planRun(
  tree: SourceTree,
  history: History,
  today: Day | undefined,
  options: RunOptions = {},
): Promise<Outcome<PlannedRun>> {
  const source = { tree, history, today };
  const run = await planRanked(source, options);
  const isPlain = run.ok && !run.value.rebasedOn && !(await givesToLive(run.value, options.base));
  const base = isPlain ? undefined : await options.base?.lawful?.();
  return base ? planRanked(source, { ...options, base }) : run;
}

/** True if a holder with a manifest in the base gets an address that it does not hold there. */
async function givesToLive(
  { workspace, table }: PlannedRun,
  base: RunBase | undefined,
): Promise<boolean> {
  if (!base) return false;
  const given = [...table].flatMap(([text, record]) => {
    const before = base.table.get(text);
    const isOwn = before !== undefined && isHeld(before) && before.holder === record.holder;
    return isHeld(record) && !isOwn ? [record.holder] : [];
  });
  if (given.length === 0) return false;
  const ids = new Set(given);
  const paths = new Set((await base.tree()).list(distFolder).map(({ path }) => path));
  return workspace.holders.some(
    (holder) =>
      ids.has(holder.id) &&
      workspace.pools.clusters.some(
        (cluster) =>
          holder.clusters.includes(cluster.name) && paths.has(holderPath(cluster, holder)),
      ),
  );
}

/** A run with clashes is made again with the standing of the declarations. */
async function planRanked(source: RunSource, options: RunOptions): Promise<Outcome<PlannedRun>> {
  const run = await planRunBy(undefined, source, options);
  if (run.ok || !run.problems.some(isClash)) return run;
  const base = options.before ?? (await options.base?.tree()) ?? (await options.start?.());
  const standing = standingIn(source.tree, base ?? (await source.history.committed?.()));
  const again = await planRunBy(standing, source, options);
  return again.ok ? again : failSorted(again.problems.map((one) => placed(one, standing)));
}

interface RunSource {
  readonly tree: SourceTree;
  readonly history: History;
  readonly today: Day | undefined;
}

async function planRunBy(
  standing: Standing | undefined,
  { tree, history, today }: RunSource,
  options: RunOptions,
): Promise<Outcome<PlannedRun>> {
  const { moves = [], withheld = [], base, hostnameBase = base?.hostnames, progress } = options;
  const entries = tree.list(distFolder);
  const unexpected = unexpectedFiles(entries);
  const read = await readWorkspace(tree, history, standing);
  if (!read.ok) return failSorted([...unexpected, ...read.problems]);
  const workspace = await withRenamesOn(base, read.value, tree);
  const { pools, holders, services, table, hostnames, others } = workspace;
  const refused = [...unexpected, ...refusedDeclarations(workspace, today, standing)];
  progress?.begin('allocate');
  const landings = base?.landings ?? history.landings;
  const allocated = await runWithLandings(
    { table, base, today, landings },
    (table, base, late): Outcome<AllocationResult & { readonly isRebased?: boolean }> =>
      base && today !== undefined
        ? allocateOnBase(pools, holders, table, { today, moves, base, withheld: late })
        : allocate(pools, holders, table, { today, moves, withheld: [...withheld, ...late] }),
  );
  const named = await runWithLandings(
    { table: workspace.hostnameTable, base: hostnameBase, today, landings },
    (hostnameTable, base) => hostnamesOf({ ...workspace, hostnameTable }, today, base),
  );
  if (!named.ok) refused.push(...named.problems);
  else if (today !== undefined) {
    const after = named.value.table;
    refused.push(...(await keptDnsNames(workspace, after, { today, base, history })));
  }
  if (!allocated.ok) refused.push(...allocated.problems);
  if (!allocated.ok || !named.ok || refused.length > 0) return failSorted(refused);
  const placements = placementsOf(pools, holders, allocated.value.table);
  const unplaced = pools.clusters.flatMap((cluster) =>
    planeOf(cluster).placementProblems(cluster, placements),
  );
  const added = (cluster: Cluster) =>
    others.flatMap(({ kind, value }) => kind.files(value, cluster));
  const render = (write: WriteFile): void =>
    renderDist(pools, { placements, services, hostnames, added }, write, options.renderObjects);
  progress?.begin('render', Math.max(entries.length, placements.length));
  const comparison = compared(render, tree, entries, progress);
  const dist = comparison.changes();
  const records = { before: table, after: allocated.value.table, clusters: pools.clusters };
  // Manifests that only the branch has were never live.
  const live = base
    ? await liveOn(base, { tree, dist }, records)
    : liveChanges(tree, entries, dist, records);
  // With a base, the run records what the base has.
  const lost = hostnameBase ? [] : lostHostnames(entries, workspace.hostnameTable);
  const hidden = hiddenManifests(
    tree,
    () => comparison.paths(),
    () => addedPaths(dist, entries),
  );
  const foreign = unexpectedManifests(tree, dist.removes);
  const problems = [...unplaced, ...foreign, ...hidden, ...live, ...lost];
  if (problems.length > 0) return failSorted(problems);
  const judged = await withJudgedReleases(
    workspace,
    { table: allocated.value.table, hostnameTable: named.value.table },
    { today, base, releases: options.releases },
  );
  if (judged.mass) return failSorted([judged.mass]);
  const recorded = recordChanges(
    tree,
    workspace.entries.filter(({ path }) => isRecordPath(path)),
    { before: table, after: judged.table },
    judged.hostnameTable,
  );
  const takenPromises = takenPromiseFiles(holders);
  const files = {
    writes: new Map([...recorded.writes, ...dist.writes]),
    removes: [...recorded.removes, ...dist.removes, ...takenPromises],
  };
  const { changes, isRebased } = allocated.value;
  const rebasedOn = isRebased || named.value.isRebased ? base : undefined;
  progress?.end();
  const hostnameRun = { ...named.value, table: judged.hostnameTable };
  const run = { changes, hostnames: hostnameRun, files, takenPromises, rebasedOn };
  return ok({ workspace, table: judged.table, ...run });
}

/** The records of a run with the marks of confirmed releases, judged if the run asks for it. */
async function withJudgedReleases(
  workspace: Workspace,
  made: Records,
  {
    today,
    base,
    releases,
  }: Pick<RunOptions, 'base' | 'releases'> & { readonly today: Day | undefined },
): Promise<JudgedReleases> {
  if (today === undefined) return { ...made, mass: undefined };
  const after = {
    table: withMarksOf(made.table, workspace.table),
    hostnameTable: withMarksOf(made.hostnameTable, workspace.hostnameTable),
  };
  if (!releases) return { ...after, mass: undefined };
  const before = base && {
    table: base.table,
    hostnameTable: base.hostnames.table,
    readHolders: async () => readDeclared(await base.tree()).holders,
  };
  return judgedReleases(workspace, after, releases, { today, base: before });
}

/** The records of hostnames after a run. */
function hostnamesOf(
  { pools, hostnames, hostnameTable }: Workspace,
  today: Day | undefined,
  base: HostnameBase | undefined,
): Outcome<HostnameResult & { readonly isRebased?: boolean }> {
  const { retentionDays } = pools.hostnames;
  return base && today !== undefined
    ? hostnamesOnBase(hostnames, hostnameTable, { today, retentionDays }, base)
    : allocateHostnames(hostnames, hostnameTable, { today, retentionDays });
}

/** Renders the manifests and compares each with the tree at once, to keep few in memory. */
function compared(
  render: (write: WriteFile) => void,
  tree: SourceTree,
  entries: readonly TreeEntry[],
  progress?: Progress,
): TreeComparison {
  const comparison = new TreeComparison(tree, entries);
  render((path, text) => {
    comparison.add(path, text);
    progress?.step('render');
  });
  return comparison;
}

/** {@link liveChanges} from the manifests of the base to those after the run. */
async function liveOn(
  base: RunBase,
  { tree, dist }: { readonly tree: SourceTree; readonly dist: TreeChanges },
  records: LiveRecords,
): Promise<readonly Problem[]> {
  const after = changedTree(tree);
  await after.commit(dist);
  const before = await base.manifests();
  const entries = before.list(distFolder).filter(({ kind }) => kind === 'file');
  const changes = changesOf(manifestFileChanges(before, after));
  const { table, restored } = base;
  return liveChanges(before, entries, changes, { ...records, before: table, restored });
}

/** The released ones of ended hostnames. One that the target branch never had is free at once. */
export function releasedHostnames(
  { hostnames: { changes, table } }: PlannedRun,
  ended: readonly Hostname[],
  today: Day,
): readonly { hostname: string; holder: string; freeFrom: string }[] {
  const names = new Set(ended.map(({ hostname }) => hostname));
  return changes
    .filter(({ hostname }) => names.has(hostname))
    .map(({ hostname, holder }) => {
      return { hostname, holder, freeFrom: table.get(hostname)?.released?.freeFrom ?? today };
    });
}
