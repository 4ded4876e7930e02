import type { Day } from '../model/day.ts';
import type { CommitRange, FileDifference } from './commit-log.ts';

/** A branch by its head, and the commit where it parts from another. */
export type Parting = Required<CommitRange> & { readonly base: string };

/**
 * Many branches of others at once, with few processes, by the full object names of commits that are here. What is too
 * much, or does not come in time, is an EnvironmentError for all that were asked for together.
 */
export interface PartedBranches {
  /** The committer's day of each commit, UTC; none for a time after the year 9999. */
  days(commits: readonly string[]): Promise<ReadonlyMap<string, Day>>;
  /**
   * By head the commits of `target` that it builds on: the head alone when `target` has it, several when it has merged of `target`,
   * none when they have nothing in common.
   */
  grounds(
    target: string,
    heads: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>>;
  /** The commits on the way of first parents from a head, the newest first, without those that the base has. */
  firstParents(range: CommitRange): Promise<readonly string[]>;
  /**
   * By head the files of a folder in which it differs from where it parts, by path. Of a file that is larger than any
   * of ours nothing is read: it comes empty.
   */
  differences(
    partings: readonly Parting[],
    folder: string,
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, FileDifference>>>;
}
