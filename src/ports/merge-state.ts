/** What git is in the middle of; each ends with a commit that somebody still has to make. */
export type Unfinished = 'merge' | 'squash' | 'rebase' | 'cherry-pick' | 'revert';

/** A path that git's index has in several versions. */
export interface UnmergedFile {
  /** Relative to the folder that was opened. */
  readonly path: string;
  /** True for a commit of another repository. */
  readonly isSubmodule: boolean;
}

/** Where a working tree stands between two commits. */
export interface MergeState {
  readonly unfinished: Unfinished | undefined;
  /**
   * The commits that are being brought to HEAD: the other side of a merge or squash, the commit that a
   * rebase, cherry-pick or revert is at. More than one for an octopus.
   */
  readonly incoming: readonly string[];
  /** What a rebase builds on. */
  readonly onto: string | undefined;
  /** In path order; only those below the folder that was opened. */
  readonly unmerged: readonly UnmergedFile[];
}

/** What a use case asks of a merge in a working tree, and does to its index. */
export interface Merging {
  state(): Promise<MergeState>;
  /** Puts these folders into the index as they stand in the tree: what is unmerged there is merged then. */
  stage(folders: readonly string[]): Promise<void>;
}
