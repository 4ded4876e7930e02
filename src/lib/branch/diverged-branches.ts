import type { CommitRange, FileDifference } from '../../core/interfaces/commit-log.ts';
import type { Day } from '../../core/model/day.ts';

/** A ref of a remote and its commit. */
export interface RemoteHead {
  /** As the remote names it; untrusted. */
  readonly ref: string;
  /** A full object name. */
  readonly commit: string;
}

/** Refs of a remote that the clone does not follow, such as those of pull requests. */
export interface RemoteHeads {
  /**
   * The refs that match a pattern such as `refs/pull/*\/head`, in no order. An EnvironmentError
   * when the clone does not have the remote, or the remote cannot be reached.
   */
  list(patterns: readonly string[]): Promise<readonly RemoteHead[]>;
  /**
   * Fetches commits that are not complete in the clone by object name, without changing a ref, and
   * returns those that are complete afterwards. An EnvironmentError when the remote cannot be
   * reached.
   */
  bring(commits: readonly string[]): Promise<ReadonlySet<string>>;
}

/** The head of a branch and the commit where it diverges from another branch. */
export type Divergence = Required<CommitRange> & { readonly base: string };

/**
 * Many branches of others at once, read with few processes, by full object names of commits that
 * the clone has. Output that is too large or too late is an EnvironmentError for the whole call.
 */
export interface DivergedBranches {
  /**
   * The committer's day of each commit, UTC; commits with a time after the year 9999 are left out.
   */
  days(commits: readonly string[]): Promise<ReadonlyMap<string, Day>>;
  /**
   * By head the commits of `target` that it builds on: the head alone when `target` contains it,
   * several when it has merged `target`, none when they have no common commit.
   */
  forkPoints(
    target: string,
    heads: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>>;
  /** The commits along first parents from a head to the base, newest first, without the base's. */
  firstParents(range: CommitRange): Promise<readonly string[]>;
  /**
   * By head the files of a folder that differ from the base, by path. A file that is too large for
   * a record is given as empty.
   */
  differences(
    divergences: readonly Divergence[],
    folder: string,
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, FileDifference>>>;
}
