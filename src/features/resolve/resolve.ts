import { hostnameChanges } from '../../core/allocate/hostnames.ts';
import type { Move } from '../../core/allocate/move.ts';
import type { Commits } from '../../core/interfaces/commits.ts';
import type { SourceTree, TargetTree, TreeChanges } from '../../core/interfaces/tree.ts';
import type { History, MergeState, Merging } from '../../core/interfaces/work-tree.ts';
import { isManifestPath } from '../../core/manifests/paths.ts';
import { type AllocationTable, isHeld, isSameTable } from '../../core/model/allocation.ts';
import type { Day } from '../../core/model/day.ts';
import type { HostnameTable } from '../../core/model/hostname.ts';
import { groupBy } from '../../core/model/order.ts';
import {
  EnvironmentError,
  fail,
  failSorted,
  type Outcome,
  ok,
  type Problem,
  withMove,
} from '../../core/model/problem.ts';
import { distFolder, leasesFolder } from '../../core/model/repository-paths.ts';
import { formatAddress } from '../../core/net/address.ts';
import { type AddressRange, rangeHas } from '../../core/net/range.ts';
import type { DroppedEdit } from '../../core/run/review/dropped-edits.ts';
import { unexpectedFiles, unexpectedManifests } from '../../core/run/synth/generated-files.ts';
import type { ReleaseTerms } from '../../core/run/synth/mass-releases.ts';
import { type PlannedRun, planRun, type RunOptions } from '../../core/run/synth/planned-run.ts';
import { readRanked } from '../../core/run/synth/standing.ts';
import { embargo } from '../../core/transitions/merge-tables.ts';
import { changedTree } from '../../core/tree/changed-tree.ts';
import type { Workspace } from '../../core/tree/workspace.ts';
import { droppedInMerge, joinedFiles, mixupsOfMerge, withEdits } from './joined-edits.ts';
import { MergeTrees } from './merge-trees.ts';
import {
  type JoinedCommits,
  type MergeContext,
  type MergeSide,
  type MergeWay,
  mergeWays,
} from './merge-ways.ts';
import { type Reassignment, reassignmentsIn } from './reassigned.ts';
import { declarationHistory, diskChanges, resolvedTree, strayRecords } from './resolved-tree.ts';
import { mergedProofs, unmergedProblems, withEditHint } from './unmerged.ts';

/** The working tree and its git repository. */
export interface MergedCheckout {
  readonly tree: SourceTree & TargetTree;
  readonly history: History;
  readonly commits: Commits;
  readonly merging: Merging;
}

export interface ResolveOptions {
  readonly today: Day;
  /** The number that is confirmed is without those that the other side has committed. */
  readonly releases: ReleaseTerms;
  /** Returns the ref whose addresses stay. Called only when needed. */
  readonly upstream: () => Promise<string>;
  /** The side that keeps its addresses, if it was named. */
  readonly keep: MergeSide | undefined;
  /** Asks the user which side keeps its addresses. */
  readonly choose: () => Promise<MergeSide>;
  /** The addresses to move away from, such as those that no pool has any more. */
  readonly moving: readonly AddressRange[];
  readonly progress?: RunOptions['progress'];
}

/** The result of {@link resolveMerge}. */
export interface Resolved {
  readonly way: MergeWay;
  readonly run: PlannedRun;
  readonly reassigned: readonly Reassignment[];
  /** Holders of the kept side that could not keep their address, as beside a pin of the other. */
  readonly displaced: readonly Reassignment[];
  /** The declarations into which the edits of both sides were joined, in path order. */
  readonly joined: readonly string[];
  /** The edits of both sides that the declarations lack. */
  readonly dropped: readonly DroppedEdit[];
  /** The files written to the working tree. */
  readonly files: TreeChanges;
}

/**
 * Turns the working tree of a merge, finished or not, into one that `check` accepts: joins two
 * edits of one file where that is safe, merges the records, runs synth on the result, writes all
 * files that differ or none, and stages them.
 * Problems: FILE_UNMERGED and YAML_CONFLICT, alone; MERGE_BLENDED; MASS_RELEASE; those of synth,
 * such as HOSTNAME_TAKEN for a hostname that both sides gave: the kept side has it.
 */
