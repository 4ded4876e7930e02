import { keyPath } from '../declarations/key-file.ts';
import { type Allocation, type AllocationTable, isHeld } from '../model/allocation.ts';
import type { Claim } from '../model/claim.ts';
import { clusterOfHolder } from '../model/holder.ts';
import { type AddressPromise, type Lease, leaseIdText } from '../model/lease.ts';
import { addToGroup } from '../model/order.ts';
import { parseSignatures } from '../model/ownership.ts';
import type { Pools } from '../model/pools.ts';
import {
  comparePositions,
  counted,
  type Position,
  type Problem,
  placeText,
} from '../model/problem.ts';
import { type DeclaredService, type Reservation, serviceIdText } from '../model/service.ts';
import type { LeaseFiles } from './lease-files.ts';

/** LEASE_DUPLICATE for each lease that repeats an earlier one of the list. */
export function duplicateLeases(leases: readonly Lease[]): Problem[] {
  return repeated(leases, (lease) => `${lease.cluster} ${leaseIdText(lease.id)}`).map(
    ([first, { id, at }]) => ({
      code: 'LEASE_DUPLICATE',
      message: `lease ${leaseIdText(id)} is already declared in ${first.at.file}`,
      at,
      also: [first.at],
      hint: 'put all endpoints of a lease in one file',
    }),
  );
}

/** PROMISE_DUPLICATE for each promise of the same owner and endpoint as an earlier one. */
export function duplicatePromises(promises: readonly AddressPromise[]): Problem[] {
  return repeated(promises, ({ holder }) => holder).map(([first, { owner, endpoint, at }]) => ({
    code: 'PROMISE_DUPLICATE',
    message: `an address for endpoint '${endpoint}' of ${owner} is already promised in ${first.at.file}`,
    at,
    also: [first.at],
    hint: 'keep one of the two',
  }));
}

/** SERVICE_DUPLICATE for each Service or Reservation of the same Service as an earlier one. */
export function duplicateServices(services: readonly (DeclaredService | Reservation)[]): Problem[] {
  return repeated(services, (service) => `${service.cluster} ${serviceIdText(service)}`).map(
    ([first, { cluster, namespace, name, at }]) => ({
      code: 'SERVICE_DUPLICATE',
      message: `the Service ${namespace}/${name} of cluster ${cluster} is already declared in ${first.at.file}`,
      at,
      also: [first.at],
      hint: 'keep one of the two',
    }),
  );
}

/** Each item with the identity of an earlier one, paired with that one. */
function repeated<Item extends { readonly at: Position }>(
  items: readonly Item[],
  identity: (item: Item) => string,
): (readonly [first: Item, repeated: Item])[] {
  const first = new Map<string, Item>();
  return items.flatMap((item) => {
    const id = identity(item);
    const other = first.get(id);
    if (other) return [[other, item] as const];
    first.set(id, item);
    return [];
  });
}

/**
 * Problems of the keys and signatures of Services: FILE_MISSING for a key without a file,
 * FIELD_VALUE for a malformed signature.
 */
export function namedKeyProblems(
  services: readonly (DeclaredService | Reservation)[],
  files: LeaseFiles,
): Problem[] {
  const present = new Set(files.keys.map(({ path }) => path));
  return services.flatMap((declared): Problem[] => {
    const { namespace, secret, signature } = declared;
    const problems: Problem[] = [];
    if (secret !== undefined && !present.has(keyPath({ namespace, name: secret.name }))) {
      problems.push({
        code: 'FILE_MISSING',
        message: `there is no key ${keyPath({ namespace, name: secret.name })}`,
        at: secret.at,
        hint: `create it with leasehold key new ${namespace}/${secret.name}, or name an existing key`,
      });
    }
    if (signature !== undefined && parseSignatures(signature.text) === undefined) {
      problems.push({
        code: 'FIELD_VALUE',
        message:
          'the signature is malformed, expected 86 characters of base64url, or several separated by commas',
        at: signature.at,
        hint: 'copy the output of leasehold key sign',
      });
    }
    return problems;
  });
}

const shownPlaces = 10;

/**
 * CLUSTER_HOLDS for each undeclared cluster that still holds addresses: its leases would be removed
 * without having ended, or move to another cluster. The places are those of declarations that are
 * now in another cluster, otherwise the allocation files.
 */
export function removedClusters(
  { clusters, clustersAt }: Pools,
  table: AllocationTable,
  claims: readonly Claim[],
): Problem[] {
  const names = new Set(clusters.map(({ name }) => name));
  const held = new Map<string, Allocation[]>();
  for (const record of table.values()) {
    const cluster = clusterOfHolder(record.holder);
    if (cluster === undefined || names.has(cluster) || !isHeld(record)) continue;
    addToGroup(held, cluster, record);
  }
  if (held.size === 0) return [];
  const claimsByHolder = new Map(claims.map((claim) => [inCluster(claim.holder), claim]));
  return [...held].map(([cluster, records]): Problem => {
    const found = records
      .map((record) => claimsByHolder.get(inCluster(record.holder))?.at ?? record.at)
      .filter((place) => place !== undefined);
    const places = new Map(found.map((place) => [placeText(place), place]));
    const count = counted(records.length, 'address is', 'addresses are');
    return {
      code: 'CLUSTER_HOLDS',
      message: `the cluster '${cluster}' is no longer declared, but ${count} held in it`,
      at: clustersAt,
      also: [...places.values()].sort(comparePositions).slice(0, shownPlaces),
      hint: `declare it again, end its leases with leasehold cleanup --cluster ${cluster}, and remove it once that is applied`,
    };
  });
}

/** A holder's id without the cluster. */
function inCluster(holder: string): string {
  return holder.slice(holder.indexOf('/') + 1);
}
