import type { Timeouts } from '../../core/interfaces/clock.ts';
import type { Day } from '../../core/model/day.ts';
import { EnvironmentError } from '../../core/model/problem.ts';
import { nothingPending } from '../../lib/forecast/capacity.ts';
import type { SeenPending } from '../../lib/service/serve-state.ts';
import type { BranchAnswer, BranchQuery } from './long-work.ts';

/** Why a poll failed. `bug` is the thrown value when it is a bug of leasehold. */
export interface PollFailure {
  /** One sentence, without a stack trace. */
  readonly reason: string;
  readonly bug?: unknown;
}

/** Describes anything that a poll threw. A bug does not stop the service. */
export function pollFailure(error: unknown): PollFailure {
  if (error instanceof EnvironmentError) return { reason: error.message };
  const message = error instanceof Error ? error.message : String(error);
  return { reason: `this is a bug of leasehold: ${message.split('\n', 1)[0]}`, bug: error };
}

export interface PendingPollsContext {
  readonly branches: (question: BranchQuery) => Promise<BranchAnswer>;
  readonly timeouts: Timeouts;
}

export interface PendingPoll {
  /** The served commit; undefined when there is none. */
  readonly target: string | undefined;
  readonly day: Day;
  /** The time of the poll, UTC. */
  readonly time: string;
}

/**
 * Milliseconds to wait for a poll, so that an unresponsive remote does not block the next poll of
 * the tree, or the first answer.
 */
const pollTimeouts = { first: 30_000, later: 5_000 } as const;

/**
 * Polls the open branches, one poll at a time. While no branch has moved, a poll is one request to
 * the remote.
 */
export class PendingPolls {
  readonly #context: PendingPollsContext;
  #seen: SeenPending = { pending: nothingPending, seenAt: undefined, reason: undefined };
  /** The fingerprint of the last successful poll. */
  #fingerprint: string | undefined;
  #underWay: Promise<void> | undefined;

  constructor(context: PendingPollsContext) {
    this.#context = context;
  }

  /**
   * Polls the branches. Returns the previous result with a reason when it fails or times out.
   */
  async poll(question: PendingPoll): Promise<SeenPending> {
    const { seenAt, reason } = this.#seen;
    const isFirst = seenAt === undefined && reason === undefined;
    this.#underWay ??= this.#see(question).finally(() => {
      this.#underWay = undefined;
    });
    const poll = this.#underWay;
    const time = isFirst ? pollTimeouts.first : pollTimeouts.later;
    if (!(await this.#context.timeouts.endsWithin(time, poll))) {
      const late = 'the poll of the branches has not finished yet';
      this.#seen = { ...this.#seen, reason: this.#seen.reason ?? late };
      return this.#seen;
    }
    await poll;
    return this.#seen;
  }

  async #see({ target, day, time }: PendingPoll): Promise<void> {
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
      this.#seen = { ...this.#seen, reason: pollFailure(error).reason };
    }
  }
}
