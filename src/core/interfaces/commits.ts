import type { Day, DaySpan } from '../model/day.ts';
import type { SourceTree } from './tree.ts';

/** The record of one commit in git. */
export interface Commit {
  /** The full object name, 40 or 64 hex digits. */
  readonly id: string;
  /** The committer's day, UTC. */
  readonly day: Day;
  /** The committer's time, UTC, `2026-01-02T10:00:00Z`. */
  readonly at: string;
  /** None for the first commit, more than one for a merge. */
  readonly parents: readonly string[];
  /** Subject and body; untrusted. */
  readonly message: string;
}

/** The tree of a commit. Paths are relative to the repository's folder that was opened. */
export interface CommittedTree extends SourceTree {
  /** A name of a file's content, equal for equal bytes; undefined for a missing path. */
  idOf(path: string): string | undefined;
}

/** One commit for each ref. */
export type EachCommit<Refs extends readonly string[]> = { -readonly [Ref in keyof Refs]: Commit };

/** Two commits that are merged. */
export interface Automerge {
  readonly ours: string;
  readonly theirs: string;
  /** Instead of their merge base, as for a commit that is applied alone. */
  readonly base?: string | undefined;
  /** The commit whose `.gitattributes` apply. None do when left out, as on most forges. */
  readonly attributesOf?: string | undefined;
}

/**
 * Git's merge of some files: their bytes, or `conflict` for one that it leaves to a
 * person. A file that a merge driver joins is left out.
 */
export type Automerged = ReadonlyMap<string, Uint8Array | 'conflict' | 'missing'>;

/**
 * The commits of a git repository, read without touching its working tree or index. Every method
 * throws an EnvironmentError when git is not installed, the repository is missing or bare, the
 * clone is too shallow, or a ref does not name a commit.
 */
export interface Commits {
  /** The commit of a ref, tag, branch or object name. */
  resolve(ref: string): Promise<Commit>;
  /** The commit that a ref names; undefined for none. */
  find(ref: string): Promise<Commit | undefined>;
  /** The commits of some refs, in their order, with one git process. */
  resolveEach<const Refs extends readonly string[]>(refs: Refs): Promise<EachCommit<Refs>>;
  /** The merge base of two commits, given by object names; git's first one of several. */
  mergeBase(left: string, right: string): Promise<Commit>;
  /**
   * All merge bases of two commits, given by object names: several after criss-cross merges. For
   * more than two commits, those of the first one and a hypothetical merge of the others (git
   * merge-base).
   */
  mergeBases(left: string, ...right: readonly string[]): Promise<readonly Commit[]>;
  /**
   * `leases/`, `dist/`, `.leasehold/` and `.sourceignore` of a commit, or only some folders. A
   * CommitProblem for a commit beyond the bounds and, unless it is a base, with an entry that git
   * does not make.
   */
  tree(commit: string, folders?: readonly string[], isBase?: boolean): Promise<CommittedTree>;
  /** The commits of `to` that `from` lacks, newest first; both are object names. */
  between(from: string, to: string): Promise<readonly Commit[]>;
  /**
   * By path the day on which a record last changed along the first parents of a commit, in a span
   * of days: a merge changes the files of its branch. No commit landed before its first parents,
   * whatever its own date. A date after the span does not count. Without the records of the first
   * commit of the repository, or of a shallow clone.
   */
  landings(commit: string, days: DaySpan): Promise<ReadonlyMap<string, Day>>;
  /** Files below `leases/` in which a merge commit differs from all of its parents. */
  mergedFiles(merge: string): Promise<readonly string[]>;
  /** Repeats a merge in memory. Undefined before git 2.38, which cannot. */
  automerge(merge: Automerge, paths: readonly string[]): Promise<Automerged | undefined>;
  /** The committer's mail address. */
  committerOf(commit: string): Promise<string>;
  /** True when the working tree or the index below `leases/` and `dist/` differ from HEAD. */
  isDirty(): Promise<boolean>;
  /** True when a record of HEAD is missing or different in the working tree. */
  hasChangedRecords(): Promise<boolean>;
}
