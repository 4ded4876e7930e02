import type { Day } from '../model/day.ts';
import type { SourceTree } from './tree.ts';

/** What git records of one commit. */
export interface Commit {
  /** The full object name, 40 or 64 hex digits. */
  readonly id: string;
  /** The committer's day, UTC. */
  readonly day: Day;
  /** The committer's time, UTC, `2026-01-02T10:00:00Z`. */
  readonly at: string;
  /** None for the first commit, more than one for a merge. */
  readonly parents: readonly string[];
  /** Subject and body, as written: not to be trusted. */
  readonly message: string;
}

/** The tree of a commit. Paths are relative to the repository's folder that was opened. */
export interface CommittedTree extends SourceTree {
  /** What names a file's content: equal for equal bytes. Undefined for a path that is not there. */
  idOf(path: string): string | undefined;
}

/** As many commits as refs. */
export type EachCommit<Refs extends readonly string[]> = { -readonly [Ref in keyof Refs]: Commit };

/**
 * The commits of a git repository, read without touching its working tree or index. Every method throws
 * an EnvironmentError, with a sentence for whoever typed the ref, when git is not there, the repository
 * is none or bare, the clone is too shallow, or a ref names no commit.
 */
export interface Commits {
  /** The commit that a ref, tag, branch or object name names. */
  resolve(ref: string): Promise<Commit>;
  /** The commits of some refs, in their order, asked at once. */
  resolveEach<const Refs extends readonly string[]>(refs: Refs): Promise<EachCommit<Refs>>;
  /** The commit that a merge of two commits, given by object names, starts from; the first that git names, if they are several. */
  mergeBase(left: string, right: string): Promise<Commit>;
  /**
   * All commits that a merge of two commits, given by object names, starts from: several when each side has merged of the
   * other's past. Of more than two, the first and what a merge of all others would be.
   */
  mergeBases(left: string, ...right: readonly string[]): Promise<readonly Commit[]>;
  /** `leases/`, `dist/`, `.leasehold/` and `.sourceignore` of a commit, or only what stands below some folders. */
  tree(commit: string, folders?: readonly string[]): Promise<CommittedTree>;
  /** The commits that `to` has and `from` lacks, newest first; both are object names. */
  between(from: string, to: string): Promise<readonly Commit[]>;
  /** Files below `leases/` in which a merge commit differs from all of its parents. */
  mergedFiles(merge: string): Promise<readonly string[]>;
  /** True when the working tree or the index below `leases/` and `dist/` differ from HEAD. */
  isDirty(): Promise<boolean>;
}
