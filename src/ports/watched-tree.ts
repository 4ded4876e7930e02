import type { Commit } from './commits.ts';
import type { SourceTree } from './tree.ts';
import type { History } from './work-tree.ts';

/** One look at a tree. */
export interface SeenTree {
  readonly tree: SourceTree;
  readonly history: History;
  /** The commit that it is, or that a working tree stands on; undefined outside of git, or before the first commit. */
  readonly commit: Commit | undefined;
  /** True when it is a working tree that differs from its commit. */
  readonly isUncommitted: boolean;
}

/**
 * A tree that may change while it is served. Every method throws an EnvironmentError when the disk, git or
 * the remote does not answer.
 */
export interface WatchedTree {
  /** What stands for its state, found out without reading the files: another text when a file may be another. */
  fingerprint(): Promise<string>;
  /** Opens what is there now. */
  open(): Promise<SeenTree>;
  /** Opens what an earlier process saw last, for when the tree is not reached; undefined when nothing is kept of it. */
  openKept?(): Promise<SeenTree | undefined>;
}
