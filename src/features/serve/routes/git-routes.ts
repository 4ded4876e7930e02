import { parseQuestion } from '../../../model/question.ts';
import type { WebAnswer, WebRequest } from '../../../ports/web.ts';
import type { HistoryPeriod } from '../../ask/history/address-history-answer.ts';
import { memoized, type ServedTree } from '../serve-state.ts';
import { pagedAnswer, pageParameters } from './paging.ts';
import { failureAnswer, guardedJson, jsonAnswer, noCommit, type Route } from './route.ts';

/** The most cached answers of a tree; further histories are read from git for each request. */
const mostHistories = 500;

const historyPath = '/api/v1/addresses/{address}/history';

/** Queries that read git. */
export const gitRoutes: readonly Route[] = [
  {
    of: 'tree',
    ...guardedJson,
    id: 'getAddressHistory',
    path: historyPath,
    summary: 'The history of an address up to the served commit',
    kind: 'AddressHistoryPage',
    query: pageParameters,
    missing: 'The served tree has no commit',
    answer: historyAnswer,
  },
  {
    of: 'tree',
    ...guardedJson,
    id: 'getPlan',
    path: '/api/v1/plan',
    summary: 'The plan from the first parent of the served commit',
    kind: 'Plan',
    missing: 'The served tree has no commit, or its commit no parent',
    answer: planAnswer,
  },
];

/** Periods begin with different commits. */
const byBegin = { keyOf: ({ begun }: HistoryPeriod) => begun.commit };

function historyAnswer(served: ServedTree, request: WebRequest): WebAnswer | Promise<WebAnswer> {
  const question = parseQuestion(request.params.address ?? '');
  if (question.kind !== 'address') return failureAnswer(400, 'not an IP address');
  const commit = served.revision.commit?.id;
  if (commit === undefined) return noCommit;
  const { address } = question;
  const ask = async () => {
    const history = await served.git.history({ address, commit });
    return pagedAnswer({ ...request, path: historyPath }, history.periods, {
      order: byBegin,
      document: (periods) => ({ ...history, periods }),
    });
  };
  const name = `history ${address.family} ${address.value}`;
  const isWhole = Object.keys(request.query).length === 0;
  const isKept = isWhole && (served.memory.size < mostHistories || served.memory.has(name));
  return isKept ? memoized(served, name, ask) : ask();
}

async function planAnswer({ revision, git, day }: ServedTree): Promise<WebAnswer> {
  const head = revision.commit;
  if (head === undefined) return noCommit;
  const [base] = head.parents;
  if (base === undefined) return failureAnswer(404, 'the served commit has no parent');
  return jsonAnswer(await git.plan({ base, head: head.id, day }));
}
