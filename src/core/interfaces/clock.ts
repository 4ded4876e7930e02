/** A clock for use cases that wait. */
export interface Clock {
  /** Milliseconds since an arbitrary moment; never goes back. */
  now(): number;
  /** Resolves after some milliseconds. Rejects when the signal aborts. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Milliseconds: the interval at which a {@link restUnlessStopped rest} checks for a stop. */
const slice = 100;

/** Pauses in slices, so that a stop takes effect quickly. */
export async function restUnlessStopped(
  clock: Clock,
  pause: number,
  isStopped: () => boolean,
): Promise<void> {
  const end = clock.now() + pause;
  for (let left = pause; left > 0 && !isStopped(); left = end - clock.now()) {
    await clock.pause(Math.min(left, slice));
  }
}

/** Time limits for work that may never end. */
export interface Timeouts {
  /**
   * True when the work settled within some milliseconds, even with an error. Work that did not
   * settle in time continues.
   */
  endsWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean>;
}
