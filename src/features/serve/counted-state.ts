import { type Allocation, isHeld } from '../../model/allocation.ts';
import { type Claim, declarerText } from '../../model/claim.ts';
import { compareText } from '../../model/order.ts';
import { capacityOf } from '../ask/capacity/capacity.ts';
import type { Known } from '../ask/known.ts';
import { poolUsages } from '../ask/pool-usage.ts';
import type { ClusterCount, CountedState } from './metrics.ts';
import type { Served } from './served.ts';
import { unixSeconds } from './unix-seconds.ts';

/**
 * What of a tree is counted for `/metrics` on a day. Every declared cluster is there, also with 0. A holder over clusters
 * counts in each; it waits when none of the records names it as who has the address.
 */
export function countedState({ known, day, pending, revision }: CountedOf): CountedState {
  const served = new Set(heldBy(known.table.values()));
  const claims = [...known.claims];
  const waiting = claims.filter(([holder]) => !served.has(holder));
  const count = (names: readonly (readonly [string, string])[]) => counts(known, names);
  const { commit } = revision;
  return {
    usages: poolUsages(known, day),
    capacity: capacityOf(known, { day }, pending).items,
    leases: count(declarers(claims, 'Lease')),
    services: count(declarers(claims, 'Service')),
    holders: count(holders(claims)),
    waiting: count(holders(waiting)),
    commit: commit?.id,
    committedAt: commit && unixSeconds(commit.at),
  };
}

type CountedOf = Pick<Served, 'known' | 'day' | 'pending' | 'revision'>;

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
  { pools }: Known,
  names: readonly (readonly [cluster: string, name: string])[],
): ClusterCount[] {
  const sets = new Map(pools.clusters.map(({ name }): [string, Set<string>] => [name, new Set()]));
  for (const [cluster, name] of names) sets.get(cluster)?.add(name);
  return [...sets]
    .map(([cluster, { size }]) => ({ cluster, count: size }))
    .sort((left, right) => compareText(left.cluster, right.cluster));
}
