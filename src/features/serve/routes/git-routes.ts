import { dnsNameFault } from '../../../core/net/dns-name.ts';
import { parseQuestion } from '../../../core/text/question.ts';
import type {
  AddressHistory,
  HistoryPeriod,
  HostnameHistory,
} from '../../../lib/history/address-history-answer.ts';
import type { WebAnswer, WebRequest } from '../../../lib/http/web.ts';
import {
  failureAnswer,
  guardedJson,
  jsonAnswer,
  noCommit,
  type Route,
} from '../../../lib/service/route.ts';
import { memoized, type ServedTree } from '../../../lib/service/serve-state.ts';
import { pagedAnswer, pageParameters } from './paging.ts';

/** The most cached answers of a tree; further histories are read from git for each request. */
const mostHistories = 500;

const paths = {
  address: '/api/v1/addresses/{address}/history',
  hostname: '/api/v1/hostnames/{hostname}/history',
} as const;

/** Queries that read git. */
export const gitRoutes: readonly Route[] = [
  {
    of: 'tree',
    ...guardedJson,
    id: 'getAddressHistory',
    path: paths.address,
    summary: 'The history of an address up to the served commit',
    kind: 'AddressHistoryPage',
    query: pageParameters,
    missing: 'The served tree has no commit',
    answer: addressAnswer,
  },
  {
    of: 'tree',
    ...guardedJson,
    id: 'getHostnameHistory',
    path: paths.hostname,
    summary: 'The history of a hostname up to the served commit',
    kind: 'HostnameHistoryPage',
    query: pageParameters,
    missing: 'The served tree has no commit',
    answer: hostnameAnswer,
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

function addressAnswer(served: ServedTree, request: WebRequest): WebAnswer | Promise<WebAnswer> {
  const question = parseQuestion(request.params.address ?? '');
  if (question.kind !== 'address') return failureAnswer(400, 'not an IP address');
  const { address } = question;
  return historyAnswer(
    served,
    { ...request, path: paths.address },
    {
      name: `history ${address.family} ${address.value}`,
      ask: (commit) => served.git.history({ address, commit }),
    },
  );
}

function hostnameAnswer(served: ServedTree, request: WebRequest): WebAnswer | Promise<WebAnswer> {
  const { hostname = '' } = request.params;
  if (dnsNameFault(hostname)) return failureAnswer(400, 'not a hostname in canonical form');
  return historyAnswer(
    served,
    { ...request, path: paths.hostname },
    {
      name: `history ${hostname}`,
      ask: (commit) => served.git.hostnameHistory({ hostname, commit }),
    },
  );
}

/** The history that is asked for, in pages. A whole one is kept by its name. */
function historyAnswer(
  served: ServedTree,
  request: WebRequest & { readonly path: string },
  question: {
    readonly name: string;
    readonly ask: (commit: string) => Promise<AddressHistory | HostnameHistory>;
  },
): WebAnswer | Promise<WebAnswer> {
  const { name } = question;
  const commit = served.revision.commit?.id;
  if (commit === undefined) return noCommit;
  const ask = async () => {
    const history = await question.ask(commit);
    return pagedAnswer(request, history.periods, {
      order: byBegin,
      document: (periods) => ({ ...history, periods }),
    });
  };
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
