import type { FamilyForecast } from '../ask/capacity/forecast-answer.ts';
import type { HistoryEventName } from '../ask/history/address-history-answer.ts';
import type { ListClaim } from '../ask/list-answer.ts';
import type { PoolUsage } from '../ask/pool-usage-answer.ts';

/** Which state of the tree a {@link Picture} shows. Without a commit it was no clone, or one without commits. */
export interface PictureRevision {
  /** The full object name. */
  readonly commit?: string;
  /** What was asked for, such as `main`; absent for the working tree. */
  readonly ref?: string;
  /** The committer's day, UTC. */
  readonly at?: string;
  /** True when the working tree has more than the commit. */
  readonly uncommitted?: true;
}

/** A pool, how full it is, and which of its addresses nobody may get. */
export interface PicturePool extends PoolUsage {
  /** Ranges in canonical form; those that `avoidBuggyIPs` leaves out are not among them. */
  readonly reservedRanges: readonly string[];
  /** IPv4 addresses that end in .0 or .255 are never given out. */
  readonly avoidBuggyIPs: boolean;
}

/** What is recorded of one address. */
export interface PictureRecord {
  readonly address: string;
  readonly pool: string;
  readonly holder: string;
  /** `released`: kept for this holder until `freeFrom`, and free for anyone from that day. */
  readonly state: 'held' | 'released';
  readonly since: string;
  readonly freeFrom?: string;
}

/** A holder and what stands on its addresses. One without a record waits for an address. */
export interface PictureHolder {
  readonly holder: string;
  /** Of an anycast group: those of its claims, with commas between. */
  readonly cluster: string;
  readonly claims: readonly ListClaim[];
}

/** A commit that changed records. Author and subject are not to be trusted. */
export interface PictureCommit {
  readonly commit: string;
  readonly at: string;
  readonly author: string;
  readonly subject: string;
  readonly request?: string;
}

/** A time in which one holder had an address, or it was kept for him, or nobody was recorded. */
export interface PicturePeriod {
  readonly state: 'held' | 'released' | 'none' | 'unreadable';
  readonly holder?: string;
  readonly freeFrom?: string;
  /** What began it. */
  readonly event: HistoryEventName;
  /** Which of {@link PicturePast.commits} did, counted from 0. */
  readonly by: number;
}

/** What git tells of the records. */
export interface PicturePast {
  /** True when the clone lacks older commits. */
  readonly shallow: boolean;
  /** How many older periods were left out, so that a browser can open the page; absent when none. */
  readonly left?: number;
  readonly commits: readonly PictureCommit[];
  /** By address: its periods, the oldest first. */
  readonly addresses: readonly {
    readonly address: string;
    readonly periods: readonly PicturePeriod[];
  }[];
}

/** All that the page shows of one state of the tree. */
export interface Picture {
  readonly apiVersion: 'leasehold.dev/v1';
  readonly kind: 'Picture';
  readonly revision: PictureRevision;
  /** The UTC day on which a released address counts as retained or as free. */
  readonly day: string;
  /** How many problems the declarations have: claims may be missing. */
  readonly problems: number;
  /** Why this is not the newest state; absent when it is. */
  readonly stale?: string;
  /** In the order of the pool file. */
  readonly pools: readonly PicturePool[];
  /** By address, IPv4 first. */
  readonly records: readonly PictureRecord[];
  /** By name. */
  readonly holders: readonly PictureHolder[];
  /** Absent where there is no git history, or nobody asked for it. */
  readonly past?: PicturePast;
  /** How use went and goes on, by pool in the order of the file; absent like the past. */
  readonly forecasts?: readonly FamilyForecast[];
}
