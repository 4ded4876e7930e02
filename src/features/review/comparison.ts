import { type Day, earlierDay } from '../../model/day.ts';
import { EnvironmentError } from '../../model/problem.ts';
import type { Commit, Commits, CommittedTree } from '../../ports/commits.ts';
import type { History } from '../../ports/history.ts';
import type { SourceTree } from '../../ports/tree.ts';
import { committedHistory } from '../../workspace/workspace.ts';

/** The two states that a pull request goes between. */
export interface Comparison {
  /** The merge base: what the head started from. */
  readonly base: Commit;
  /** What the head is to be merged into: it may have gone on since. */
  readonly target: Commit;
  /** The ref that names it, as somebody gave it. */
  readonly targetRef: string;
  readonly head: Commit;
  /** True when the head is the working tree, and that has more than the head commit. */
  readonly isUncommitted: boolean;
  readonly baseTree: CommittedTree;
  /** The same tree as the base's where nothing came in between. */
  readonly targetTree: SourceTree;
  readonly headTree: SourceTree;
  readonly headHistory: History;
  /** The day that the head is judged by: its commit's, if that is not ahead; or today for a working tree that has more. */
  readonly day: Day;
  /** The day of the run: whatever a commit says, it is not of a later one. */
  readonly today: Day;
  /** The head's commits that the base lacks, newest first. */
  readonly between: readonly Commit[];
  /** What was merged into the head without being a parent of it. */
  readonly merged: readonly Commit[];
}

/** Which states to compare. */
export interface Compared {
  readonly base: string;
  /** Undefined for the working tree. */
  readonly head: string | undefined;
  /** Branches that a squash or a rebase brought into the head. */
  readonly merged: readonly string[];
}

/** The checkout that a run stands in. */
export interface Checkout {
  readonly tree: SourceTree;
  readonly history: History;
  readonly today: Day;
}

/** Reads both states. An EnvironmentError for a ref that names nothing, or has nothing in common. */
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
  const baseTree = await commits.tree(base.id);
  const shared = {
    base,
    target,
    targetRef: refs.base,
    head,
    isUncommitted,
    today: checkout.today,
    baseTree,
    targetTree: target.id === base.id ? baseTree : await commits.tree(target.id),
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
 * What a merge of both starts from. When that is several commits, a change that is right as seen from
 * one of them can undo what another brought, without a conflict: an EnvironmentError.
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

/** Why nobody can tell where a branch and this ref part, and what to do. */
export function severalBases(ref: string): string {
  const name = shownRef(ref);
  const way =
    name === undefined ? 'merge the base into the head' : `on the branch, run git merge ${name}`;
  return `base and head have merged each other's past, so that no single commit tells where they part: ${way} first`;
}

/** What may stand in a command that people copy, and tells them something. */
const plainRef = /^(?!HEAD|[0-9a-f]{7,64}$)[\w./-]+$/;

/** The short name of a ref, for a command; undefined for one that says nothing to whoever runs it in another clone. */
export function shownRef(ref: string): string | undefined {
  const name = ref.replace(/^refs\/(?:heads|remotes)\//, '');
  return plainRef.test(name) ? name : undefined;
}
