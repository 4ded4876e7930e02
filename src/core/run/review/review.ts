import type { Commits } from '../../interfaces/commits.ts';
import { isHeld } from '../../model/allocation.ts';
import { addDays } from '../../model/day.ts';
import { compareProblems, type Problem, placeText, withMove } from '../../model/problem.ts';
import { distFolder } from '../../model/repository-paths.ts';
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
import {
  assumedClusters,
  baseRefusals,
  poolGrowth,
  quotaGrowth,
  rulesOfTarget,
} from './base-rules.ts';
import { type Comparison, type Sides, shownRef } from './comparison.ts';
import { unconfirmedReleases } from './confirmed-releases.ts';
import { type DroppedEdit, takenBack } from './dropped-edits.ts';
import { keyProblems, repositoryProblems } from './key-changes.ts';
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
  const { baseTree, headTree, headHistory, day, targetRef } = comparison;
  const read = readDeclared(baseTree);
  const lawful = isRed(read)
    ? await lawfulRecords(commits, comparison.base, comparison.today)
    : undefined;
  const { table, hostnameTable } = lawful ?? read;
  const base = { ...read, table, hostnameTable };
  const checked = await check(headTree, headHistory, { before: baseTree, progress });
  const own = checked.ok ? declaredOf(checked.value.workspace) : readDeclared(headTree);
  const { holders } = own;
  const head = holders ? withRenamesTakenBack({ ...own, holders }, read.renames) : own;
  const sides = { base, head };
  const rules = rulesOfTarget(comparison, base);
  const hinted = { ...comparison, wayBack: wayBack(base.table, head) };
  const red = redProblems({ lawful, base: read, head }, targetRef);
  const found = checked.ok ? [] : treeHints(checked.problems, hinted, head);
  const records = withoutRed(await recordProblems(commits, hinted, sides), red);
  const treeProblems = withoutGone(withoutRed(found, red), records, sides);
  const manifests = manifestFileChanges(baseTree, headTree);
  const changedFiles = () => leaseFileChanges(baseTree, headTree);
  const live = liveProblems(comparison, manifests, sides, lawful);
  // By what is judged: each check returns its problems with their final hints.
  const changes: Readonly<Record<string, readonly Problem[]>> = {
    red,
    records: withRepairHint(records, { lawful, ...sides }, targetRef),
    pools: poolGrowth(rules, sides, targetRef),
    repository: repositoryProblems(sides, comparison),
    keys: keyProblems(sides, comparison),
    merges: await mixupProblems(commits, comparison, mergedItems(head)),
    policy: baseRefusals(rules, head, treeProblems),
    names: baseNameRefusals(rules, head, day),
    overlaps: baseOverlaps(rules, head, comparison),
    moves: unaskedMoves({ policy: rules.policy, ...sides, changedFiles }),
    quotas: quotaGrowth(rules, head, day),
    // One day more, for clock skew.
    promises: tooLongPromises(head.promises, addDays(day, 1)),
    manifests: withoutTold(live, found).map((problem) => lossHint(problem, hinted)),
    releases: await unconfirmedReleases(commits, comparison, sides, allowRelease),
  };
  return {
    comparison,
    base: read,
    head,
    manifests,
    treeProblems,
    changeProblems: Object.values(changes).flat().sort(compareProblems),
    dropped: await takenBack(commits, comparison, head.pools),
  };
}

/** The problems of the head, with the commands that fix lost and unreadable records, and markers. */
function treeHints(
  problems: readonly Problem[],
  comparison: Comparison,
  head: Declared,
): Problem[] {
  const unreadable = unreadableRecords(comparison.headTree, head);
  return problems.map((found) => {
    const problem = lossHint(found, comparison);
    if (unreadable.has(problem.at.file)) return withResolveHint(problem, comparison);
    if (problem.code === 'YAML_CONFLICT') return withMarkerHint(problem, comparison);
    return withMergeHint(problem, comparison);
  });
}

/** With the command that restores what is lost. */
function lossHint(problem: Problem, comparison: Comparison): Problem {
  return problem.code === 'ALLOCATION_LOST' ? withSynthHint(problem, comparison) : problem;
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
    const merge = `if it has nothing to write on the branch of the pull request, run \`git merge ${name}\` there, then \`leasehold resolve\``;
    return { ...problem, hint: hint === undefined ? merge : `${hint}; ${merge}` };
  }
  return withMove(problem, {
    merge: `on the branch, after a \`git fetch\`, run \`git merge ${name}\`, then `,
  });
}

function declaredOf(workspace: Workspace): Declared {
  const claims = workspace.holders.flatMap((holder) => holder.claims);
  return { ...workspace, claims, problems: [] };
}

/** Of what a manifest loses, the head's own problem says the cause. */
function withoutTold(live: readonly Problem[], found: readonly Problem[]): readonly Problem[] {
  const lost = found.filter(({ code }) => code === 'ALLOCATION_LOST').map(({ at }) => at.file);
  const files = new Set(lost);
  return live.filter(({ code, at }) => code !== 'ALLOCATION_LOST' || !files.has(at.file));
}

/** Of holders whose records the branch lost, only the records are told: synth gives them back. */
function withoutGone(
  found: readonly Problem[],
  records: readonly Problem[],
  { base, head }: Sides,
): readonly Problem[] {
  const forged = new Set(
    records.filter(({ code }) => code === 'ALLOCATION_FORGED').map(({ at }) => at.file),
  );
  const gone = new Set(
    [...base.table].flatMap(([text, { at, holder }]) =>
      at && forged.has(at.file) && !head.table.has(text) ? [holder] : [],
    ),
  );
  const places = new Set(
    (head.holders ?? []).filter(({ id }) => gone.has(id)).map(({ at }) => placeText(at)),
  );
  return found.filter(({ code, at }) => code !== 'STALE' || !places.has(placeText(at)));
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
