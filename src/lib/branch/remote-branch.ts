import type { TreeChanges } from '../../core/interfaces/tree.ts';

/** A commit to write. */
export interface CommitDraft {
  /** The object name of its whole tree. */
  readonly tree: string;
  /** Undefined for the first commit of a branch. */
  readonly parent: string | undefined;
  /** Subject, body and trailers. */
  readonly message: string;
}

/**
 * The result of a push. `outrun`: the branch has a newer commit. `refused`: the remote rejected the
 * commit.
 */
export type Pushed =
  | { readonly kind: 'pushed' }
  | { readonly kind: 'outrun' | 'refused'; readonly reason: string };

/**
 * A branch of a remote repository to which commits are pushed without using the working tree, the
 * index or a local branch. Every method throws an EnvironmentError when git or the remote fails.
 */
export interface RemoteBranch {
  /** For people: `main of origin`. */
  readonly name: string;
  /**
   * The branch's current commit on the remote, fetched; undefined when the branch does not exist.
   */
  head(): Promise<string | undefined>;
  /** The object name of a commit's tree, or of a folder in it; undefined for a missing folder. */
  treeOf(commit: string, folder?: string): Promise<string | undefined>;
  /** The object name of a commit's tree with some changes. */
  treeWith(commit: string, changes: TreeChanges): Promise<string>;
  /** Writes a commit without changing a branch, and returns its object name. */
  write(draft: CommitDraft): Promise<string>;
  /** Fast-forwards the branch to a commit. */
  push(commit: string): Promise<Pushed>;
  /**
   * True when a commit equals or descends from an earlier one; undefined when the clone lacks one.
   */
  comesFrom(commit: string, earlier: string): Promise<boolean | undefined>;
  /** Fetches a commit; false when the remote no longer has it. */
  fetch(commit: string): Promise<boolean>;
  /**
   * True when the clone has this branch checked out at an earlier commit, so that `git pull`
   * updates it.
   */
  isBehind(commit: string): Promise<boolean>;
}
