import type { WebAnswer, WebRequest } from '../../../ports/web.ts';
import { capacityOf } from '../../ask/capacity/capacity.ts';
import { capacityFamilies } from '../../ask/capacity/capacity-answer.ts';
import { forecastsOf } from '../../ask/capacity/forecast.ts';
import { ownerUsages } from '../../ask/owner-usage.ts';
import { poolUsages } from '../../ask/pool-usage.ts';
import { memoized, type ServedTree } from '../serve-state.ts';
import { failureAnswer, jsonAnswer, jsonType, ownerRefusal, type Route } from './route.ts';

/** How full the pools are, and what each owner has. */
export const poolRoutes: readonly Route[] = [
  {
    of: 'tree',
    path: '/api/v1/pools',
    summary: 'How full every pool is',
    media: jsonType,
    kind: 'PoolUsages',
    access: 'token',
    answer: ({ snapshot, day }) => jsonAnswer(poolUsages(snapshot, day)),
  },
  {
    of: 'tree',
    path: '/api/v1/owners',
    summary: 'What each owner has, and what its quota leaves',
    media: jsonType,
    kind: 'OwnerUsages',
    access: 'token',
    answer: ({ snapshot, day }) => jsonAnswer(ownerUsages(snapshot, day)),
  },
];

/** What may still be promised, and how long it lasts. */
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
      owner: 'No more than the quota of this owner leaves',
    },
    answer: capacityAnswer,
  },
  {
    of: 'tree',
    path: '/api/v1/forecasts',
    summary: 'How the use of the pools went in time, and when they are exhausted if that goes on',
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
    return failureAnswer(400, 'family is ipv4, ipv6 or dual');
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
  // Of owners there may be any number.
  const asked = `capacity ${JSON.stringify([cluster, zone, family])}`;
  return owner === undefined ? memoized(served, asked, answer) : answer();
}

async function forecastsAnswer({ snapshot, day, git, revision }: ServedTree): Promise<WebAnswer> {
  const { commit } = revision;
  if (commit === undefined) return failureAnswer(404, 'what is served is in no commit');
  return jsonAnswer(forecastsOf(snapshot, await git.ledger(commit.id), day));
}
