import type { Commit, Commits, CommittedTree } from '../../interfaces/commits.ts';
import type { SourceTree } from '../../interfaces/tree.ts';
import type { History } from '../../interfaces/work-tree.ts';
import { ifAvailable } from '../../model/calls.ts';
import { type Day, earlierDay } from '../../model/day.ts';
import { EnvironmentError } from '../../model/problem.ts';
import type { Declared } from '../../tree/declared.ts';
import { committedHistory } from '../../tree/workspace.ts';

/** The two states that a pull request compares. */
export interface Comparison {
  /** The merge base of target and head. */
  readonly base: Commit;
  /** The newest commit that the head is to be merged into. */
  readonly target: Commit;
  /** The ref that named the target, for hints. */
  readonly targetRef: string;
  readonly head: Commit;
  /** True when the head is the working tree and differs from the head commit. */
  readonly isUncommitted: boolean;
  readonly baseTree: CommittedTree;
  /** The same object as `baseTree` when target and base are the same commit. */
  readonly targetTree: SourceTree;
  readonly headTree: SourceTree;
  readonly headHistory: History;
  /** The day of the head commit, not later than today; today for an uncommitted working tree. */
  readonly day: Day;
  /** The day of the run. */
  readonly today: Day;
  /** The commits of the head that the base lacks, newest first. */
  readonly between: readonly Commit[];
  /** Commits that were merged into the head without being its ancestors. */
  readonly merged: readonly Commit[];
  /** True when the target branch already contains the head. Then no recorded day is too old. */
  readonly hasLanded?: boolean;
  /** The hint for a reverted renumbering, in place of a synth, which refuses it. */
  readonly wayBack?: string | undefined;
  /** True when the base was given as a commit, as in a merge queue. */
  readonly isByCommit?: boolean;
}

/** The declarations and records of both sides of a pull request. */
export interface Sides {
  readonly base: Declared;
  readonly head: Declared;
}

/** The refs to compare. */
export interface Compared {
  readonly base: string;
  /** Undefined for the working tree. */
  readonly head: string | undefined;
  /** Branches that a squash or a rebase brought into the head. */
  readonly merged: readonly string[];
}

/** The checkout of a run. */
export interface Checkout {
  readonly tree: SourceTree;
  readonly history: History;
  readonly today: Day;
}

/** Reads both states. Throws an EnvironmentError for an unknown ref, or for unrelated histories. */
export async function openComparison(
  commits: Commits,
  checkout: Checkout,
  refs: Compared,
): Promise<Comparison> {
  const [head, target, ...merged] = await commits.resolveEach([
    refs.head ?? 'HEAD',
    refs.base,
    ...refs.merged,
  ]);
  const base = await onlyBase(commits, target, head, refs.base);
  const isUncommitted = refs.head === undefined && (await commits.isDirty());
  const baseTree = await commits.tree(base.id, undefined, true);
  const shared = {
    base,
    target,
    targetRef: refs.base,
    head,
    isUncommitted,
    today: checkout.today,
    baseTree,
    targetTree: target.id === base.id ? baseTree : await commits.tree(target.id, undefined, true),
    between: await commits.between(base.id, head.id),
    merged,
  };
  if (isUncommitted) {
    const { tree, history, today } = checkout;
    return { ...shared, headTree: tree, headHistory: history, day: today };
  }
  const headTree = await commits.tree(head.id);
  const day = earlierDay(head.day, checkout.today);
  return { ...shared, headTree, headHistory: committedHistory(headTree), day };
}

/**
 * The only merge base. Throws an EnvironmentError when there are several: a change that is valid
 * relative to one of them can undo a change of another without a conflict.
 */
async function onlyBase(
  commits: Commits,
  target: Commit,
  head: Commit,
  ref: string,
): Promise<Commit> {
  const [base, ...others] = await commits.mergeBases(target.id, head.id);
  if (base !== undefined && others.length === 0) return base;
  throw new EnvironmentError(severalBases(ref));
}

/** Returns the message for several merge bases, with the way out. */
export function severalBases(ref: string): string {
  const name = shownRef(ref);
  const way =
    name === undefined
      ? 'merge the base into the head'
      : `on the branch, run \`git merge ${name}\``;
  return `${name ?? 'base'} and head have several merge bases, because each has merged older commits of the other: ${way} first`;
}

/**
 * Judges a base that is given as a commit, against the branch that the head is to be merged into.
 * Throws an EnvironmentError for one of several merge bases: git merge-base prints the one with the
 * newest date, which the author of the head may have chosen. Returns a caution for a commit that is
 * no merge base, such as an earlier commit of the head's branch. A head that the target has is not
 * merged, and needs none.
 */
export async function judgedBase(
  commits: Commits,
  { base, head }: Pick<Comparison, 'base' | 'head'>,
  target: { readonly ref: string; readonly commit: Commit },
): Promise<{ readonly hasLanded: boolean; readonly caution?: string }> {
  if (base.id === head.id || base.id === target.commit.id) return { hasLanded: false };
  const bases = await foundBases(commits, target.commit, head);
  const has = (commit: Commit) => bases.some(({ id }) => id === commit.id);
  if (bases.length > 1 && has(base)) throw new EnvironmentError(severalBases(target.ref));
  const hasLanded = has(head);
  if (has(base) || hasLanded) return { hasLanded };
  const name = shownRef(target.ref) ?? 'the target';
  const caution = `the base ${base.id.slice(0, 12)} is not a known merge base of ${name} and head: a merge into ${name} can bring changes that are not checked here`;
  return { hasLanded, caution };
}

/**
 * Returns a caution for a local branch that lacks commits of the same branch of the remote `origin`,
 * such as `main` after a git fetch.
 */
export async function staleBase(
  commits: Commits,
  { target, targetRef }: Pick<Comparison, 'target' | 'targetRef'>,
): Promise<string | undefined> {
  const local = shownRef(targetRef);
  const remote = await commits.find(`refs/remotes/origin/${local}`);
  if (!remote || remote.id === target.id) return undefined;
  const bases = await foundBases(commits, target, remote);
  return bases.some(({ id }) => id === target.id)
    ? `${local} lacks commits of origin/${local}, which are not judged: compare with --base origin/${local}`
    : undefined;
}

/** None in a clone that is too shallow, or for unrelated histories. */
async function foundBases(
  commits: Commits,
  target: Commit,
  head: Commit,
): Promise<readonly Commit[]> {
  return (await ifAvailable(() => commits.mergeBases(target.id, head.id))) ?? [];
}

/** Refs that are safe in a copied command and meaningful in another clone. */
const plainRef = /^(?!HEAD|[0-9a-f]{7,64}$)[\w./-]+$/;

/**
 * Returns the short name of a ref for a command. Undefined if it has no meaning in another clone.
 */
export function shownRef(ref: string): string | undefined {
  const name = ref.replace(/^refs\/(?:heads|remotes)\//, '');
  return plainRef.test(name) ? name : undefined;
}

/** The command that takes a commit back in the working tree: for a merge, what it brought. */
export function revertCommand({ id, parents }: Commit): string {
  return `git revert --no-commit ${parents.length > 1 ? '-m 1 ' : ''}${id.slice(0, 12)}`;
}

/** The step of a hint that merges the target, whose shown ref is undefined when it has none. */
export function mergeText(ref: string | undefined): string {
  return ref === undefined ? 'merge the target branch' : `run \`git merge ${ref}\``;
}
