import type { Address, Family } from '../../../net/address.ts';

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

/** What addresses are counted: of one family, or pairs of both in one pool. */
export const capacityFamilies = ['ipv4', 'ipv6', 'dual'] as const;

/** How many more addresses a zone has for Services of a cluster. Counts that can be many are decimal text. */
export interface ZoneCapacity {
  readonly cluster: string;
  readonly zone: string;
  /** `dual`: pairs, both of one pool. */
  readonly family: Family | 'dual';
  /** The pools that count: active, of the zone, and announced in the cluster. */
  readonly pools: readonly string[];
  /** Neither held nor retained nor reserved; with `dual`, pairs. */
  readonly free: string;
  /** Of those, what open branches and holders that wait for an address will take. */
  readonly pending: string;
  /** What may still be promised: without what is pending, and no more than the owner's quota leaves. */
  readonly promisable: string;
}

/** An open branch that takes addresses. */
export interface CapacityRef {
  readonly ref: string;
  readonly commit: string;
  readonly day: string;
  /** Those that it would take, IPv4 first. */
  readonly addresses: readonly string[];
}

/** What `leasehold capacity -o json` prints. */
export interface Capacity {
  readonly apiVersion: 'leasehold.dev/v1';
  readonly kind: 'Capacity';
  /** The day on which that many are free. */
  readonly day: string;
  /** The commit that was counted, if it is one; not there for a folder in no repository. */
  readonly commit?: string;
  /** True when changes that are not committed counted too. */
  readonly uncommitted: boolean;
  /** With an owner: what its quota leaves, and for nobody else it counts. */
  readonly owner?: string;
  /** Absent: as many as there are. */
  readonly quota?: number;
  /** What the quota leaves after what is held, retained and pending. */
  readonly left?: number;
  /** The rows that were asked for, by cluster and zone in the order of the pool file, then IPv4 first. */
  readonly items: readonly ZoneCapacity[];
  /** Open branches that take something. */
  readonly pending: readonly CapacityRef[];
  /** Holders that are declared and have no address yet. */
  readonly waiting: readonly string[];
  readonly skipped: readonly SkippedRef[];
  /** How many refs of lower numbers were not looked at. */
  readonly leftOut: number;
  /** False when an open branch that is not old may take more than what is counted. */
  readonly complete: boolean;
}
