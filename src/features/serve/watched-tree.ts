import type { Commit } from '../../core/interfaces/commits.ts';
import type { SourceTree } from '../../core/interfaces/tree.ts';
import type { History } from '../../core/interfaces/work-tree.ts';

/** The state of a tree at one moment. */
export interface SeenTree {
  readonly tree: SourceTree;
  readonly history: History;
  /**
   * The commit of the tree, or HEAD of a working tree; undefined outside git or before the first
   * commit.
   */
  readonly commit: Commit | undefined;
  /** True for a working tree that differs from its commit. */
  readonly isUncommitted: boolean;
  /** See {@link CommitLog.repositoryName}; undefined without a commit. */
  readonly repository: string | undefined;
}

/**
 * A tree that may change while it is served. Every method throws an EnvironmentError when the disk,
 * git or the remote fails.
 */
export interface WatchedTree {
  /** A text that changes when a file may have changed, made without reading the files. */
  fingerprint(): Promise<string>;
  /** Opens the current state. */
  open(): Promise<SeenTree>;
  /**
   * Opens the last state that an earlier process kept, for when the tree cannot be reached;
   * undefined without one.
   */
  openKept?(): Promise<SeenTree | undefined>;
}
