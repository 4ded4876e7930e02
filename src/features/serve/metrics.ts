import type { Family } from '../../net/address.ts';
import type { ZoneCapacity } from '../ask/capacity/capacity-answer.ts';
import type { PoolUsages } from '../ask/pool-usage-answer.ts';

/** How many stand in one cluster. */
export interface ClusterCount {
  readonly cluster: string;
  readonly count: number;
}

/** What is counted in one commit of a repository. */
export interface CountedState {
  readonly usages: PoolUsages;
  /** What may still be promised, of every zone in every cluster. */
  readonly capacity: readonly ZoneCapacity[];
  /** Akash leases that are declared. */
  readonly leases: readonly ClusterCount[];
  /** Services and reservations that are declared. */
  readonly services: readonly ClusterCount[];
  /** Holders that are declared, whether they have an address or wait for one. */
  readonly holders: readonly ClusterCount[];
  /** Holders that are declared and have no address in the records. */
  readonly waiting: readonly ClusterCount[];
  /** Of what is served: undefined where there is no commit. */
  readonly commit: string | undefined;
  /** When that was committed: seconds since 1970. */
  readonly committedAt: number | undefined;
}

/** What is known of open branches. */
export interface CountedBranches {
  /** Those that would take addresses if they were merged. */
  readonly pending: number;
  /** Those that are not counted although they may hold something. */
  readonly skipped: number;
  /** True when one that is not old may take more than what is counted. */
  readonly isIncomplete: boolean;
  /** True when the newest look at them failed. */
  readonly isStale: boolean;
}

/** When nothing of a family of a pool will be free, if its use goes on as it did. */
export interface Exhaustion {
  readonly pool: string;
  readonly zone: string;
  readonly family: Family;
  /** Midnight, UTC, that begins the first such day: seconds since 1970. */
  readonly at: number;
}

/** What `/metrics` tells: of the state that is served, and of whoever serves it. Times are seconds since 1970. */
export interface Metrics {
  /** The program's own. */
  readonly version: string;
  /** What is followed, for people. */
  readonly source: string;
  /** Undefined until a first look succeeded. */
  readonly state: CountedState | undefined;
  /** Of the families of pools for which one is foretold. */
  readonly exhaustions: readonly Exhaustion[];
  /** Open branches; undefined when they do not count, and before the first look at them. */
  readonly branches: CountedBranches | undefined;
  /** What is wrong with what the newest look saw; 0 before the first. */
  readonly problems: number;
  /** True while an older state is served than what is there, or none. */
  readonly isStale: boolean;
  /** How many looks there were, and how many of them failed. */
  readonly looks: { readonly all: number; readonly failed: number };
  /** The newest look, also one that failed; undefined before the first. */
  readonly lookedAt: number | undefined;
  /** Until when what is served was what is there: the newest look, or the first of those that make it stale. */
  readonly freshAt: number | undefined;
}
