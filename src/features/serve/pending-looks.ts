import type { Timeouts } from '../../core/interfaces/clock.ts';
import type { Day } from '../../core/model/day.ts';
import { EnvironmentError } from '../../core/model/problem.ts';
import { nothingPending } from '../../lib/forecast/capacity.ts';
import type { SeenPending } from '../../lib/service/serve-state.ts';
import type { BranchAnswer, BranchQuery } from './long-work.ts';

/** Why a look failed. `bug` is the thrown value when it is a bug of leasehold. */
export interface LookFailure {
  /** One sentence, without a stack trace. */
  readonly reason: string;
  readonly bug?: unknown;
}

/** Describes anything that a look threw. A bug does not stop the service. */
export function lookFailure(error: unknown): LookFailure {
  if (error instanceof EnvironmentError) return { reason: error.message };
  const message = error instanceof Error ? error.message : String(error);
  return { reason: `this is a bug of leasehold: ${message.split('\n', 1)[0]}`, bug: error };
}

export interface PendingLooksContext {
  readonly branches: (question: BranchQuery) => Promise<BranchAnswer>;
  readonly timeouts: Timeouts;
}

export interface PendingLook {
  /** The served commit; undefined when there is none. */
  readonly target: string | undefined;
  readonly day: Day;
  /** The time of the look, UTC. */
  readonly time: string;
}

/**
 * Milliseconds to wait for a look, so that an unresponsive remote does not block the next look at
 * the tree, or the first answer.
 */
const lookTimeouts = { first: 30_000, later: 5_000 } as const;

/**
 * Polls the open branches, one look at a time. While no branch has moved, a look is one request to
 * the remote.
 */
export class PendingLooks {
  readonly #context: PendingLooksContext;
  #seen: SeenPending = { pending: nothingPending, seenAt: undefined, reason: undefined };
  /** The fingerprint of the last successful look. */
  #fingerprint: string | undefined;
  #underWay: Promise<void> | undefined;

  constructor(context: PendingLooksContext) {
    this.#context = context;
  }

  /**
   * Looks at the branches. Returns the previous result with a reason when it fails or times out.
   */
  async look(question: PendingLook): Promise<SeenPending> {
    const { seenAt, reason } = this.#seen;
    const isFirst = seenAt === undefined && reason === undefined;
    this.#underWay ??= this.#see(question).finally(() => {
      this.#underWay = undefined;
    });
    const look = this.#underWay;
    const time = isFirst ? lookTimeouts.first : lookTimeouts.later;
    if (!(await this.#context.timeouts.endsWithin(time, look))) {
      const late = 'the look at the branches has not finished yet';
      this.#seen = { ...this.#seen, reason: this.#seen.reason ?? late };
      return this.#seen;
    }
    await look;
    return this.#seen;
  }

  async #see({ target, day, time }: PendingLook): Promise<void> {
    try {
      if (target === undefined) throw new EnvironmentError('the served tree has no commit');
      const { branches } = this.#context;
      const { fingerprint, pending } = await branches({
        target,
        day,
        fingerprint: this.#fingerprint,
      });
      this.#fingerprint = fingerprint;
      this.#seen = { pending: pending ?? this.#seen.pending, seenAt: time, reason: undefined };
    } catch (error) {
      this.#seen = { ...this.#seen, reason: lookFailure(error).reason };
    }
  }
}
