import type { Family } from '../../net/address.ts';

/** How many addresses of one family an owner has in a zone. */
export interface OwnerPart {
  /** Undefined for addresses that no declared pool has any more. */
  readonly zone?: string;
  readonly family: Family;
  readonly held: number;
  /** Released, and still kept for the owner. */
  readonly retained: number;
}

/** An owner and what it has. */
export interface OwnerUsage {
  /** An Akash account, or `<cluster>/<namespace>` of Services. */
  readonly owner: string;
  readonly held: number;
  readonly retained: number;
  /** Undefined for as many as there are. */
  readonly quota?: number;
  /** How many more it may be given on that day; 0 also when it has too many. Undefined without a quota. */
  readonly left?: number;
  /** By zone, then IPv4 first. */
  readonly parts: readonly OwnerPart[];
}

/** What `leasehold pools --owners -o json` prints, by owner. */
export interface OwnerUsages {
  readonly apiVersion: 'leasehold.dev/v1';
  readonly kind: 'OwnerUsages';
  /** The day on which that many are retained. */
  readonly day: string;
  readonly items: readonly OwnerUsage[];
}
