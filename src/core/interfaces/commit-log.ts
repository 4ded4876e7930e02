/** The record of one commit of a log in git. */
export interface LoggedCommit {
  /** The full object name. */
  readonly id: string;
  /** The committer's time, UTC, `2026-01-02T10:00:00Z`. */
  readonly at: string;
  readonly parents: readonly string[];
  /** The author's name; untrusted, like the message. */
  readonly author: string;
  /** Subject and body. */
  readonly message: string;
}

/** A commit and the content of a file in it; undefined when the commit lacks the file. */
export interface FileVersion {
  readonly commit: LoggedCommit;
  readonly content: Uint8Array | undefined;
}

/**
 * The content of a file at a branch's fork point and at its head; undefined where it is missing.
 */
export interface FileDifference {
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}

/** A commit and the fault of its signature; none when an allowed signer made it. */
export interface SignedCommit {
  readonly commit: LoggedCommit;
  /** True for a merge in which every file of `leases/` and `dist/` equals that of a parent. */
  readonly isCleanMerge: boolean;
  readonly fault?: SignatureFault;
  /** The key's fingerprint, for a valid SSH signature. */
  readonly key?: string;
  /** The principal in the file of allowed signers, for a signature without a fault. */
  readonly signer?: string;
}

/** The history of a repository. Commits are given by object name. */
export interface CommitLog {
  /** The ref of what is in effect: the remote's default branch, else `main`, else `HEAD`. */
  defaultRef(): Promise<string>;
  /**
   * The last part of the URL of `origin`, with the folder of the workspace in the repository: `ips`, or
   * `infra/ips`. Undefined without such a remote.
   */
  repositoryName(): Promise<string | undefined>;
  /** True when the clone lacks older commits. */
  isShallow(): Promise<boolean>;
  /**
   * The commits along first parents that changed a file, oldest first, with its content in each.
   * Renames are not followed.
   */
  versions(commit: string, path: string): Promise<readonly FileVersion[]>;
  /** The versions of every file that some folders ever had, by path, read in one walk. */
  folderVersions(
    range: CommitRange,
    ...folders: readonly string[]
  ): Promise<ReadonlyMap<string, readonly FileVersion[]>>;
  /**
   * Every commit of a range in which `leases/` or `dist/` differ from a parent, with merges and
   * side branches, newest first. Signatures are verified with a file of allowed signers. An
   * EnvironmentError in a shallow clone, whose missing commits cannot be verified.
   */
  signed(range: CommitRange, allowedSigners: string): Promise<readonly SignedCommit[]>;
  /**
   * By object name the files of `leases/` that a commit itself changes. A merge changes the files
   * that differ from an automatic merge of its parents.
   */
  ownFiles(commits: readonly LoggedCommit[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** The content of a file in some commits, in their order; undefined where it is missing. */
  contents(commits: readonly string[], path: string): Promise<readonly (Uint8Array | undefined)[]>;
  /** The commits of a range that descend from its base. */
  descending(base: string, head: string): Promise<ReadonlySet<string>>;
}

/** The commits of `head` that `base` lacks; all of them without a base. */
export interface CommitRange {
  readonly base: string | undefined;
  readonly head: string;
}

/**
 * Why a commit lacks a valid signature. `not theirs`: the policy before it does not allow the
 * signer to change these files. `unreadable policy`: that policy has problems, so it is unknown.
 */
export type SignatureFault =
  | 'unsigned'
  | 'bad signature'
  | 'unknown key'
  | 'not an SSH signature'
  | 'not theirs'
  | 'unreadable policy';

/** A commit that is not signed by a signer who may make it. */
export interface FaultyCommit {
  /** The full object name. */
  readonly commit: string;
  /** The committer's time, UTC. */
  readonly at: string;
  /** The author that the commit names; the signature does not prove it. */
  readonly author: string;
  readonly subject: string;
  readonly fault: SignatureFault;
  /** With `unknown key`: the key's fingerprint, `SHA256:…`. */
  readonly key?: string;
  /** With `not theirs`: the principal of the signature; undefined when it has none. */
  readonly signer?: string;
  /** With `not theirs`: the parties whose signature is missing, such as `tenant shop`. */
  readonly missing?: readonly string[];
}

/** The signatures of a range of commits. */
export interface SignatureReport {
  /** Commits that were looked at. */
  readonly commits: number;
  /** The newest first. */
  readonly faulty: readonly FaultyCommit[];
  /** Merge commits that were passed because they change nothing by themselves. */
  readonly passed: number;
}
