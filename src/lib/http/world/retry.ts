import type { Clock } from '../../../core/interfaces/clock.ts';

/** One attempt, and when to make the next one; without `again`, its result is final. */
export interface Attempt<Result> {
  readonly result: Result;
  readonly again?: Again | undefined;
}

/** When to send a request again, in milliseconds. */
export interface Again {
  /** The pause that the server asks for. */
  readonly pause?: number | undefined;
  /** The first pause when the server asks for none; it doubles with each attempt. */
  readonly firstPause: number;
}

/** Limits of retries. Times are in milliseconds. */
export interface RetryLimits {
  readonly attempts: number;
  /** A longer pause is not made. */
  readonly longestPause: number;
  /** All pauses of one {@link Retries} together. */
  readonly allPauses: number;
}

/**
 * Repeats attempts with growing pauses. One object shares its budget of pauses among all requests.
 */
export class Retries {
  readonly #clock: Pick<Clock, 'pause'>;
  readonly #limits: RetryLimits;
  #left: number;

  constructor(clock: Pick<Clock, 'pause'>, limits: RetryLimits) {
    this.#clock = clock;
    this.#limits = limits;
    this.#left = limits.allPauses;
  }

  /**
   * The final attempt, or the last one within the limits with the pause that it would have needed.
   */
  async run<Result>(
    attempt: () => Promise<Attempt<Result>>,
  ): Promise<Attempt<Result> & { readonly pause: number }> {
    for (let attempts = 1; ; attempts += 1) {
      const made = await attempt();
      if (made.again === undefined) return { ...made, pause: 0 };
      const { pause = made.again.firstPause * 2 ** (attempts - 1) } = made.again;
      const isTooLong = pause > this.#limits.longestPause || pause > this.#left;
      if (attempts === this.#limits.attempts || isTooLong) return { ...made, pause };
      this.#left -= pause;
      await this.#clock.pause(pause);
    }
  }
}

/** Milliseconds of a `Retry-After` in seconds; undefined for a date or another value. */
export function retryAfterSeconds(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,7}$/.test(header) ? Number(header) * 1000 : undefined;
}
