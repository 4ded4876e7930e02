import { type Allocation, isHeld } from '../../core/model/allocation.ts';
import { type Claim, declarerText } from '../../core/model/claim.ts';
import { isPromiseOver } from '../../core/model/lease.ts';
import { compareText } from '../../core/model/order.ts';
import type { Family } from '../../core/net/address.ts';
import { capacityOf } from '../../lib/forecast/capacity.ts';
import type { ZoneCapacity } from '../../lib/forecast/capacity-answer.ts';
import type { Forecasts } from '../../lib/forecast/forecast-answer.ts';
import { poolUsages } from '../../lib/list/pool-usage.ts';
import type { PoolUsages } from '../../lib/list/pool-usage-answer.ts';
import type { WorkspaceSnapshot } from '../../lib/list/workspace-snapshot.ts';
import type { SeenPending } from '../../lib/service/serve-state.ts';
import {
  capacityInputOf,
  type ServedTree,
  type ServeState,
} from '../../lib/service/serve-state.ts';
import { unixSeconds } from './time-formats.ts';

export interface ClusterCount {
  readonly cluster: string;
  readonly count: number;
}

/** The counts of one served tree. */
export interface CountedState {
  readonly usages: PoolUsages;
  /** The capacity of every zone in every cluster. */
  readonly capacity: readonly ZoneCapacity[];
  /** Declared Akash leases. */
  readonly leases: readonly ClusterCount[];
  /** Declared Services and Reservations. */
  readonly services: readonly ClusterCount[];
  /** Declared holders, with or without an address. */
  readonly holders: readonly ClusterCount[];
  /** Declared holders without an address in the records. */
  readonly waiting: readonly ClusterCount[];
  /** Declared promises. */
  readonly promises: readonly ClusterCount[];
  /** Those whose last day is over. */
  readonly promisesOver: readonly ClusterCount[];
  /** The served commit; undefined without one. */
  readonly commit: string | undefined;
  /** The commit date as Unix time in seconds. */
  readonly committedAt: number | undefined;
}

/** The counts of open branches. */
export interface CountedBranches {
  /** Branches that would allocate addresses when merged. */
  readonly pending: number;
  /** Branches that could not be read. */
  readonly skipped: number;
  /** True when a recent branch may take more than is counted. */
  readonly isIncomplete: boolean;
  /** True when the last poll of them failed. */
  readonly isStale: boolean;
}

/** The forecast exhaustion of a family of a pool. */
interface Exhaustion {
  readonly pool: string;
  readonly zone: string;
  readonly family: Family;
  /** The start of the first day on which nothing is free, as Unix time in seconds. */
  readonly at: number;
}

/** The content of `/metrics`. Times are Unix times in seconds. */
export interface Metrics {
  /** The version of leasehold. */
  readonly version: string;
  /** A human-readable name of the followed tree. */
  readonly source: string;
  /** Undefined until the first successful poll. */
  readonly state: CountedState | undefined;
  /** One for each family of a pool that is forecast to be exhausted. */
  readonly exhaustions: readonly Exhaustion[];
  /** Undefined when open branches are not counted, and before the first poll of them. */
  readonly branches: CountedBranches | undefined;
  /** The number of problems the last poll found; 0 before the first. */
  readonly problems: number;
  /** True while the served tree is not the latest one, or nothing is served. */
  readonly isStale: boolean;
  /** The number of polls, and the number of failed ones. */
  readonly polls: { readonly all: number; readonly failed: number };
  /** The time of the last poll, successful or not; undefined before the first. */
  readonly polledAt: number | undefined;
  /**
   * The last time the served tree was the latest one: the last poll, or the first one since it is
   * stale.
   */
  readonly freshAt: number | undefined;
}

/**
 * Counts a served tree. Every declared cluster is listed, even with a count of 0. A holder in
 * several clusters counts in each of them. A holder without a held address is waiting.
 */