export async function resolveMerge(
  checkout: MergedCheckout,
  context: MergeContext,
  options: ResolveOptions,
): Promise<Outcome<Resolved>> {
  const { commits, merging } = checkout;
  const trees = new MergeTrees(commits, checkout.tree);
  const joined = await joinedFiles(checkout.tree, { commits, trees }, context);
  const merged = new Map([...(await mergedProofs(commits, context)), ...joined]);
  const unmerged = unmergedProblems(checkout.tree, context.state).filter(
    ({ at }) => !merged.has(at.file),
  );
  if (unmerged.length > 0) return fail(await withEdits(unmerged, commits, context));
  const tree = await withFiles(checkout.tree, merged);
  const merge = { ...checkout, ...context, tree, trees };
  const chosen = await chooseTables(merge, options);
  if (!chosen.ok) return fail(withEditHint(chosen.problems));
  const planned = await planMerge(merge, chosen.value, options);
  if (!planned.ok) return planned;
  const { run } = planned.value;
  const { removes } = planned.value.files;
  const files = { writes: new Map([...planned.value.files.writes, ...merged]), removes };
  // What a killed run is finished with; then also what is unmerged in the index and right on the disk.
  await checkout.tree.commit({ ...files, staged: [...files.writes.keys(), ...removes] });
  await merging.stage(stagedPaths(files));
  const { way } = chosen.value;
  const displaced = reassignmentsIn(await trees.keptTable(way), run.table);
  const keyOf = ({ holder, from }: Reassignment) => `${holder} ${formatAddress(from)}`;
  const listed = new Set(displaced.map(keyOf));
  const others = reassignmentsIn(await trees.otherTable(way), run.table);
  const reassigned = others.filter((one) => !listed.has(keyOf(one)));
  const dropped = await droppedInMerge(trees, chosen.value, tree);
  return ok({ way, run, reassigned, displaced, joined: [...joined.keys()], dropped, files });
}

/** A tree with these files, in memory. */
async function withFiles(
  tree: MergedCheckout['tree'],
  writes: ReadonlyMap<string, string>,
): Promise<MergedCheckout['tree']> {
  if (writes.size === 0) return tree;
  const changed = changedTree(tree);
  await changed.commit({ writes, removes: [] });
  return changed;
}

/** A merge, and readers of its commits. */
interface OpenMerge extends MergedCheckout, MergeContext {
  readonly trees: MergeTrees;
}

/** The merged tables of the chosen way, and the declarations of the merge. */
interface MergedTables extends Choice {
  readonly hostnameTable: HostnameTable;
  readonly workspace: Workspace;
  readonly joined: JoinedCommits | undefined;
}

/** Reads the declarations, merges the tables in each possible way, and chooses one. */
async function chooseTables(
  { tree, history, commits, head, state, trees }: OpenMerge,
  options: ResolveOptions,
): Promise<Outcome<MergedTables>> {
  const upstream = async () => commits.resolve(await options.upstream());
  const isSound: MergeTrees['isSound'] = (commit) => trees.isSound(commit);
  const { ways, joined } = await mergeWays(commits, { head, state }, upstream, isSound);
  const { today } = options;
  const [first, second] = ways;
  const names = await trees.mergedHostnames(first, today);
  const others = second ? await trees.mergedHostnames(second, today) : names;
  const isSame = hostnameChanges(names, others).length === 0;
  const keep = options.keep ?? (isSame ? undefined : await options.choose());
  const hostnameTable = second?.keeps === keep ? others : names;
  const live = await trees.tree(first.floor);
  const bare = { disk: tree, table: new Map(), hostnameTable, live };
  const read = await readRanked(resolvedTree(bare), declarationHistory(history), live);
  if (!read.ok) return fail(inMerge(read.problems, joined));
  const workspace = read.value;
  const tables = new Map<MergeWay, AllocationTable>();
  for (const way of ways) tables.set(way, await trees.mergedTable(way, workspace, today));
  const choice = await chosen(tables, { ...options, keep });
  return ok({ ...choice, hostnameTable, workspace, joined });
}

/** Problems of two declarations that exclude each other. */
const clashes: ReadonlySet<Problem['code']> = new Set([
  'HOLDER_CONFLICT',
  'LEASE_DUPLICATE',
  'PIN_TAKEN',
  'PORT_TAKEN',
  'SERVICE_DUPLICATE',
]);

/** Says of two declarations that exclude each other which one to change in an unfinished merge. */
function inMerge(
  problems: readonly Problem[],
  joined: JoinedCommits | undefined,
): readonly Problem[] {
  if (!joined) return problems;
  return problems.map((problem) => {
    if (!clashes.has(problem.code)) return problem;
    const which = 'change the one that upstream does not have, and run `leasehold resolve` again';
    return { ...problem, hint: problem.hint === undefined ? which : `${problem.hint}; ${which}` };
  });
}

