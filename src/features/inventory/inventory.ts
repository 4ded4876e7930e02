import type { Position } from '../../core/model/problem.ts';

/** GPUs of one kind in a node. All texts are those of the labels of Akash's inventory operator. */
export interface Gpu {
  /** Such as `nvidia`. */
  readonly vendor: string;
  /** Such as `h100`. */
  readonly model: string;
  /** Such as `80Gi`; undefined when it is not declared. */
  readonly ram: string | undefined;
  /** `pcie`, `sxm`; undefined when it is not declared. */
  readonly interface: string | undefined;
  /** At least 1. */
  readonly count: number;
}

/** A node with the GPUs that it is expected to have. */
export interface InventoryNode {
  readonly name: string;
  /** No two are of one kind. */
  readonly gpus: readonly Gpu[];
  readonly at: Position;
}

/** Storage classes that nodes do not offer. */
interface NodeStorageExclusion {
  /** An RE2 pattern of the names of nodes. */
  readonly nodeFilter: string;
  /** Sorted; all are in `clusterStorage`. */
  readonly classes: readonly string[];
}

/** The inventory of a cluster: what its Akash provider is expected to offer. */
export interface Inventory {
  /** The name of the cluster. */
  readonly cluster: string;
  /** The storage classes that tenants can ask for, sorted. */
  readonly clusterStorage: readonly string[];
  readonly exclude: {
    /** RE2 patterns of the names of nodes that offer nothing. */
    readonly nodes: readonly string[];
    readonly nodeStorage: readonly NodeStorageExclusion[];
  };
  /** In the order of the file. */
  readonly nodes: readonly InventoryNode[];
}
