import { oncePer } from '../../../core/model/calls.ts';
import { ipFamilies } from '../../../core/model/lease.ts';
import { capacityOf } from '../../../lib/forecast/capacity.ts';
import { forecastsOf } from '../../../lib/forecast/forecast.ts';
import type { WebAnswer, WebRequest } from '../../../lib/http/web.ts';
import { type OwnerUsages, ownerUsages } from '../../../lib/list/owner-usage.ts';
import { poolUsages } from '../../../lib/list/pool-usage.ts';
import type { PoolUsages } from '../../../lib/list/pool-usage-answer.ts';
import {
  failureAnswer,
  guardedJson,
  jsonAnswer,
  noCommit,
  type Route,
} from '../../../lib/service/route.ts';
import {
  capacityInputOf,
  memoized,
  type ServedTree,
  servedFields,
} from '../../../lib/service/serve-state.ts';
import { ownerRefusal } from './address-routes.ts';
import { byText, listAnswer, pageParameters } from './paging.ts';

const paths = { pools: '/api/v1/pools', owners: '/api/v1/owners' } as const;

const poolsOf = oncePer((served: ServedTree) => ({
  ...poolUsages(served.snapshot, served.day),
  ...servedFields(served),
}));

const ownersOf = oncePer((served: ServedTree) => ({
  ...ownerUsages(served.snapshot, served.day),
  ...servedFields(served),
}));

/** Pools are in the order of the pool file. */
const byPool = { keyOf: ({ pool }: PoolUsages['items'][number]) => pool };

const byOwner = byText(({ owner }: OwnerUsages['items'][number]) => owner);

/** Queries for the use of pools and owners. */
export const poolRoutes: readonly Route[] = [
  {
    of: 'tree',
    ...guardedJson,
    id: 'listPools',
    path: paths.pools,
    summary: 'The use of every pool',
    kind: 'PoolUsagesPage',
    query: pageParameters,
    answer: (served, request) =>
      listAnswer({ ...request, path: paths.pools }, poolsOf(served), byPool),
  },
  {
    of: 'tree',
    ...guardedJson,
    id: 'listOwners',
    path: paths.owners,
    summary: 'The addresses and the remaining quota of each owner',
    kind: 'OwnerUsagesPage',
    query: pageParameters,
    answer: (served, request) =>
      listAnswer({ ...request, path: paths.owners }, ownersOf(served), byOwner),
  },
];

/** Queries for capacity and forecasts. */
export const forecastRoutes: readonly Route[] = [
  {
    of: 'tree',
    ...guardedJson,
    id: 'getCapacity',
    path: '/api/v1/capacity',
    summary:
      'How many addresses may still be promised; open pull requests count with --pending-refs',
    kind: 'Capacity',
    query: {
      cluster: { description: 'Only for this cluster' },
      zone: { description: 'Only in this zone' },
      family: {
        description: 'Only addresses of this family; dual counts pairs of one pool',
        schema: { type: 'string', enum: ipFamilies },
      },
      owner: { description: 'Limited by the remaining quota of this owner' },
    },
    missing: 'The cluster or the zone is not declared',
    answer: capacityAnswer,
  },
  {
    of: 'tree',
    ...guardedJson,
    id: 'getForecasts',
    path: '/api/v1/forecasts',
    summary: 'The past use of the pools, and when they are forecast to be exhausted',
    kind: 'Forecasts',
    missing: 'The served tree has no commit',
    answer: forecastsAnswer,
  },
];

function capacityAnswer(served: ServedTree, { query }: WebRequest): WebAnswer | Promise<WebAnswer> {
  const { snapshot, day, pending, revision } = served;
  const { cluster, zone, family: text, owner } = query;
  const family = ipFamilies.find((one) => one === text);
  if (text !== undefined && family === undefined) {
    return failureAnswer(400, 'family must be ipv4, ipv6 or dual');
  }
  const { clusters, pools } = snapshot.pools;
  if (cluster !== undefined && !clusters.some(({ name }) => name === cluster)) {
    return failureAnswer(404, 'no cluster of that name is declared');
  }
  if (zone !== undefined && !pools.some((pool) => pool.zone === zone)) {
    return failureAnswer(404, 'no pool is in a zone of that name');
  }
  const refusal = ownerRefusal(owner);
  if (refusal) return refusal;
  const zones = zone === undefined ? [] : [zone];
  const state = { commit: revision.commit?.id, isUncommitted: revision.isUncommitted };
  const question = { day, cluster, zones, family, owner, state };
  const answer = () => jsonAnswer(capacityOf(snapshot, question, pending, capacityInputOf(served)));
  // The number of owners is not bounded.
  const asked = `capacity ${JSON.stringify([cluster, zone, family])}`;
  return owner === undefined ? memoized(served, asked, answer) : answer();
}

async function forecastsAnswer({ snapshot, day, git, revision }: ServedTree): Promise<WebAnswer> {
  const { commit } = revision;
  if (commit === undefined) return noCommit;
  return jsonAnswer(forecastsOf(snapshot, await git.ledger(commit.id), day));
}
