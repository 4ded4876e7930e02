import type { Running } from './keeper.ts';
import type { Machine } from './machine.ts';

/** A GitOps engine that follows a repository's `main` and applies `dist/default`. */
export interface Engine {
  readonly programs: readonly Running[];
  /** Waits until the engine itself says that it has applied a commit, and nothing is left to do. */
  synced(commit: string): Promise<void>;
  /** What the engine says is wrong; asks it to look at git first. */
  complaint(): Promise<string>;
  /** Lets nothing be applied until {@link resume}. */
  suspend(): Promise<void>;
  resume(): Promise<void>;
  /** Ends its programs. */
  stop(): Promise<void>;
}

/** Installs an engine and points it at a repository. */
export type StartEngine = (machine: Machine, url: string) => Promise<Engine>;

/** Milliseconds within which an engine must have applied a commit. */
export const syncTime = 180_000;
