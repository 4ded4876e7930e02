import { type Allocation, type AllocationTable, isHeld } from '../model/allocation.ts';
import type { Claim } from '../model/claim.ts';
import { clusterOfHolder } from '../model/holder-cluster.ts';
import { compareText } from '../model/order.ts';
import type { Pools } from '../model/pools.ts';
import { type Position, type Problem, placeText } from '../model/problem.ts';

const shownPlaces = 10;

/**
 * CLUSTER_HOLDS for every cluster that is not declared and still holds addresses: its leases would be taken down
 * without having ended, or go to another cluster. Names the declarations that now are of another cluster, or else
 * the allocation files.
 */
export function removedClusters(
  { clusters, clustersAt }: Pools,
  table: AllocationTable,
  claims: readonly Claim[],
): Problem[] {
  const names = new Set(clusters.map(({ name }) => name));
  const held = new Map<string, Allocation[]>();
  for (const record of table.values()) {
    const cluster = clusterOfHolder(record.holder);
    if (cluster === undefined || names.has(cluster) || !isHeld(record)) continue;
    const records = held.get(cluster);
    if (records) records.push(record);
    else held.set(cluster, [record]);
  }
  if (held.size === 0) return [];
  const claimsByHolder = new Map(claims.map((claim) => [inCluster(claim.holder), claim]));
  return [...held].map(([cluster, records]): Problem => {
    const found = records
      .map((record) => claimsByHolder.get(inCluster(record.holder))?.at ?? record.at)
      .filter((place) => place !== undefined);
    const places = new Map(found.map((place) => [placeText(place), place]));
    const count = records.length === 1 ? '1 address is' : `${records.length} addresses are`;
    return {
      code: 'CLUSTER_HOLDS',
      message: `the cluster '${cluster}' is not declared any more, and ${count} held in it`,
      at: clustersAt,
      also: [...places.values()].sort(comparePlaces).slice(0, shownPlaces),
      hint: `put it back, end its leases with leasehold cleanup --cluster ${cluster}, and remove it once that is applied`,
    };
  });
}

/** A holder's id without the cluster. */
function inCluster(holder: string): string {
  return holder.slice(holder.indexOf('/') + 1);
}

function comparePlaces(left: Position, right: Position): number {
  return compareText(left.file, right.file) || left.line - right.line || left.column - right.column;
}
