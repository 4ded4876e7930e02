import { EnvironmentError } from '../../core/model/problem.ts';
import type { Ledger } from '../../lib/history/address-history.ts';
import type { GitWork } from '../../lib/service/serve-state.ts';

/** Limits concurrent work. The queue of waiting work is limited too. */
export interface Semaphore {
  /** Returns the result of the work; undefined when the queue is full. */
  run<Value>(work: () => Promise<Value>): Promise<Value | undefined>;
}

/** Returns a semaphore with a limit of running work, and a limit of waiting work. */
export function semaphore(maxRunning: number, maxWaiting: number): Semaphore {
  const queue: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running >= maxRunning) {
        if (queue.length >= maxWaiting) return undefined;
        await new Promise<void>((resolve) => queue.push(resolve));
      } else {
        running += 1;
      }
      try {
        return await work();
      } finally {
        const next = queue.shift();
        // The next in the queue takes over this slot, so `running` does not change.
        if (next) next();
        else running -= 1;
      }
    },
  };
}

/** The limits of concurrent and of waiting git work. */
const bounds = { running: 2, waiting: 32 } as const;

/**
 * Limits concurrent git work. Throws an EnvironmentError when too much work is waiting. The ledger
 * of a commit is cached until the ledger of another commit is requested.
 */
export function boundedGitWork(work: GitWork): GitWork {
  const limit = semaphore(bounds.running, bounds.waiting);
  const bounded = async <Value>(query: () => Promise<Value>): Promise<Value> => {
    const answer = await limit.run(async () => ({ value: await query() }));
    if (answer === undefined) throw new EnvironmentError('too many requests are waiting for git');
    return answer.value;
  };
  let kept: { readonly commit: string; readonly ledger: Promise<Ledger> } | undefined;
  return {
    ledger(commit) {
      if (kept?.commit === commit) return kept.ledger;
      const ledger = bounded(() => work.ledger(commit));
      const own = { commit, ledger };
      kept = own;
      ledger.catch(() => {
        if (kept === own) kept = undefined;
      });
      return ledger;
    },
    history: (query) => bounded(() => work.history(query)),
    hostnameHistory: (query) => bounded(() => work.hostnameHistory(query)),
    plan: (query) => bounded(() => work.plan(query)),
  };
}