/** Runs synth on the merged table. Returns the run and the files that it changes on disk. */
async function planMerge(
  { tree, history, commits, head, state, trees }: OpenMerge,
  { way, table, hostnameTable, workspace, joined }: MergedTables,
  options: ResolveOptions,
): Promise<Outcome<Pick<Resolved, 'run' | 'files'>>> {
  const { today, progress } = options;
  const live = await trees.tree(way.floor);
  const withheld = embargo(table, await trees.floorTable(way), today);
  const merged = resolvedTree({ disk: tree, table: withheld.table, hostnameTable, live });
  const known = await trees.writtenPaths(head, way);
  const relocated = movedByGit(state, known);
  const unexpected = [...unexpectedFiles(tree.list(distFolder)), ...strayRecords(tree, known)];
  const problems = [
    ...unexpected.filter(({ at }) => !relocated.has(at.file)),
    ...(await mixupsOfMerge({ commits, trees, head, way, joined }, workspace, merged)),
  ];
  const upstream: History = {
    ...declarationHistory(history),
    committed: async () => live,
    landings: (days) => commits.landings(way.floor.id, days),
  };
  const hostnameBase = await trees.hostnameBase(way, today);
  const planned = await planRun(merged, upstream, today, {
    before: live,
    hostnameBase,
    moves: movesOf(options.moving, withheld.table),
    withheld: withheld.records,
    releases: await termsOf(trees, way, options),
    progress,
  });
  if (!planned.ok) {
    const found = inMerge(planned.problems, joined);
    return failSorted([...problems, ...found.map((problem) => withMove(problem, { merge: '' }))]);
  }
  const run = { ...planned.value, table: withheld.restore(planned.value.table) };
  const files = diskChanges(tree, live, run);
  const unknown = files.removes.filter((path) => isManifestPath(path) && !relocated.has(path));
  problems.push(...unexpectedManifests(tree, unknown));
  return problems.length > 0 ? failSorted(problems) : ok({ run, files });
}

/** Returns a move for each holder of an address in these ranges. */
function movesOf(outOf: readonly AddressRange[], table: AllocationTable): readonly Move[] {
  const held = [...table.values()].filter(
    (record) => isHeld(record) && outOf.some((range) => rangeHas(range, record.address)),
  );
  return [...groupBy(held, ({ holder }) => holder)].map(([holder, records]) => {
    const families = records.map(({ address }) => address.family);
    return { holder, families, to: [], pool: undefined, outOf };
  });
}

/** The releases that the other side of the merge has made need no confirmation. */
async function termsOf(
  trees: MergeTrees,
  way: MergeWay,
  { releases }: ResolveOptions,
): Promise<ReleaseTerms> {
  const other = await trees.otherTable(way);
  return {
    ...releases,
    isRequested({ address, holder }) {
      const record = other.get(formatAddress(address));
      return record?.released !== undefined && record.holder === holder;
    },
  };
}

/** The folders of declarations and manifests, and the other files that a run writes or removes. */
function stagedPaths({ writes, removes }: TreeChanges): readonly string[] {
  const folders = [leasesFolder, distFolder];
  const others = [...writes.keys(), ...removes].filter(
    (path) => !folders.some((folder) => path.startsWith(`${folder}/`)),
  );
  return [...folders, ...others];
}

/**
 * The unmerged files that no commit has at this path. Git's directory rename detection puts them
 * there when one side has emptied a folder and has similar files elsewhere.
 */
function movedByGit({ unmerged }: MergeState, known: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(unmerged.map(({ path }) => path).filter((path) => !known.has(path)));
}

interface Choice {
  readonly way: MergeWay;
  readonly table: AllocationTable;
}

/** Asks only if the answer makes a difference to an address. */
async function chosen(
  tables: ReadonlyMap<MergeWay, AllocationTable>,
  { keep, choose }: ResolveOptions,
): Promise<Choice> {
  const choices = [...tables].map(([way, table]): Choice => ({ way, table }));
  const [first, second] = choices;
  if (!first) throw new EnvironmentError('there is no way to merge');
  if (second) {
    const isSame = keep === undefined && isSameTable(first.table, second.table);
    const side = isSame ? first.way.keeps : (keep ?? (await choose()));
    return side === first.way.keeps ? first : second;
  }
  if (keep === undefined || keep === first.way.keeps) return first;
  throw new EnvironmentError(
    `--keep ${keep} would move addresses that are already upstream: leave it out, or name another upstream with --onto`,
  );
}
