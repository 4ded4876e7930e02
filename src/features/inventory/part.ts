import type { SourceTree } from '../../core/interfaces/tree.ts';
import type { Pools } from '../../core/model/pools.ts';
import { type Outcome, ok } from '../../core/model/problem.ts';
import { leasesFolder } from '../../core/model/repository-paths.ts';
import { readLeaseFile } from '../../core/tree/declared.ts';
import type { LeaseFileKind, Part } from '../../core/tree/parts.ts';
import { inventoryProblems } from './codes.ts';
import type { Inventory } from './inventory.ts';
import { inventoryManifest, inventoryOperator } from './inventory-config.ts';
import { readInventory } from './inventory-file.ts';

/** The inventory file. Each of its clusters gets the ConfigMap of Akash's inventory operator. */
export const inventoryFile: LeaseFileKind<readonly Inventory[]> = {
  path: `${leasesFolder}/inventory.yaml`,
  read: readInventory,
  files: (inventories, cluster) =>
    inventories
      .filter((one) => one.cluster === cluster.name)
      .map((inventory) => ({
        identity: 'inventory',
        folder: '_inventory',
        name: inventoryOperator.name,
        objects: [inventoryManifest(inventory)],
      })),
};

export const inventoryPart: Part = { leaseFiles: [inventoryFile], codes: inventoryProblems };

/** The declared inventory of a cluster; undefined when there is none. */
export function inventoryOf(
  tree: SourceTree,
  pools: Pools,
  cluster: string,
): Outcome<Inventory | undefined> {
  const read = readLeaseFile(tree, inventoryFile, pools);
  return read.ok ? ok(read.value?.find((one) => one.cluster === cluster)) : read;
}
