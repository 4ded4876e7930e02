import { readKind } from '../../core/declarations/object-meta.ts';
import { compareText } from '../../core/model/order.ts';
import type { Pools } from '../../core/model/pools.ts';
import {
  failSorted,
  type Outcome,
  ok,
  type Position,
  type Problem,
} from '../../core/model/problem.ts';
import { declaredNames, didYouMean } from '../../core/text/message-text.ts';
import type { YamlDocument } from '../../core/text/yaml/document.ts';
import { problem } from './codes.ts';
import type { Inventory } from './inventory.ts';
import { inventorySchema, type WrittenInventory } from './schemas.ts';

/**
 * Reads the inventory file, `leases/inventory.yaml`: one inventory for each of its clusters, in the
 * order of the file. Checks that the clusters exist only when the pools are known. Problems: those
 * of {@link readKind} and {@link inventoryProblems}.
 */
export function readInventory(
  file: string,
  bytes: Uint8Array,
  pools: Pools | undefined,
): Outcome<readonly Inventory[]> {
  const read = readKind(file, bytes, { kind: 'Inventory', schema: inventorySchema });
  if (!read.ok) return read;
  const { written, document } = read.value;
  const problems = inventoryProblems(written, pools, document);
  if (problems.length > 0) return failSorted(problems);
  return ok(written.clusters.map((cluster, index) => normalized(cluster, index, document)));
}

type WrittenCluster = WrittenInventory['clusters'][number];

function normalized(
  { name, clusterStorage, exclude, nodes }: WrittenCluster,
  index: number,
  document: YamlDocument,
): Inventory {
  return {
    cluster: name,
    clusterStorage: clusterStorage.toSorted(compareText),
    exclude: {
      nodes: exclude.nodes,
      nodeStorage: exclude.nodeStorage.map(({ nodeFilter, classes }) => ({
        nodeFilter,
        classes: classes.toSorted(compareText),
      })),
    },
    nodes: nodes.map((node, place) => ({
      name: node.name,
      gpus: node.gpus.map((gpu) => ({ ...gpu, ram: gpu.ram, interface: gpu.interface })),
      at: document.at(['clusters', index, 'nodes', place]),
    })),
  };
}

/** Returns the position of a field of a cluster. */
type Place = (...path: readonly PropertyKey[]) => Position;

/**
 * Problems of a well-formed inventory, and between it and the pools: INVENTORY_DUPLICATE for a
 * cluster, a storage class, a node or a GPU that is listed twice; CLUSTER_UNKNOWN;
 * STORAGE_CLASS_UNKNOWN for an excluded class that is not in `clusterStorage`, which the inventory
 * operator refuses.
 */
function inventoryProblems(
  { clusters }: WrittenInventory,
  pools: Pools | undefined,
  document: YamlDocument,
): Problem[] {
  const placeIn = (index: number): Place => {
    return (...path) => document.at(['clusters', index, ...path]);
  };
  return [
    ...duplicates(
      clusters.map(({ name }, index) => [`the cluster '${name}'`, placeIn(index)('name')]),
    ),
    ...clusters.flatMap((cluster, index) => [
      ...unknownCluster(cluster, pools, placeIn(index)('name')),
      ...listedTwice(cluster, placeIn(index)),
      ...unknownClasses(cluster, placeIn(index)),
    ]),
  ];
}

function unknownCluster(
  { name }: WrittenCluster,
  pools: Pools | undefined,
  at: Position,
): Problem[] {
  const known = pools?.clusters.map((cluster) => cluster.name);
  if (!known || known.includes(name)) return [];
  const message = `the cluster '${name}' is not declared in leases/pools.yaml`;
  return [{ code: 'CLUSTER_UNKNOWN', message, at, ...declaredNames('cluster', name, known) }];
}

function listedTwice({ clusterStorage, exclude, nodes }: WrittenCluster, place: Place): Problem[] {
  const classes = (names: readonly string[], ...path: readonly PropertyKey[]) =>
    duplicates(names.map((name, index) => [`the storage class '${name}'`, place(...path, index)]));
  return [
    ...classes(clusterStorage, 'clusterStorage'),
    ...exclude.nodeStorage.flatMap((one, index) =>
      classes(one.classes, 'exclude', 'nodeStorage', index, 'classes'),
    ),
    ...duplicates(
      nodes.map(({ name }, index) => [`the node '${name}'`, place('nodes', index, 'name')]),
    ),
    ...nodes.flatMap(({ gpus }, index) =>
      duplicates(
        gpus.map(({ vendor, model, ram, interface: bus }, which) => [
          `the GPU ${[vendor, model, ram, bus].filter((word) => word !== undefined).join(' ')}`,
          place('nodes', index, 'gpus', which),
        ]),
      ),
    ),
  ];
}

/** INVENTORY_DUPLICATE for each name that repeats an earlier one of the list. */
function duplicates(named: readonly (readonly [name: string, at: Position])[]): Problem[] {
  const first = new Map<string, Position>();
  return named.flatMap(([name, at]): Problem[] => {
    const other = first.get(name);
    if (other === undefined) {
      first.set(name, at);
      return [];
    }
    return [
      { code: problem.INVENTORY_DUPLICATE, message: `${name} is listed twice`, at, also: [other] },
    ];
  });
}

function unknownClasses({ clusterStorage, exclude }: WrittenCluster, place: Place): Problem[] {
  return exclude.nodeStorage.flatMap(({ classes }, index) =>
    classes.flatMap((name, which): Problem[] => {
      if (clusterStorage.includes(name)) return [];
      const message = `the storage class '${name}' is not in clusterStorage`;
      const at = place('exclude', 'nodeStorage', index, 'classes', which);
      const hint = didYouMean(name, clusterStorage);
      return [{ code: problem.STORAGE_CLASS_UNKNOWN, message, at, ...hint }];
    }),
  );
}
