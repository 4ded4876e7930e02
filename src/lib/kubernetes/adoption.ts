import type { Extension } from '../../core/interfaces/extension.ts';
import type { SourceTree } from '../../core/interfaces/tree.ts';
import type { History } from '../../core/interfaces/work-tree.ts';
import type { Day } from '../../core/model/day.ts';
import type { Layout } from '../../core/model/planes.ts';
import type { Outcome } from '../../core/model/problem.ts';
import type { ChangedTree } from '../../core/tree/changed-tree.ts';
import type { LiveCluster } from './live-cluster.ts';

/** The parts of a new pool file that a cluster does not tell. */
export interface AdoptionTerms {
  /** For an Akash provider, its address. */
  readonly provider: string | undefined;
  /** Undefined for that of the MetalLB that runs. */
  readonly metallb: string | undefined;
  /** The same for Cilium. */
  readonly cilium: string | undefined;
  readonly layout: Layout | undefined;
  readonly today: Day;
}

/** A live cluster declared in memory. */
export interface AdoptedCluster {
  readonly tree: ChangedTree;
  /** The summary for a person who decides whether to take it over. */
  readonly text: string;
}

/** The pools of a live cluster, and what has addresses of them. */
export interface FoundCluster {
  /**
   * Declares them in a tree without a pool file. Nothing is written. Problems: those of an import.
   */
  adopt(tree: SourceTree, history: History, terms: AdoptionTerms): Promise<Outcome<AdoptedCluster>>;
}

/**
 * Reads a live cluster for a new repository; undefined when it has no pools. Problems: those of an
 * import.
 */
export type ReadCluster = (cluster: LiveCluster) => Promise<Outcome<FoundCluster | undefined>>;

/** Where a feature that reads clusters offers it to `init`. */
export const adoption: Extension<ReadCluster> = { name: 'the adoption of a live cluster' };
