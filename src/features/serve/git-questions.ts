import { EnvironmentError } from '../../model/problem.ts';
import type { Ledger } from '../ask/history/ledger.ts';
import type { GitWork } from './long-work.ts';
import { turnstile } from './turnstile.ts';

/** Questions to git at once, and those that wait. */
const bounds = { atOnce: 2, waiting: 32 } as const;

/**
 * The same questions to git, a bounded number at once: an EnvironmentError for one too many. The ledger of one
 * commit is made once, and kept until that of another is asked for.
 */
export function gitQuestions(work: GitWork): GitWork {
  const gate = turnstile(bounds.atOnce, bounds.waiting);
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
