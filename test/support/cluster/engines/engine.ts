import type { KubeObject } from '../kube.ts';
import type { Running } from '../machines/keeper.ts';
import type { Machine } from '../machines/machine.ts';

/** A GitOps engine that follows a repository's `main` and applies `dist/default`, or each shard of it. */
export interface Engine {
  readonly programs: readonly Running[];
  /** Waits until the engine itself says that it has applied a commit, or an artifact, and nothing is left to do. */
  synced(commit: string): Promise<void>;
  /** What the engine says is wrong; asks it to look at git first. */
  complaint(): Promise<string>;
  /** Goes by other printed objects of the same names from now on. */
  turn(printed: readonly KubeObject[], url: string): Promise<void>;
  /** Lets nothing be applied until {@link resume}. */
  suspend(): Promise<void>;
  resume(): Promise<void>;
  /** Ends its programs. */
  stop(): Promise<void>;
}

/** The part of a cluster that an engine works on. */
export type Host = Pick<Machine, 'plane' | 'keeper' | 'folder'>;

/**
 * Installs an engine and points it at a repository, with the objects that `leasehold gitops` prints for it: those of
 * docs/gitops.md when left out.
 */
export type StartEngine = (
  machine: Host,
  url: string,
  printed?: readonly KubeObject[],
) => Promise<Engine>;

/**
 * Milliseconds within which an engine must have applied a commit with so many objects of its own. Flux took more than three
 * minutes for ten commits beside 300 leases, on two busy cores.
 */
export function syncTime({ length }: readonly KubeObject[]): number {
  return 480_000 + 1_000 * length;
}
