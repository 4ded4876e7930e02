import { grownQuotaProblems } from '../../allocate/quotas.ts';
import { keyPath } from '../../declarations/key-file.ts';
import type { Commits } from '../../interfaces/commits.ts';
import type { SourceTree } from '../../interfaces/tree.ts';
import { isHeld } from '../../model/allocation.ts';
import { addDays, type Day } from '../../model/day.ts';
import type { Policy } from '../../model/policy.ts';
import { compareProblems, type Problem, startOf, withMove } from '../../model/problem.ts';
import { distFolder, keysFolder, repositoryIdPath } from '../../model/repository-paths.ts';
import { withheldByBase } from '../../transitions/base-pools.ts';
import { withRenamesTakenBack } from '../../transitions/renames.ts';
import { type Declared, readDeclared } from '../../tree/declared.ts';
import {
  changesOf,
  type FileChange,
  leaseFileChanges,
  manifestFileChanges,
} from '../../tree/file-changes.ts';
import type { Workspace } from '../../tree/workspace.ts';
import { check } from '../synth/check.ts';
import { liveChanges } from '../synth/live-changes.ts';
import type { RunOptions } from '../synth/planned-run.ts';
import { tooLongPromises } from '../synth/promise-rules.ts';
import { baseNameRefusals, baseOverlaps } from './base-names.ts';
import { assumedClusters, baseRefusals, rulesOfTarget } from './base-rules.ts';
import { type Comparison, mergeText, shownRef } from './comparison.ts';
import { unconfirmedReleases } from './confirmed-releases.ts';
import { type DroppedEdit, takenBack } from './dropped-edits.ts';
import { keyChanges, keyProblems } from './key-changes.ts';
import { isRed, type LawfulRecords, lawfulRecords } from './lawful-records.ts';
import { mixupProblems, withMarkerHint } from './merge-mixups.ts';
import { mergedItems } from './merged-items.ts';
import {
  recordProblems,
  unreadableRecords,
  wayBack,
  withResolveHint,
  withSynthHint,
} from './record-transitions.ts';
import { redProblems, withoutRed, withRepairHint } from './red-problems.ts';
import { unaskedMoves } from './unasked-moves.ts';

/** The problems of a pull request, and the states that were compared. */
export interface Review {
  readonly comparison: Comparison;
  readonly base: Declared;
  readonly head: Declared;
  /** The files below dist/ that differ, by path. */
  readonly manifests: readonly FileChange[];
  /** The problems of the head itself: those of `leasehold check`. */
  readonly treeProblems: readonly Problem[];
  /** The problems of the change from base to head. */
  readonly changeProblems: readonly Problem[];
  /** The edits of the base that a merge on the branch dropped. */
  readonly dropped: readonly DroppedEdit[];
}

/**
 * Checks a pull request: the head itself, and the change from the base. On a red base, the change
 * of records is judged from {@link lawfulRecords}. Each list is sorted by place. The only date used
 * is that of the head.
 */
export async function review(
  commits: Commits,
  comparison: Comparison,
  allowRelease: number | undefined,
  progress?: RunOptions['progress'],
): Promise<Review> {
  const { baseTree, headTree, headHistory, day } = comparison;
  const read = readDeclared(baseTree);
  const lawful = isRed(read)
    ? await lawfulRecords(commits, comparison.base, comparison.today)
    : undefined;
  const base = {
    ...read,
    ...(lawful && { table: lawful.table, hostnameTable: lawful.hostnameTable }),
  };
  const checked = await check(headTree, headHistory, { before: baseTree, progress });
  const own = checked.ok ? declaredOf(checked.value.workspace) : readDeclared(headTree);
  const { holders } = own;
  const head = holders ? withRenamesTakenBack({ ...own, holders }, read.renames) : own;
  const hinted = { ...comparison, wayBack: wayBack(base.table, head) };
  const manifests = manifestFileChanges(baseTree, headTree);
  const mass = await unconfirmedReleases(commits, comparison, { base, head }, allowRelease);
  const red = lawful ? redProblems({ lawful, base: read, head }, comparison.targetRef) : [];
  const found = checked.ok ? [] : hintedTreeProblems(checked.problems, hinted, head);
  const treeProblems = withoutRed(found, red);
  const rules = rulesOfTarget(comparison, base);
  const live = liveProblems(comparison, manifests, { base, head }, lawful);
  const records = withoutRed(await recordProblems(commits, hinted, { base, head }), red);
  const problems = [
    ...red,
    ...(lawful ? withRepairHint(records, { lawful, head }, comparison.targetRef) : records),
    ...poolGrowth(rules, { base, head }, comparison),
    ...repositoryProblems(comparison, base, head),
    ...keyProblems(keyChanges(base, head, day), head, {
      unreadable: unreadableKeys(head, headTree),
      base: comparison.base.id,
    }),
    ...(await mixupProblems(commits, comparison, mergedItems(head))),
    ...baseRefusals(rules, head, treeProblems),
    ...baseNameRefusals(rules, head, day),
    ...baseOverlaps(rules, head, comparison),
    ...movesUnder(rules.policy, comparison, { base, head }),
    ...quotaGrowth(rules, head, day),
    // One day more, for clock skew.
    ...tooLongPromises(head.promises, addDays(day, 1)),
    ...lossesWithHint(withoutLost(live, found), hinted),
    ...(mass ? [mass] : []),
  ];
  return {
    comparison,
    base: read,
    head,
    manifests,
    treeProblems,
    changeProblems: problems.sort(compareProblems),
    dropped: await takenBack(commits, comparison, head.pools),
  };
}

