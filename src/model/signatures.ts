/**
 * Why a commit is not signed by an allowed signer, or not by one whom the policy before it allows what it changes:
 * `not theirs`; or why nobody can tell: `unreadable policy`.
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
  /** Whom the commit names as its author. Nobody vouches for it. */
  readonly author: string;
  readonly subject: string;
  readonly fault: SignatureFault;
  /** With `unknown key`: the key's fingerprint, `SHA256:…`. */
  readonly key?: string;
  /** With `not theirs`: the principal who signed it; undefined when nobody did. */
  readonly signer?: string;
  /** With `not theirs`: whose signer would have to, such as `tenant shop`. */
  readonly missing?: readonly string[];
}

/** What the signatures of a range of commits are. */
export interface SignatureReport {
  /** Commits that were looked at. */
  readonly commits: number;
  /** The newest first. */
  readonly faulty: readonly FaultyCommit[];
  /** Merge commits that were passed because they change nothing by themselves. */
  readonly passed: number;
}
