import { ownerOf } from '../../../allocate/quotas.ts';
import { parseQuestion, type Question } from '../../../model/question.ts';
import { formatAddress } from '../../../net/address.ts';
import type { WebAnswer } from '../../../ports/web.ts';
import { listFrom } from '../../ask/list.ts';
import { allRecorded, type Who, whoHas } from '../../ask/who.ts';
import { memoized, type ServedTree } from '../serve-state.ts';
import { failureAnswer, jsonAnswer, jsonType, ownerRefusal, type Route } from './route.ts';

/** Queries for holders and addresses. */
export const addressRoutes: readonly Route[] = [
  {
    of: 'tree',
    path: '/api/v1/leases',
    summary: 'All holders with their held and retained addresses',
    media: jsonType,
    kind: 'List',
    access: 'token',
    query: {
      owner: 'Only holders of this owner: an Akash account, or cluster/namespace',
      state: 'Only holders in this state: held or released',
    },
    answer: (served, { query }) => leasesAnswer(served, query),
  },
  {
    of: 'tree',
    path: '/api/v1/addresses',
    summary: 'All recorded addresses with their holders',
    media: jsonType,
    kind: 'Who',
    access: 'token',
    answer: (served) => whoAnswer('addresses', allRecorded(served.snapshot)),
  },
  {
    of: 'tree',
    path: '/api/v1/addresses/{address}',
    summary: 'The state of an address',
    media: jsonType,
    kind: 'Who',
    access: 'token',
    answer(served, { params: { address = '' } }) {
      const question = parseQuestion(address);
      if (question.kind !== 'address') return failureAnswer(400, 'not an IP address');
      const { items } = whoHas(question, served.snapshot);
      return whoAnswer(formatAddress(question.address), items);
    },
  },
  {
    of: 'tree',
    path: '/api/v1/who/{name}',
    summary: 'The addresses of a holder, an owner, a dseq, a service, an address or a block',
    media: jsonType,
    kind: 'Who',
    access: 'token',
    answer: (served, { params: { name = '' } }) => nameAnswer(served, name, parseQuestion(name)),
  },
];

function nameAnswer({ snapshot }: ServedTree, name: string, question: Question): WebAnswer {
  if (question.kind === 'nothing') return failureAnswer(400, question.reason);
  const { items } = whoHas(question, snapshot);
  if (items.length === 0) return failureAnswer(404, 'no address found for that name');
  return whoAnswer(name, items);
}

function whoAnswer(asked: string, items: Who['items']): WebAnswer {
  return jsonAnswer({ apiVersion: 'leasehold.dev/v1', kind: 'Who', asked, items } satisfies Who);
}

function leasesAnswer(
  served: ServedTree,
  query: Readonly<Record<string, string>>,
): WebAnswer | Promise<WebAnswer> {
  const { owner, state } = query;
  if (state !== undefined && state !== 'held' && state !== 'released') {
    return failureAnswer(400, 'state must be held or released');
  }
  const refusal = ownerRefusal(owner);
  if (refusal) return refusal;
  const answer = () => {
    const list = listFrom(served.snapshot);
    const items = list.items.filter(
      (item) =>
        (state === undefined || item.state === state) &&
        (owner === undefined || ownerOf(item.holder) === owner),
    );
    return jsonAnswer({ ...list, items });
  };
  // The number of owners is not bounded.
  return owner === undefined ? memoized(served, `leases ${state ?? ''}`, answer) : answer();
}
