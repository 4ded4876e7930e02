import { EnvironmentError } from '../../model/problem.ts';
import type { Ledger } from '../ask/history/address-history.ts';
import type { GitWork } from './long-work.ts';

/** Lets a bounded number of questions to git run at once, and a bounded number wait. */
export interface Semaphore {
  /** What a piece of work gives; undefined when too many wait already. */
  pass<Value>(work: () => Promise<Value>): Promise<Value | undefined>;
}

/** A semaphore for as many at once, and as many in the queue. */
export function semaphore(atOnce: number, waiting: number): Semaphore {
  const queue: (() => void)[] = [];
  let running = 0;
  return {
    async pass(work) {
      if (running >= atOnce) {
        if (queue.length >= waiting) return undefined;
        await new Promise<void>((resolve) => queue.push(resolve));
      } else {
        running += 1;
      }
      try {
        return await work();
      } finally {
        const next = queue.shift();
        // Whoever is next takes this place, so that the number stays.
        if (next) next();
        else running -= 1;
      }
    },
  };
}

/** Questions to git at once, and those that wait. */
const bounds = { atOnce: 2, waiting: 32 } as const;

/**
 * The same questions to git, a bounded number at once: an EnvironmentError for one too many. The ledger of one
 * commit is made once, and kept until that of another is asked for.
 */
export function boundedGitWork(work: GitWork): GitWork {
  const gate = semaphore(bounds.atOnce, bounds.waiting);
  const ask = async <Value>(question: () => Promise<Value>): Promise<Value> => {
    const answer = await gate.pass(async () => ({ value: await question() }));
    if (answer === undefined) throw new EnvironmentError('too many ask git at this moment');
    return answer.value;
  };
  let kept: { readonly commit: string; readonly ledger: Promise<Ledger> } | undefined;
  return {
    ledger(commit) {
      if (kept?.commit === commit) return kept.ledger;
      const ledger = ask(() => work.ledger(commit));
      const own = { commit, ledger };
      kept = own;
      ledger.catch(() => {
        if (kept === own) kept = undefined;
      });
      return ledger;
    },
    history: (question) => ask(() => work.history(question)),
    plan: (question) => ask(() => work.plan(question)),
  };
}
