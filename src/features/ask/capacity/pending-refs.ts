import type { Address } from '../../../net/address.ts';

/** An address that an open branch gives to a holder, and what it is given from does not. */
export interface PendingAddress {
  readonly address: Address;
  /** Undefined where its record cannot be read: then it counts for somebody of its own. */
  readonly holder: string | undefined;
  /** True for a holder that the branch moved there: it leaves another address. */
  readonly moved: boolean;
}

/** An open branch and what it would take if it was merged. */
export interface PendingRef {
  /** As the remote names it; not to be trusted. */
  readonly ref: string;
  /** Its head, by its full object name. */
  readonly commit: string;
  /** The committer's day of the head, UTC. */
  readonly day: string;
  readonly adds: readonly PendingAddress[];
}

/** A ref that was not counted although it may hold something, and why. */
export interface SkippedRef {
  readonly ref: string;
  readonly reason: string;
}

/** What open branches of a remote would take. */
export interface Pending {
  /** Those that add something, in the order of their names. */
  readonly refs: readonly PendingRef[];
  readonly skipped: readonly SkippedRef[];
  /** How many refs of lower numbers were not looked at. */
  readonly leftOut: number;
  /** False when an open branch that is not old may take more than what is counted. */
  readonly isComplete: boolean;
  /** True when the remote has no ref that was asked for, old or new. */
  readonly isNone?: boolean;
}
