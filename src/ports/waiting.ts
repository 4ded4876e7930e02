/** The clock of a use case that waits. */
export interface Waiting {
  /** Milliseconds since some moment. */
  now(): number;
  /** Resolves after some milliseconds. */
  pause(milliseconds: number): Promise<void>;
}
