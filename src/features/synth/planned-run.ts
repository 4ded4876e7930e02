import { allocateMoving, type RunInput } from '../../allocate/allocate.ts';
import { placementsOf } from '../../allocate/placements.ts';
import { isManifestPath, isOwnManifest } from '../../manifests/paths.ts';
import { renderDist } from '../../manifests/render.ts';
import { nameProblems } from '../../manifests/rules/name-problems.ts';
import { nodePortProblems } from '../../manifests/rules/node-port-problems.ts';
import { serviceProblems } from '../../manifests/rules/service-problems.ts';
import { sharingProblems } from '../../manifests/rules/sharing-problems.ts';
import { type AllocationTable, isHeld } from '../../model/allocation.ts';
import type { Allocated, Change } from '../../model/change.ts';
import type { Day } from '../../model/day.ts';
import { allocationsFolder, distFolder } from '../../model/folders.ts';
import { compareProblems, type Outcome, type Problem, startOf } from '../../model/problem.ts';
import type { History } from '../../ports/history.ts';
import type { SourceTree, TreeChanges, TreeEntry } from '../../ports/tree.ts';
import { allocationPath, printAllocation } from '../../records/allocation-file.ts';
import { allocateOnBase } from '../../transitions/allocate-on-base.ts';
import { policyRefusals } from '../../workspace/policy-refusals.ts';
import { readWorkspace, type Workspace } from '../../workspace/workspace.ts';
import { hiddenManifests } from './hidden-manifests.ts';
import { type LiveRecords, liveChanges } from './live-changes.ts';
import type { RunBase } from './run-base.ts';

/** What a run would do: to addresses, and to files. */
export interface PlannedRun {
  readonly workspace: Workspace;
  /** The table after the run. */
  readonly table: AllocationTable;
  readonly changes: readonly Change[];
  /** Only files whose bytes differ. */
  readonly files: TreeChanges;
  /** The merge base, when the run gave other records because of it; else undefined. */
  readonly rebasedOn: RunBase | undefined;
}

/** What a run is told beside the day. */
export interface RunOptions {
  readonly moves?: RunInput['moves'];
  /** What the branch starts from; without one, every record counts. */
  readonly base?: RunBase | undefined;
}

/** Reads, allocates and renders; writes nothing. A frozen run has no `today`, and no options. */
export async function planRun(
  tree: SourceTree,
  history: History,
  today: Day | undefined,
  { moves = [], base }: RunOptions = {},
): Promise<Outcome<PlannedRun>> {
  const entries = tree.list(distFolder);
  const foreign = foreignPaths(entries);
  const workspace = await readWorkspace(tree, history);
  if (!workspace.ok) return failed([...foreign, ...workspace.problems]);
  const { pools, policy, holders, services, table } = workspace.value;
  const refused = [
    ...foreign,
    ...nameProblems(pools, holders, services),
    ...serviceProblems(pools, holders),
    ...sharingProblems(holders),
    ...nodePortProblems(services),
    ...(policy ? policyRefusals(policy, workspace.value) : []),
  ];
  const allocated: Outcome<Allocated & { readonly isRebased?: boolean }> =
    base && today !== undefined
      ? allocateOnBase(pools, holders, table, { today, moves, base })
      : allocateMoving(pools, holders, table, { today, moves });
  if (!allocated.ok) return failed([...refused, ...allocated.problems]);
  if (refused.length > 0) return failed(refused);
  const placements = placementsOf(pools, holders, allocated.value.table);
  const rendered = renderDist(pools, placements, services);
  const dist = differences(tree, entries, rendered);
  const records = { before: table, after: allocated.value.table, clusters: pools.clusters };
  const stopped = liveChanges(tree, entries, dist, records);
  // What only the branch has was never live.
  const live = base && stopped.length > 0 ? await liveOn(base, rendered, records) : stopped;
  const hidden = hiddenManifests(tree, rendered.keys(), addedBy(dist, entries));
  const refusedFiles = [...foreignManifests(tree, dist.removes), ...hidden, ...live];
  if (refusedFiles.length > 0) return failed(refusedFiles);
  const recorded = differences(
    tree,
    tree.list(allocationsFolder),
    recordTexts(allocated.value.table),
  );
  const files = {
    writes: new Map([...recorded.writes, ...dist.writes]),
    removes: [...recorded.removes, ...dist.removes],
  };
  const { changes, isRebased } = allocated.value;
  const rebasedOn = isRebased ? base : undefined;
  const after = allocated.value.table;
  return {
    ok: true,
    value: { workspace: workspace.value, table: after, changes, files, rebasedOn },
  };
}

/** What the new manifests would do to a cluster that has those of the base. */
async function liveOn(
  base: RunBase,
  rendered: ReadonlyMap<string, string>,
  records: LiveRecords,
): Promise<readonly Problem[]> {
  const tree = await base.tree();
  const entries = tree.list(distFolder).filter(({ kind }) => kind === 'file');
  const changes = differences(tree, entries, rendered);
  return liveChanges(tree, entries, changes, { ...records, before: base.table });
}

function failed(problems: readonly Problem[]): Outcome<never> {
  return { ok: false, problems: [...problems].sort(compareProblems) };
}

/** How many addresses of a table are held. */
export function heldCount(table: AllocationTable): number {
  let count = 0;
  for (const record of table.values()) if (isHeld(record)) count += 1;
  return count;
}

/** The allocation files of a table: path to text. */
function recordTexts(table: AllocationTable): Map<string, string> {
  return new Map(
    [...table.values()].map((record) => [allocationPath(record.address), printAllocation(record)]),
  );
}

/** What to write and remove so that just these files stand where `entries` do. */
function differences(
  tree: SourceTree,
  entries: readonly TreeEntry[],
  wanted: ReadonlyMap<string, string>,
): TreeChanges {
  const present = new Map(entries.map((entry) => [entry.path, entry]));
  const writes = new Map<string, string>();
  for (const [path, text] of wanted) {
    const isSame =
      present.get(path)?.size === Buffer.byteLength(text, 'utf8') &&
      Buffer.from(text, 'utf8').equals(tree.read(path));
    if (isSame) continue;
    writes.set(path, text);
  }
  return { writes, removes: [...present.keys()].filter((path) => !wanted.has(path)).sort() };
}

/** The paths of the files that a run writes and that were not there. */
function addedBy({ writes }: TreeChanges, entries: readonly TreeEntry[]): string[] {
  const present = new Set(entries.map(({ path }) => path));
  return [...writes.keys()].filter((path) => !present.has(path));
}

/** FILE_NOT_REGULAR and FILE_UNEXPECTED for every entry of `dist/` that leasehold cannot have written there. */
export function foreignPaths(entries: readonly TreeEntry[]): Problem[] {
  return entries.flatMap(({ path, kind }): Problem[] => {
    if (kind !== 'file') {
      return [{ code: 'FILE_NOT_REGULAR', message: 'not a regular file', at: startOf(path) }];
    }
    return isManifestPath(path) ? [] : [unexpected(path)];
  });
}

/** FILE_UNEXPECTED for each of some files of `dist/` that leasehold did not write: nobody may remove them. */
export function foreignManifests(tree: SourceTree, paths: readonly string[]): Problem[] {
  return paths
    .filter((path) => !isOwnManifest(path, Buffer.from(tree.read(path)).toString('utf8')))
    .map(unexpected);
}

function unexpected(path: string): Problem {
  return {
    code: 'FILE_UNEXPECTED',
    message: 'dist/ holds only what leasehold wrote',
    at: startOf(path),
    hint: 'move it elsewhere',
  };
}
