import { isQuotaOwner } from '../../../core/declarations/pools/pools-schema.ts';
import { ownerOf } from '../../../core/model/allocation.ts';
import { oncePer } from '../../../core/model/calls.ts';
import { groupBy } from '../../../core/model/order.ts';
import { formatAddress } from '../../../core/net/address.ts';
import { parseQuestion } from '../../../core/text/question.ts';
import type { WebAnswer, WebRequest } from '../../../lib/http/web.ts';
import { hostnamesNamed, listHostnames } from '../../../lib/list/hostnames.ts';
import type { HostnameItem, Hostnames } from '../../../lib/list/hostnames-answer.ts';
import { listFrom } from '../../../lib/list/list.ts';
import type { List, ListItem } from '../../../lib/list/list-answer.ts';
import { allRecorded, type Who, whoHas } from '../../../lib/list/who.ts';
import { failureAnswer, guardedJson, jsonAnswer, type Route } from '../../../lib/service/route.ts';
import { memoized, type ServedTree, servedFields } from '../../../lib/service/serve-state.ts';
import { byAddress, byText, listAnswer, pagedAnswer, pageParameters } from './paging.ts';

const paths = {
  leases: '/api/v1/leases',
  addresses: '/api/v1/addresses',
  who: '/api/v1/who/{name}',
  hostnames: '/api/v1/hostnames',
} as const;

/** Queries for holders, addresses and hostnames. */
export const addressRoutes: readonly Route[] = [
  {
    of: 'tree',
    ...guardedJson,
    id: 'listLeases',
    path: paths.leases,
    summary: 'All holders with their held and retained addresses',
    kind: 'ListPage',
    query: {
      owner: { description: 'Only holders of this owner: an Akash account, or cluster/namespace' },
      state: {
        description: 'Only holders in this state',
        schema: { type: 'string', enum: ['held', 'released'] },
      },
      ...pageParameters,
    },
    answer: leasesAnswer,
  },
  {
    of: 'tree',
    ...guardedJson,
    id: 'listAddresses',
    path: paths.addresses,
    summary: 'All recorded addresses with their holders',
    kind: 'WhoPage',
    query: pageParameters,
    answer: (served, request) =>
      pagedAnswer({ ...request, path: paths.addresses }, addressesOf(served.snapshot), {
        order: byAddress,
        document: (items) => whoOf(served, 'addresses', items),
      }),
  },
  {
    of: 'tree',
    ...guardedJson,
    id: 'getAddress',
    path: '/api/v1/addresses/{address}',
    summary: 'The state of an address',
    kind: 'Who',
    answer(served, { params: { address = '' } }) {
      const question = parseQuestion(address);
      if (question.kind !== 'address') return failureAnswer(400, 'not an IP address');
      const { items } = whoHas(question, served.snapshot);
      return jsonAnswer(whoOf(served, formatAddress(question.address), items));
    },
  },
  {
    of: 'tree',
    ...guardedJson,
    id: 'who',
    path: paths.who,
    summary:
      'The addresses of a holder, owner, dseq, service or block; the first part has its hostnames',
    kind: 'WhoPage',
    query: pageParameters,
    missing: 'The name has no address and no hostname',
    answer: nameAnswer,
  },
  {
    of: 'tree',
    ...guardedJson,
    id: 'listHostnames',
    path: paths.hostnames,
    summary: 'All held and kept hostnames with their holders and routes',
    kind: 'HostnamesPage',
    query: pageParameters,
    answer: (served, request) =>
      listAnswer({ ...request, path: paths.hostnames }, hostnamesOf(served), byHostname),
  },
];

function nameAnswer(served: ServedTree, request: WebRequest): WebAnswer {
  const { name = '' } = request.params;
  const question = parseQuestion(name);
  if (question.kind === 'nothing') return failureAnswer(400, question.reason);
  const { items } = whoHas(question, served.snapshot);
  const hostnames = question.kind === 'name' ? hostnamesNamed(served.snapshot, name) : [];
  if (items.length + hostnames.length === 0) {
    return failureAnswer(404, 'no address or hostname found for that name');
  }
  const isFirst = !request.query.cursor && hostnames.length > 0;
  return pagedAnswer({ ...request, path: paths.who }, items, {
    order: byAddress,
    document: (part) => ({ ...whoOf(served, name, part), ...(isFirst ? { hostnames } : {}) }),
  });
}

function whoOf(served: ServedTree, asked: string, items: Who['items']): Who {
  const about = servedFields(served);
  return { apiVersion: 'leasehold.dev/v1', kind: 'Who', ...about, asked, items };
}

const addressesOf = oncePer(allRecorded);

const hostnamesOf = oncePer(
  (served: ServedTree): Hostnames => ({
    ...listHostnames(served.snapshot, served.day),
    ...servedFields(served),
  }),
);

const byHostname = byText(({ hostname }: HostnameItem) => hostname);

const listOf = oncePer(
  (served: ServedTree): List => ({
    ...listFrom(served.snapshot, served.day),
    ...servedFields(served),
  }),
);

const itemsByOwner = oncePer((served: ServedTree) =>
  groupBy(listOf(served).items, ({ holder }) => ownerOf(holder)),
);

/** The order of {@link listFrom}. A holder may have released addresses of several days. */
const byHolder = byText(({ holder, freeFrom = '' }: ListItem) => `${holder} ${freeFrom}`);

function leasesAnswer(served: ServedTree, request: WebRequest): WebAnswer | Promise<WebAnswer> {
  const { owner, state, ...part } = request.query;
  if (state !== undefined && state !== 'held' && state !== 'released') {
    return failureAnswer(400, 'state must be held or released');
  }
  const refusal = ownerRefusal(owner);
  if (refusal) return refusal;
  const answer = () => {
    const list = listOf(served);
    const own = owner === undefined ? list.items : (itemsByOwner(served).get(owner) ?? []);
    const items = state === undefined ? own : own.filter((item) => item.state === state);
    return listAnswer({ ...request, path: paths.leases }, { ...list, items }, byHolder);
  };
  // The number of owners and of parts is not bounded.
  const isWhole = owner === undefined && Object.keys(part).length === 0;
  return isWhole ? memoized(served, `leases ${state ?? ''}`, answer) : answer();
}

/** Returns a Failure for an invalid `owner` parameter; undefined when it is valid or absent. */
export function ownerRefusal(owner: string | undefined): WebAnswer | undefined {
  if (owner === undefined || isQuotaOwner(owner)) return undefined;
  return failureAnswer(400, 'owner must be an Akash account, or cluster/namespace');
}
