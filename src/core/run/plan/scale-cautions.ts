import type { SourceTree } from '../../interfaces/tree.ts';
import { documentsIn } from '../../manifests/live-facts.ts';
import { shardOf } from '../../manifests/paths.ts';
import { type AllocationTable, isHeld } from '../../model/allocation.ts';
import { holderParts } from '../../model/holder.ts';
import { hasHeldPools } from '../../model/planes.ts';
import { type Cluster, shardCounts } from '../../model/pools.ts';
import { startOf } from '../../model/problem.ts';
import { distFolder, poolsPath } from '../../model/repository-paths.ts';
import type { FileChange } from '../../tree/file-changes.ts';
import { textIn } from '../../tree/tree-reader.ts';
import type { Review } from '../review/review.ts';
import { planPlace } from './address-changes.ts';
import type { Caution } from './plan-answer.ts';

/**
 * The objects that one Application or Kustomization should have at most: Argo CD compares all of
 * them with the cluster, and Flux applies all of them as a dry run, at each commit.
 */
export const mostObjects = 2_000;

/** Shards differ in size: the fullest of 16 has about a fifth more than the mean. */
const fullestShard = 1.25;

/**
 * The addresses that a cluster with `layout: lease` should hold at most. Each has an IPAddressPool
 * of its own, and MetalLB reads and compares all of them for each that comes: one more lease takes a
 * second beside 100 leases, and 16 seconds beside 1,000 (`npm run bench:layouts` with MetalLB 0.16.1
 * on two cores; with `layout: pool` half a second). This is a choice between the two.
 */
export const mostHeldPools = 500;

/** ENGINE_LOADED for each folder of an engine that a change takes past {@link mostObjects}. */
export function engineCautions({ head, manifests, comparison }: Review): Caution[] {
  return (head.pools?.clusters ?? []).flatMap((cluster) => {
    const own = manifests.filter(({ path }) => path.split('/')[1] === cluster.name);
    const shards = new Set(own.map(({ path }) => shardOf(path, cluster.shards)));
    return [...shards].flatMap((shard): Caution[] => {
      const isIn = ({ path }: { readonly path: string }) => shardOf(path, cluster.shards) === shard;
      const files = filesIn(comparison.headTree, cluster).filter(isIn);
      const growth = growthOf(own.filter(isIn));
      // Every file has an object: often it is known without reading that there were too many.
      if (growth <= 0 || files.length - growth > mostObjects) return [];
      const texts = files.map(({ path }) => textIn(comparison.headTree, path));
      const after = texts.reduce((sum, text) => sum + documentsIn(text).length, 0);
      if (after <= mostObjects || after - growth > mostObjects) return [];
      const where = shard === '' ? `cluster ${cluster.name}` : `shard ${shard} of ${cluster.name}`;
      const message = `${where} would have ${after} objects in one Application or Kustomization${advice(cluster, after)}`;
      return [{ code: 'ENGINE_LOADED', message, at: clustersPlace(head) }];
    });
  });
}

/** How many shards would be enough. */
function advice({ shards }: Cluster, objects: number): string {
  const enough = shardCounts.find(
    (count) => count > shards && (objects * shards * fullestShard) / count <= mostObjects,
  );
  return enough === undefined ? '' : `; shards: ${enough} would be enough`;
}

function filesIn(tree: SourceTree, { name }: Cluster) {
  return tree.list(`${distFolder}/${name}`).filter(({ kind }) => kind === 'file');
}

function growthOf(files: readonly FileChange[]): number {
  const count = (text: string | undefined) => (text === undefined ? 0 : documentsIn(text).length);
  return files.reduce((sum, { before, after }) => sum + count(after) - count(before), 0);
}

/** LAYOUT_COSTLY for each cluster with `layout: lease` that a change takes past {@link mostHeldPools}. */
export function layoutCautions({ base, head }: Review): Caution[] {
  const [before, after] = [holdersByCluster(base.table), holdersByCluster(head.table)];
  return (head.pools?.clusters ?? []).flatMap(({ name, plane }): Caution[] => {
    const [was, is] = [before.get(name) ?? 0, after.get(name) ?? 0];
    if (!hasHeldPools(plane) || is <= mostHeldPools || was > mostHeldPools) return [];
    const message = `cluster ${name} would have ${is} IPAddressPools with layout: lease; \`leasehold migrate-layout pool --cluster ${name}\` changes it without an outage`;
    return [{ code: 'LAYOUT_COSTLY', message, at: clustersPlace(head) }];
  });
}

function clustersPlace({ pools }: Review['head']) {
  return planPlace('head', pools?.clustersAt ?? startOf(poolsPath));
}

/** The number of holders with an address in each cluster: each has one pool. */
function holdersByCluster(table: AllocationTable): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const holder of new Set([...table.values()].filter(isHeld).map((record) => record.holder))) {
    const cluster = holderParts(holder).cluster;
    if (cluster !== undefined) counts.set(cluster, (counts.get(cluster) ?? 0) + 1);
  }
  return counts;
}
