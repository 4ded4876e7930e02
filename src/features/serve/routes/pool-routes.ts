import type { WebAnswer, WebRequest } from '../../../ports/web.ts';
import { capacityOf } from '../../ask/capacity/capacity.ts';
import { capacityFamilies } from '../../ask/capacity/capacity-answer.ts';
import { forecastsOf } from '../../ask/capacity/forecast.ts';
import { ownerUsages } from '../../ask/owner-usage.ts';
import { poolUsages } from '../../ask/pool-usage.ts';
import { memoized, type ServedTree } from '../serve-state.ts';
import { failureAnswer, jsonAnswer, jsonType, ownerRefusal, type Route } from './route.ts';

/** Queries for the use of pools and owners. */
export const poolRoutes: readonly Route[] = [
  {
    of: 'tree',
    path: '/api/v1/pools',
    summary: 'The use of every pool',
    media: jsonType,
    kind: 'PoolUsages',
    access: 'token',
    answer: ({ snapshot, day }) => jsonAnswer(poolUsages(snapshot, day)),
  },
  {
    of: 'tree',
    path: '/api/v1/owners',
    summary: 'The addresses and the remaining quota of each owner',
    media: jsonType,
    kind: 'OwnerUsages',
    access: 'token',
    answer: ({ snapshot, day }) => jsonAnswer(ownerUsages(snapshot, day)),
  },
];

/** Queries for capacity and forecasts. */
export const forecastRoutes: readonly Route[] = [
  {
    of: 'tree',
    path: '/api/v1/capacity',
    summary:
      'How many addresses may still be promised; open pull requests count with --pending-refs',
    media: jsonType,
    kind: 'Capacity',
    access: 'token',
    query: {
      cluster: 'Only for this cluster',
      zone: 'Only in this zone',
      family: 'ipv4, ipv6, or dual for pairs of one pool',
      owner: 'Limited by the remaining quota of this owner',
    },
    answer: capacityAnswer,
  },
  {
    of: 'tree',
    path: '/api/v1/forecasts',
    summary: 'The past use of the pools, and when they are forecast to be exhausted',
    media: jsonType,
    kind: 'Forecasts',
    access: 'token',
    answer: forecastsAnswer,
  },
];

function capacityAnswer(served: ServedTree, { query }: WebRequest): WebAnswer | Promise<WebAnswer> {
  const { snapshot, day, pending, revision } = served;
  const { cluster, zone, family: text, owner } = query;
  const family = capacityFamilies.find((one) => one === text);
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
  const answer = () => jsonAnswer(capacityOf(snapshot, question, pending));
  // The number of owners is not bounded.
  const asked = `capacity ${JSON.stringify([cluster, zone, family])}`;
  return owner === undefined ? memoized(served, asked, answer) : answer();
}

async function forecastsAnswer({ snapshot, day, git, revision }: ServedTree): Promise<WebAnswer> {
  const { commit } = revision;
  if (commit === undefined) return failureAnswer(404, 'the served tree has no commit');
  return jsonAnswer(forecastsOf(snapshot, await git.ledger(commit.id), day));
}
