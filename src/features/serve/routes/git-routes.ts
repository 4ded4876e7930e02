import { parseQuestion } from '../../../model/question.ts';
import type { WebAnswer } from '../../../ports/web.ts';
import { memoized, type ServedTree } from '../serve-state.ts';
import { failureAnswer, jsonAnswer, jsonType, type Route } from './route.ts';

/** Histories of addresses that are kept for one state; more are asked of git again. */
const mostHistories = 500;

/** What only git can answer. */
export const gitRoutes: readonly Route[] = [
  {
    of: 'tree',
    path: '/api/v1/addresses/{address}/history',
    summary: 'Who had an address from when to when, as the served commit tells it',
    media: jsonType,
    kind: 'AddressHistory',
    access: 'token',
    answer: (served, { params: { address = '' } }) => historyAnswer(served, address),
  },
  {
    of: 'tree',
    path: '/api/v1/plan',
    summary: 'What the served commit did to the one before it on its branch',
    media: jsonType,
    kind: 'Plan',
    access: 'token',
    answer: planAnswer,
  },
];

function historyAnswer(served: ServedTree, text: string): WebAnswer | Promise<WebAnswer> {
  const question = parseQuestion(text);
  if (question.kind !== 'address') return failureAnswer(400, 'that is not an IP address');
  const commit = served.revision.commit?.id;
  if (commit === undefined) return noGit;
  const { address } = question;
  const ask = async () => jsonAnswer(await served.git.history({ address, commit }));
  const name = `history ${address.family} ${address.value}`;
  return served.memory.size < mostHistories || served.memory.has(name)
    ? memoized(served, name, ask)
    : ask();
}

const noGit = failureAnswer(404, 'what is served has no commit');

async function planAnswer({ revision, git, day }: ServedTree): Promise<WebAnswer> {
  const head = revision.commit;
  if (head === undefined) return noGit;
  const [base] = head.parents;
  if (base === undefined) return failureAnswer(404, 'the served commit is the first one');
  return jsonAnswer(await git.plan({ base, head: head.id, day }));
}
