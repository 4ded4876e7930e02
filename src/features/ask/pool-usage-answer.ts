import type { Family } from '../../net/address.ts';

/** How many addresses of one family of a pool are in use. Those that can be many are decimal text. */
export interface FamilyUsage {
  readonly family: Family;
  /** The declared ranges, in canonical form and numeric order. */
  readonly ranges: readonly string[];
  readonly total: string;
  /** Never given out: reserved, or left out by `avoidBuggyIPs`. */
  readonly reserved: string;
  readonly held: number;
  /** Released, and still kept for their last holders. */
  readonly retained: number;
  readonly free: string;
  /** What is not free of what can be given out, in whole per cent, rounded down. */
  readonly percent: number;
}

/** A pool and how full it is. */
export interface PoolUsage {
  readonly pool: string;
  readonly zone: string;
  readonly state: 'active' | 'draining';
  /** Those that the pool has, IPv4 first. */
  readonly families: readonly FamilyUsage[];
}

/** What `leasehold pools -o json` prints, in the order of the pool file. */
export interface PoolUsages {
  readonly apiVersion: 'leasehold.dev/v1';
  readonly kind: 'PoolUsages';
  /** The day on which that many are retained. */
  readonly day: string;
  readonly items: readonly PoolUsage[];
}
