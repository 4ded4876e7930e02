import { type Allocation, isHeld } from '../../model/allocation.ts';
import { type Claim, declarerText } from '../../model/claim.ts';
import { compareText } from '../../model/order.ts';
import type { Family } from '../../net/address.ts';
import { capacityOf } from '../ask/capacity/capacity.ts';
import type { ZoneCapacity } from '../ask/capacity/capacity-answer.ts';
import type { Forecasts } from '../ask/capacity/forecast-answer.ts';
import { poolUsages } from '../ask/pool-usage.ts';
import type { PoolUsages } from '../ask/pool-usage-answer.ts';
import type { WorkspaceSnapshot } from '../ask/workspace-snapshot.ts';
import type { SeenPending } from './pending-looks.ts';
import type { ServedTree, ServeState } from './serve-state.ts';
import { unixSeconds } from './time-formats.ts';

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

/**
 * What of a tree is counted for `/metrics` on a day. Every declared cluster is there, also with 0. A holder over clusters
 * counts in each; it waits when none of the records names it as who has the address.
 */
export function countedState({ snapshot, day, pending, revision }: CountedOf): CountedState {
  const served = new Set(heldBy(snapshot.table.values()));
  const claims = [...snapshot.claims];
  const waiting = claims.filter(([holder]) => !served.has(holder));
  const count = (names: readonly (readonly [string, string])[]) => counts(snapshot, names);
  const { commit } = revision;
  return {
    usages: poolUsages(snapshot, day),
    capacity: capacityOf(snapshot, { day }, pending).items,
    leases: count(declarers(claims, 'Lease')),
    services: count(declarers(claims, 'Service')),
    holders: count(holders(claims)),
    waiting: count(holders(waiting)),
    commit: commit?.id,
    committedAt: commit && unixSeconds(commit.at),
  };
}

type CountedOf = Pick<ServedTree, 'snapshot' | 'day' | 'pending' | 'revision'>;

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

function holders(groups: Claims): [string, string][] {
  return groups.flatMap(([holder, claims]) =>
    claims.map((claim): [string, string] => [claim.cluster, holder]),
  );
}

/** How many different names each cluster has. */
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

/** What is made of a served state, and not anew for each question. */
interface Counted {
  readonly state: CountedState | undefined;
  readonly forecasts: Forecasts | undefined;
}

/** What is measured at one moment. */
export function metricsOf(
  { source, served, stale, looks, lookedAt, branches }: ServeState,
  version: string,
  { state, forecasts }: Counted,
): Metrics {
  const newest = stale?.problems ?? [];
  const freshAt = served && (stale?.since ?? lookedAt);
  return {
    version,
    source,
    state,
    exhaustions: state && forecasts ? exhaustionsIn(state, forecasts) : [],
    branches: branches && countedBranches(branches),
    problems: newest.length > 0 ? newest.length : (served?.snapshot.problems.length ?? 0),
    isStale: stale !== undefined || served === undefined,
    looks,
    lookedAt: lookedAt === undefined ? undefined : unixSeconds(lookedAt),
    freshAt: freshAt === undefined ? undefined : unixSeconds(freshAt),
  };
}

/** A forecast may be of an earlier state: what is no longer declared has none. */
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
