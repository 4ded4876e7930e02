import type { Pending } from '../../model/capacity.ts';
import type { Day } from '../../model/day.ts';
import { EnvironmentError } from '../../model/problem.ts';
import { nothingPending } from '../ask/capacity.ts';
import { type PendingPorts, pendingOf } from '../ask/pending.ts';
import type { RemoteHead } from '../ports/remote-heads.ts';

/** What is known of open branches. */
export interface SeenPending {
  readonly pending: Pending;
  /** The time of the last good look at them, UTC; undefined before the first. */
  readonly seenAt: string | undefined;
  /** Why there is nothing newer; undefined after a good look. */
  readonly reason: string | undefined;
}

/** Where open branches are found, and which of them count: see {@link pendingOf}. */
export interface PendingDesk {
  /** Asked for every reading, so that nothing of earlier ones is kept. */
  readonly ports: () => PendingPorts;
  readonly patterns: readonly string[];
  readonly days: number;
}

/** What one look at open branches goes by. */
export interface PendingLook {
  /** The served commit; undefined when there is none. */
  readonly target: string | undefined;
  readonly day: Day;
  /** Of the look, UTC. */
  readonly time: string;
}

/** Looks at open branches again and again. While none of them moved, one look is one question to the remote. */
export class PendingLooks {
  readonly #desk: PendingDesk;
  #seen: SeenPending = { pending: nothingPending, seenAt: undefined, reason: undefined };
  /** What the last good look went by. */
  #ground: string | undefined;

  constructor(desk: PendingDesk) {
    this.#desk = desk;
  }

  /** What is known after another look. What is in the way becomes its reason. */
  async look({ target, day, time }: PendingLook): Promise<SeenPending> {
    try {
      if (target === undefined) throw new EnvironmentError('what is served is in no commit');
      const ports = this.#desk.ports();
      const { patterns, days } = this.#desk;
      const listed = await ports.heads.list(patterns);
      const ground = JSON.stringify([target, day, listed.map(headText).sort()]);
      if (ground !== this.#ground) {
        const heads = { ...ports.heads, list: async () => listed };
        const pending = await pendingOf({ ...ports, heads }, { patterns, days, target, day });
        this.#seen = { ...this.#seen, pending };
        this.#ground = ground;
      }
      this.#seen = { ...this.#seen, seenAt: time, reason: undefined };
    } catch (error) {
      if (!(error instanceof EnvironmentError)) throw error;
      this.#seen = { ...this.#seen, reason: error.message };
    }
    return this.#seen;
  }
}

function headText({ ref, commit }: RemoteHead): string {
  return `${commit} ${ref}`;
}
