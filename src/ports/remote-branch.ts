import type { TreeChanges } from './tree.ts';

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
 * What became of a push. `outrun`: somebody else was first. `refused`: the remote does not want the
 * commit, and says why.
 */
export type Pushed =
  | { readonly kind: 'pushed' }
  | { readonly kind: 'outrun' | 'refused'; readonly reason: string };

/**
 * A branch of a remote repository that commits are added to, without the working tree, the index or a
 * local branch of the clone. Every method throws an EnvironmentError when git or the remote does not
 * answer.
 */
export interface RemoteBranch {
  /** For people, such as `main of origin`. */
  readonly name: string;
  /** Where the branch is on the remote now, its commits fetched; undefined when there is no such branch. */
  head(): Promise<string | undefined>;
  /** The object name of a commit's tree, or of a folder in it; undefined when it has no such folder. */
  treeOf(commit: string, folder?: string): Promise<string | undefined>;
  /** The object name of a commit's tree with some changes. */
  treeWith(commit: string, changes: TreeChanges): Promise<string>;
  /** Writes a commit that no branch has yet, and gives its object name. */
  write(draft: CommitDraft): Promise<string>;
  /** Adds a commit and what it comes from to the branch; never takes one away. */
  push(commit: string): Promise<Pushed>;
  /** True when a commit is another one, or comes from it; undefined when one of them is not here. */
  comesFrom(commit: string, earlier: string): Promise<boolean | undefined>;
  /** Brings a commit of the remote here; false when the remote does not have it any more. */
  fetch(commit: string): Promise<boolean>;
  /** True when the clone has this branch checked out at an earlier commit, so that `git pull` brings it on. */
  isBehind(commit: string): Promise<boolean>;
}