export function countedState(served: ServedTree): CountedState {
  const { snapshot, day, pending, revision } = served;
  const serving = new Set(heldBy(snapshot.table.values()));
  const claims = [...snapshot.claims];
  const promises = [...snapshot.promises.values()];
  const holders = holdersIn(snapshot);
  const count = (names: readonly (readonly [string, string])[]) => counts(snapshot, names);
  const { commit } = revision;
  return {
    usages: poolUsages(snapshot, day),
    capacity: capacityOf(snapshot, { day }, pending, capacityInputOf(served)).items,
    leases: count(declarers(claims, 'Lease')),
    services: count(declarers(claims, 'Service')),
    holders: count(holders),
    waiting: count(holders.filter(([, holder]) => !serving.has(holder))),
    promises: count(promises.map(inCluster)),
    promisesOver: count(promises.filter((promise) => isPromiseOver(promise, day)).map(inCluster)),
    commit: commit?.id,
    committedAt: commit && unixSeconds(commit.at),
  };
}

type Claims = readonly (readonly [string, readonly Claim[]])[];

function* heldBy(records: Iterable<Allocation>): Iterable<string> {
  for (const record of records) if (isHeld(record)) yield record.holder;
}

function declarers(groups: Claims, kind: Claim['kind']): [string, string][] {
  return groups.flatMap(([, claims]) =>
    claims
      .filter((claim) => claim.kind === kind)
      .map((claim): [string, string] => [claim.cluster, declarerText(claim)]),
  );
}

function holdersIn({ claims, promises }: WorkspaceSnapshot): [string, string][] {
  return [...[...claims.values()].flat(), ...promises.values()].map(inCluster);
}

function inCluster({ cluster, holder }: Pick<Claim, 'cluster' | 'holder'>): [string, string] {
  return [cluster, holder];
}

/** Returns the number of distinct names in each cluster. */
function counts(
  { pools }: WorkspaceSnapshot,
  names: readonly (readonly [cluster: string, name: string])[],
): ClusterCount[] {
  const sets = new Map(pools.clusters.map(({ name }): [string, Set<string>] => [name, new Set()]));
  for (const [cluster, name] of names) sets.get(cluster)?.add(name);
  return [...sets]
    .map(([cluster, { size }]) => ({ cluster, count: size }))
    .sort((left, right) => compareText(left.cluster, right.cluster));
}

/** The cached parts of the metrics. */
interface Counted {
  readonly state: CountedState | undefined;
  readonly forecasts: Forecasts | undefined;
}

/** Returns the metrics of a state. */
export function metricsOf(
  { source, served, stale, polls, polledAt, branches }: ServeState,
  version: string,
  { state, forecasts }: Counted,
): Metrics {
  const newest = stale?.problems ?? [];
  const freshAt = served && (stale?.since ?? polledAt);
  return {
    version,
    source,
    state,
    exhaustions: state && forecasts ? exhaustionsIn(state, forecasts) : [],
    branches: branches && countedBranches(branches),
    problems: newest.length > 0 ? newest.length : (served?.snapshot.problems.length ?? 0),
    isStale: stale !== undefined || served === undefined,
    polls,
    polledAt: polledAt === undefined ? undefined : unixSeconds(polledAt),
    freshAt: freshAt === undefined ? undefined : unixSeconds(freshAt),
  };
}

/** The forecasts may be of an earlier tree, so pools that are no longer declared are omitted. */
function exhaustionsIn({ usages }: CountedState, { items }: Forecasts): readonly Exhaustion[] {
  const declared = new Set(usages.items.map(({ pool, zone }) => `${pool} ${zone}`));
  return items.flatMap(({ pool, zone, family, exhausted }) => {
    const at = exhausted === undefined ? undefined : unixSeconds(`${exhausted}T00:00:00Z`);
    return at === undefined || !declared.has(`${pool} ${zone}`) ? [] : [{ pool, zone, family, at }];
  });
}

function countedBranches({ pending, reason }: SeenPending): CountedBranches {
  const { refs, skipped, isComplete } = pending;
  return {
    pending: refs.length,
    skipped: skipped.length,
    isIncomplete: !isComplete,
    isStale: reason !== undefined,
  };
}