/** Both sides of a pull request. */
interface Sides {
  readonly base: Declared;
  readonly head: Declared;
}

/** The problems of the head, with the commands that fix lost and unreadable records, and markers. */
function hintedTreeProblems(
  problems: readonly Problem[],
  comparison: Comparison,
  head: Declared,
): Problem[] {
  const unreadable = unreadableRecords(comparison.headTree, head);
  return lossesWithHint(problems, comparison).map((problem) => {
    if (unreadable.has(problem.at.file)) return withResolveHint(problem, comparison);
    if (problem.code === 'YAML_CONFLICT') return withMarkerHint(problem, comparison);
    return withMergeHint(problem, comparison);
  });
}

/**
 * The hints of STALE, ADDRESS_STRANDED and PIN_MOVED on top of the target, as a forge checks a merge
 * or a squash: the branch itself may be right.
 */
function withMergeHint(
  problem: Problem,
  { base, head, target, targetRef, isByCommit }: Comparison,
): Problem {
  const name = shownRef(targetRef);
  const isMerge = head.parents.length > 1 && head.parents.includes(target.id);
  // A forge that rebases makes a commit of each of the branch's.
  const isOnTop = isMerge || (isByCommit && base.id === target.id);
  if (!isOnTop || !name) return problem;
  const { code, hint } = problem;
  if (code === 'STALE') {
    const merge = `if it has nothing to write on the branch of the pull request, run git merge ${name} there, then leasehold resolve`;
    return { ...problem, hint: hint === undefined ? merge : `${hint}; ${merge}` };
  }
  return withMove(problem, {
    merge: `on the branch, after a git fetch, run git merge ${name}, then `,
  });
}

function lossesWithHint(problems: readonly Problem[], comparison: Comparison): Problem[] {
  return problems.map((problem) =>
    problem.code === 'ALLOCATION_LOST' ? withSynthHint(problem, comparison) : problem,
  );
}

/** BASE_WITHHOLDS by the target's pools: a change cannot open a pool and lease from it. */
function poolGrowth(rules: Declared, { base, head }: Sides, { targetRef }: Comparison): Problem[] {
  if (!rules.pools || !head.pools) return [];
  const pools = { base: rules.pools, head: head.pools, start: base.pools };
  const holders = new Map((head.holders ?? []).map((holder) => [holder.id, holder]));
  const merge = mergeText(shownRef(targetRef));
  return withheldByBase(
    { pools, before: base.table, after: head.table, holders },
    (address) =>
      `on the branch, after a git fetch, ${merge}, then leasehold resolve --move ${address}`,
  );
}

/** MOVE_UNASKED by the policy of the base. */
function movesUnder(
  policy: Policy | undefined,
  { baseTree, headTree }: Comparison,
  sides: Sides,
): Problem[] {
  if (!policy) return [];
  const changedFiles = () => leaseFileChanges(baseTree, headTree);
  return unaskedMoves({ policy, ...sides, changedFiles });
}

/** QUOTA_EXCEEDED by the base's quotas: a change cannot raise its own quota. */
function quotaGrowth(base: Declared, head: Declared, day: Day): Problem[] {
  if (!base.pools || !head.pools) return [];
  const holders = head.holders ?? [];
  const growth = { before: base.table, after: head.table, holders, day };
  return grownQuotaProblems({ base: base.pools, head: head.pools }, growth);
}

function declaredOf(workspace: Workspace): Declared {
  const claims = workspace.holders.flatMap((holder) => holder.claims);
  return { ...workspace, claims, problems: [] };
}

/** The key files of the head that cannot be read. */
function unreadableKeys({ keys }: Declared, headTree: SourceTree): ReadonlySet<string> {
  const read = new Set([...keys.byName.values()].map(keyPath));
  const paths = headTree.list(keysFolder).map(({ path }) => path);
  return new Set(paths.filter((path) => !read.has(path)));
}

/** REPOSITORY_CHANGED: otherwise signatures made for another repository could become valid here. */
function repositoryProblems(comparison: Comparison, base: Declared, head: Declared): Problem[] {
  const [before, after] = [base.keys.repository, head.keys.repository];
  if (before === undefined || before === after) return [];
  return [
    {
      code: 'REPOSITORY_CHANGED',
      message: `the repository id is ${before} in the base, and ${after ?? 'missing'} here`,
      at: startOf(repositoryIdPath),
      hint: `restore it from the base: git restore --source=${comparison.base.id} --staged --worktree ${repositoryIdPath}`,
    },
  ];
}

/** Of what a manifest loses, the head's own problem says the cause. */
function withoutLost(live: readonly Problem[], found: readonly Problem[]): readonly Problem[] {
  const lost = found.filter(({ code }) => code === 'ALLOCATION_LOST').map(({ at }) => at.file);
  const files = new Set(lost);
  return live.filter(({ code, at }) => code !== 'ALLOCATION_LOST' || !files.has(at.file));
}

function liveProblems(
  { baseTree }: Comparison,
  manifests: readonly FileChange[],
  { base, head }: Sides,
  lawful: LawfulRecords | undefined,
): Problem[] {
  const committed = baseTree.list(distFolder).filter(({ kind }) => kind === 'file');
  // The check of the head tells of a manifest that has another address than its record.
  const recorded = [...base.table].flatMap(([text, { holder }]) => {
    const record = head.table.get(text);
    return record && isHeld(record) && record.holder === holder ? [text] : [];
  });
  const restored = new Set([...(lawful?.addresses ?? []), ...recorded]);
  const tables = { before: base.table, after: head.table, restored };
  const clusters = assumedClusters(base, head);
  return liveChanges(baseTree, committed, changesOf(manifests), { ...tables, clusters });
}
