/** A clock for use cases that wait. */
export interface Clock {
  /** Milliseconds since an arbitrary moment; never goes back. */
  now(): number;
  /** Resolves after some milliseconds. */
  pause(milliseconds: number): Promise<void>;
}

/** Time limits for work that may never end. */
export interface Timeouts {
  /**
   * True when the work settled within some milliseconds, even with an error. Work that did not
   * settle in time continues.
   */
  endsWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean>;
}
