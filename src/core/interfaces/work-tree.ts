import type { Day, DaySpan } from '../model/day.ts';
import type { SourceTree } from './tree.ts';

/** Git's index and newest commit, for use cases. */
export interface History {
  /**
   * Files in the index below some folders; undefined outside a git repository. An EnvironmentError
   * when git is not installed.
   */
  tracked(folders: readonly string[]): Promise<readonly string[] | undefined>;
  /** True when the checkout leaves some tracked files out on purpose (git sparse-checkout). */
  isSparse?(): Promise<boolean>;
  /** Files that the index has in a version that is not merged, below the same folders. */
  unmerged?(folders: readonly string[]): Promise<readonly string[]>;
  /** The tree of the newest commit; undefined when there is none. */
  committed?(): Promise<SourceTree | undefined>;
  /** The days on which records last changed, up to the newest commit: see {@link Commits.landings}. */
  landings?(days: DaySpan): Promise<ReadonlyMap<string, Day>>;
}

/** A git repository before its first push. */
export interface GitStart {
  /** The checked-out branch, with or without a commit; undefined for a detached HEAD. */
  readonly branch: string | undefined;
  readonly hasCommit: boolean;
  readonly hasOrigin: boolean;
}

/** An operation that git has in progress; each ends with a commit that is still to be made. */
export type Unfinished = 'merge' | 'squash' | 'rebase' | 'cherry-pick' | 'revert';

/** A path with several versions in git's index. */
export interface UnmergedFile {
  /** Relative to the opened folder. */
  readonly path: string;
  /** True for a commit of another repository. */
  readonly isSubmodule: boolean;
  /** Its versions in git's index: 1 for the base, 2 for HEAD, 3 for the other side. */
  readonly stages: readonly number[];
}

/** The state of a working tree between two commits. */
export interface MergeState {
  readonly unfinished: Unfinished | undefined;
  /**
   * The commits that are being applied to HEAD: the other side of a merge or squash, or the current
   * commit of a rebase, cherry-pick or revert. An octopus merge has several.
   */
  readonly incoming: readonly string[];
  /** The commit onto which a rebase applies. */
  readonly onto: string | undefined;
  /** In path order; only files below the opened folder. */
  readonly unmerged: readonly UnmergedFile[];
}

/** A merge in a working tree. */
export interface Merging {
  state(): Promise<MergeState>;
  /** Adds folders to the index as they are in the working tree, which resolves their conflicts. */
  stage(folders: readonly string[]): Promise<void>;
}
