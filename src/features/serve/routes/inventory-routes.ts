import { isOpenIn } from '../../../core/model/pools.ts';
import { bothFamilies, type Family } from '../../../core/net/address.ts';
import type { WebAnswer } from '../../../lib/http/web.ts';
import { failureAnswer, guardedJson, jsonAnswer, type Route } from '../../../lib/service/route.ts';
import {
  capacityInputOf,
  type ServedTree,
  servedFields,
} from '../../../lib/service/serve-state.ts';
import type { LeasedIPInventory } from '../inventory-answer.ts';
import {
  clusterIn,
  isZoneDeclared,
  leasable,
  type OperatorScope,
  zoneIn,
} from './operator-leases.ts';

/** The leased addresses as a resource of the provider, counted as in `/usage`. */
export function inventoryRoutes(scope: OperatorScope): readonly Route[] {
  return [
    {
      of: 'tree',
      ...guardedJson,
      id: 'getInventory',
      path: '/api/v1/inventory',
      summary: "The leased addresses as a resource of an Akash provider's inventory",
      kind: 'LeasedIPInventory',
      missing: 'The cluster is not declared, or no pool is in the zone',
      answer: (served) => inventoryAnswer(served, scope),
    },
  ];
}

function inventoryAnswer(served: ServedTree, scope: OperatorScope): WebAnswer {
  const { snapshot, day, pending } = served;
  const { pools } = snapshot;
  const cluster = clusterIn(pools, scope);
  if (!cluster) return failureAnswer(404, 'the cluster of this server is not declared');
  if (!isZoneDeclared(pools, scope)) {
    return failureAnswer(404, 'no pool is in the zone of this server');
  }
  const query = { day, pending, input: capacityInputOf(served) };
  const pairOf = (zone: string, family: Family): LeasedIPInventory['leased_ip'] => {
    const { available, free } = leasable(snapshot, cluster, { zone, family }, query);
    const capacity = String(available);
    return { capacity, allocatable: capacity, allocated: String(available - free) };
  };
  const open = pools.pools.filter((pool) => isOpenIn(pool, cluster.name));
  const zones = [...new Set(open.map(({ zone }) => zone))];
  const items = zones.flatMap((zone) =>
    bothFamilies
      .map((family) => ({ zone, family, leased_ip: pairOf(zone, family) }))
      .filter(({ leased_ip: { capacity } }) => capacity !== '0'),
  );
  const answer: LeasedIPInventory = {
    apiVersion: 'leasehold.dev/v1',
    kind: 'LeasedIPInventory',
    ...servedFields(served),
    cluster: cluster.name,
    leased_ip: pairOf(zoneIn(pools, cluster, scope), 'ipv4'),
    items,
  };
  return jsonAnswer(answer);
}
