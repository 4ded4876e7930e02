import { type Day, earlierDay, laterDay } from '../model/day.ts';
import { committedHistory } from './committed-history.ts';
import type { Commit, Commits, CommittedTree } from './ports/commits.ts';
import type { History } from './ports/history.ts';
import type { SourceTree } from './ports/tree.ts';

/** The two states that a pull request goes between. */
export interface Comparison {
  /** The merge base: what the head started from. */
  readonly base: Commit;
  readonly head: Commit;
  /** True when the head is the working tree, and that has more than the head commit. */
  readonly isUncommitted: boolean;
  readonly baseTree: CommittedTree;
  readonly headTree: SourceTree;
  readonly headHistory: History;
  /** The day that the head is judged by: its commit's, or today for a working tree that has more. */
  readonly day: Day;
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
  const head = await commits.resolve(refs.head ?? 'HEAD');
  const target = await commits.resolve(refs.base);
  const base = await commits.mergeBase(target.id, head.id);
  const isUncommitted = refs.head === undefined && (await commits.isDirty());
  const merged: Commit[] = [];
  for (const ref of refs.merged) merged.push(await commits.resolve(ref));
  const shared = {
    base,
    head,
    isUncommitted,
    baseTree: await commits.tree(base.id),
    between: await commits.between(base.id, head.id),
    merged,
  };
  if (isUncommitted) {
    const day = laterDay(checkout.today, head.day);
    return { ...shared, headTree: checkout.tree, headHistory: checkout.history, day };
  }
  const headTree = await commits.tree(head.id);
  const day = earlierDay(head.day, checkout.today);
  return { ...shared, headTree, headHistory: committedHistory(headTree), day };
}
