import type { Day } from '../../model/day.ts';
import { EnvironmentError } from '../../model/problem.ts';
import type { Patience } from '../../ports/patience.ts';
import { nothingPending } from '../ask/capacity/capacity.ts';
import type { Pending } from '../ask/capacity/pending.ts';
import type { BranchAnswer, BranchQuery } from './long-work.ts';

/** Why a look failed. `bug` is what was thrown when it is a fault of leasehold's own. */
export interface LookFailure {
  /** One sentence, without a stack. */
  readonly reason: string;
  readonly bug?: unknown;
}

/** What is told of anything that a look threw: a service outlives its own bugs. */
export function lookFailure(error: unknown): LookFailure {
  if (error instanceof EnvironmentError) return { reason: error.message };
  const message = error instanceof Error ? error.message : String(error);
  return { reason: `this is a bug of leasehold: ${message.split('\n', 1)[0]}`, bug: error };
}

/** What is known of open branches. */
export interface SeenPending {
  readonly pending: Pending;
  /** The time of the last good look at them, UTC; undefined before the first. */
  readonly seenAt: string | undefined;
  /** Why there is nothing newer; undefined after a good look. */
  readonly reason: string | undefined;
}

/** What open branches are looked at with. */
export interface PendingLooksContext {
  readonly branches: (question: BranchQuery) => Promise<BranchAnswer>;
  readonly patience: Patience;
}

/** What one look at open branches goes by. */
export interface PendingLook {
  /** The served commit; undefined when there is none. */
  readonly target: string | undefined;
  readonly day: Day;
  /** Of the look, UTC. */
  readonly time: string;
}

/** Milliseconds: a look at a remote that does not answer must not hold the next look at the tree, and the first answer not for ever. */
const patienceOf = { first: 30_000, later: 5_000 } as const;

/** Looks at open branches again and again, one look at a time. While none of them moved, one look is one question to the remote. */
export class PendingLooks {
  readonly #desk: PendingLooksContext;
  #seen: SeenPending = { pending: nothingPending, seenAt: undefined, reason: undefined };
  /** What the last good look went by. */
  #ground: string | undefined;
  #underWay: Promise<void> | undefined;

  constructor(desk: PendingLooksContext) {
    this.#desk = desk;
  }

  /** What is known after another look, or while one takes long. What is in the way becomes its reason. */
  async look(question: PendingLook): Promise<SeenPending> {
    const { seenAt, reason } = this.#seen;
    const isFirst = seenAt === undefined && reason === undefined;
    this.#underWay ??= this.#see(question).finally(() => {
      this.#underWay = undefined;
    });
    const look = this.#underWay;
    const time = isFirst ? patienceOf.first : patienceOf.later;
    if (!(await this.#desk.patience.endsWithin(time, look))) {
      const late = 'they have not all been looked at yet';
      this.#seen = { ...this.#seen, reason: this.#seen.reason ?? late };
      return this.#seen;
    }
    await look;
    return this.#seen;
  }

  async #see({ target, day, time }: PendingLook): Promise<void> {
    try {
      if (target === undefined) throw new EnvironmentError('what is served is in no commit');
      const { branches } = this.#desk;
      const { ground, pending } = await branches({ target, day, ground: this.#ground });
      this.#ground = ground;
      this.#seen = { pending: pending ?? this.#seen.pending, seenAt: time, reason: undefined };
    } catch (error) {
      this.#seen = { ...this.#seen, reason: lookFailure(error).reason };
    }
  }
}
