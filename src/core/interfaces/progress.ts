/** The phases of a run, in their order. */
export const phases = ['read', 'allocate', 'render', 'write'] as const;

export type Phase = (typeof phases)[number];

/** Follows how far a run is. */
export interface Progress {
  /** Begins a phase and ends the one before. `total` is the number of its steps, if known. */
  begin(phase: Phase, total?: number): void;
  /** Counts one step of a phase. Does nothing when another phase is running. */
  step(phase: Phase): void;
  /** Ends the phase, when something else follows, such as the answer of a cluster. */
  end(): void;
}
