import type { SignatureFault } from '../model/signatures.ts';

/** What git records of one commit of a log. */
export interface LoggedCommit {
  /** The full object name. */
  readonly id: string;
  /** The committer's time, UTC, `2026-01-02T10:00:00Z`. */
  readonly at: string;
  readonly parents: readonly string[];
  /** The author's name; like the message, not to be trusted. */
  readonly author: string;
  /** Subject and body. */
  readonly message: string;
}

/** A commit and what a file had in it; undefined when it was not there. */
export interface FileVersion {
  readonly commit: LoggedCommit;
  readonly content: Uint8Array | undefined;
}

/** What a file had where a branch parts, and at its head; undefined where it was not there. */
export interface FileDifference {
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}

/** A commit and what is wrong with its signature; no fault when an allowed signer made it. */
export interface SignedCommit {
  readonly commit: LoggedCommit;
  /** True for a merge in which every file of `leases/` and `dist/` is as one of its parents has it. */
  readonly isCleanMerge: boolean;
  readonly fault?: SignatureFault;
  /** The key's fingerprint, with an SSH signature that holds. */
  readonly key?: string;
  /** Without a fault: the principal of the file of allowed signers that git names. */
  readonly signer?: string;
}

/** What the commits of a repository did in time. Commits are given by object name. */
export interface CommitLog {
  /** What stands for what is in effect: the remote's default branch, else `main`, else `HEAD`. */
  defaultRef(): Promise<string>;
  /** True when the clone lacks older commits. */
  isShallow(): Promise<boolean>;
  /**
   * The commits on the way of first parents that changed a file, the oldest first, with what it had in
   * each. Renames are not followed.
   */
  versions(commit: string, path: string): Promise<readonly FileVersion[]>;
  /** The same of every file that ever stood in a folder, in one walk: by its path, in no order. */
  folderVersions(
    range: CommitRange,
    folder: string,
  ): Promise<ReadonlyMap<string, readonly FileVersion[]>>;
  /** What git records of one commit, by its object name. */
  logged(commit: string): Promise<LoggedCommit>;
  /**
   * Every commit that is in `head` and not in `base`, merges and side branches too, in which `leases/` or
   * `dist/` differ from a parent, the newest first, with its signature judged by a file of allowed signers. An EnvironmentError in a shallow clone: what it lacks,
   * nobody can judge.
   */
  signed(range: CommitRange, allowedSigners: string): Promise<readonly SignedCommit[]>;
  /**
   * The files of `leases/` that some commits change by themselves, by object name: a merge changes what is not what
   * a merge of its parents gives.
   */
  ownFiles(commits: readonly LoggedCommit[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** What a file had in some commits, in their order; undefined where it is not there. */
  contents(commits: readonly string[], path: string): Promise<readonly (Uint8Array | undefined)[]>;
  /** The commits of a range that come from its base. */
  descending(base: string, head: string): Promise<ReadonlySet<string>>;
}

/** The commits of `head` that `base` lacks; without a base, all of them. */
export interface CommitRange {
  readonly base: string | undefined;
  readonly head: string;
}
