import { EnvironmentError } from '../../model/problem.ts';
import { parseQuestion } from '../../model/question.ts';
import { addressHistory } from '../ask/address-history.ts';
import { planOf } from '../plan/plan.ts';
import type { WebAnswer } from '../ports/web.ts';
import { openComparison } from '../review/comparison.ts';
import { review } from '../review/review.ts';
import { committedHistory } from '../workspace/committed-history.ts';
import { failureAnswer, jsonAnswer, jsonType } from './answers.ts';
import type { Route } from './route.ts';
import { remembered, type Served } from './served.ts';
import { type Turnstile, turnstile } from './turnstile.ts';

/** Histories of addresses that are kept for one state; more are asked of git again. */
const mostHistories = 500;

/** Questions to git at once, and those that wait. */
const gitBounds = { atOnce: 2, waiting: 32 } as const;

/** What only git can answer. */
export function gitRoutes(): readonly Route[] {
  const gate = turnstile(gitBounds.atOnce, gitBounds.waiting);
  return [
    {
      of: 'tree',
      path: '/api/v1/addresses/{address}/history',
      summary: 'Who had an address from when to when, as the served commit tells it',
      media: jsonType,
      kind: 'AddressHistory',
      access: 'token',
      answer: (served, { params: { address = '' } }) => historyAnswer(served, address, gate),
    },
    {
      of: 'tree',
      path: '/api/v1/plan',
      summary: 'What the served commit did to the one before it on its branch',
      media: jsonType,
      kind: 'Plan',
      access: 'token',
      answer: (served) => gated(gate, () => planAnswer(served)),
    },
  ];
}

function historyAnswer(
  served: Served,
  text: string,
  gate: Turnstile,
): WebAnswer | Promise<WebAnswer> {
  const question = parseQuestion(text);
  if (question.kind !== 'address') return failureAnswer(400, 'that is not an IP address');
  const ref = served.revision.commit?.id;
  if (ref === undefined) return noGit;
  const { address } = question;
  const span = { ref, since: undefined, until: undefined };
  const ask = () =>
    gated(gate, async () => jsonAnswer(await addressHistory(served.git, address, span)));
  const name = `history ${address.family} ${address.value}`;
  return served.memory.size < mostHistories || served.memory.has(name)
    ? remembered(served, name, ask)
    : ask();
}

const noGit = failureAnswer(404, 'what is served has no commit');

async function planAnswer({ revision, git, day }: Served): Promise<WebAnswer> {
  const head = revision.commit;
  if (head === undefined) return noGit;
  const [base] = head.parents;
  if (base === undefined) return failureAnswer(404, 'the served commit is the first one');
  const tree = await git.commits.tree(head.id);
  const checkout = { tree, history: committedHistory(tree), today: day };
  const refs = { base, head: head.id, merged: [] };
  const comparison = await openComparison(git.commits, checkout, refs);
  return jsonAnswer(planOf(await review(git.commits, comparison, undefined)));
}

async function gated(gate: Turnstile, ask: () => Promise<WebAnswer>): Promise<WebAnswer> {
  try {
    return (await gate.pass(ask)) ?? busy;
  } catch (error) {
    if (error instanceof EnvironmentError) return failureAnswer(503, error.message);
    throw error;
  }
}

const busy: WebAnswer = {
  ...failureAnswer(503, 'too many ask git at this moment'),
  headers: { 'Retry-After': '5' },
};
