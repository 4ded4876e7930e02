import { parseQuestion } from '../../../model/question.ts';
import type { WebAnswer } from '../../../ports/web.ts';
import { memoized, type ServedTree } from '../serve-state.ts';
import { failureAnswer, jsonAnswer, jsonType, type Route } from './route.ts';

/** The most cached answers of a tree; further histories are read from git for each request. */
const mostHistories = 500;

/** Queries that read git. */
export const gitRoutes: readonly Route[] = [
  {
    of: 'tree',
    path: '/api/v1/addresses/{address}/history',
    summary: 'The history of an address up to the served commit',
    media: jsonType,
    kind: 'AddressHistory',
    access: 'token',
    answer: (served, { params: { address = '' } }) => historyAnswer(served, address),
  },
  {
    of: 'tree',
    path: '/api/v1/plan',
    summary: 'The plan from the first parent of the served commit',
    media: jsonType,
    kind: 'Plan',
    access: 'token',
    answer: planAnswer,
  },
];

function historyAnswer(served: ServedTree, text: string): WebAnswer | Promise<WebAnswer> {
  const question = parseQuestion(text);
  if (question.kind !== 'address') return failureAnswer(400, 'not an IP address');
  const commit = served.revision.commit?.id;
  if (commit === undefined) return noGit;
  const { address } = question;
  const ask = async () => jsonAnswer(await served.git.history({ address, commit }));
  const name = `history ${address.family} ${address.value}`;
  return served.memory.size < mostHistories || served.memory.has(name)
    ? memoized(served, name, ask)
    : ask();
}

const noGit = failureAnswer(404, 'the served tree has no commit');

async function planAnswer({ revision, git, day }: ServedTree): Promise<WebAnswer> {
  const head = revision.commit;
  if (head === undefined) return noGit;
  const [base] = head.parents;
  if (base === undefined) return failureAnswer(404, 'the served commit has no parent');
  return jsonAnswer(await git.plan({ base, head: head.id, day }));
}
