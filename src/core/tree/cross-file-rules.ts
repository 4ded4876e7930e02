import { keyPath } from '../declarations/key-file.ts';
import { isHeld, type Tenure } from '../model/allocation.ts';
import { holderParts } from '../model/holder.ts';
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
      hint: `declare its endpoints in ${first.at.file}, and remove this file`,
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
    hint: 'remove this one',
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
      hint: `remove this one; to change the Service, edit ${first.at.file}`,
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
        hint: `create it with \`leasehold key new ${namespace}/${secret.name}\`, or name an existing key`,
      });
    }
    if (signature !== undefined && parseSignatures(signature.text) === undefined) {
      problems.push({
        code: 'FIELD_VALUE',
        message:
          'the signature is malformed, expected 86 characters of base64url, or several separated by commas',
        at: signature.at,
        hint: 'copy the output of `leasehold key sign`',
      });
    }
    return problems;
  });
}

const shownPlaces = 10;

/**
 * CLUSTER_HOLDS for each undeclared cluster that still holds addresses or hostnames: its
 * declarations would be removed without having ended, or move to another cluster. The places are
 * those of declarations that are now in another cluster, otherwise the records.
 */
export function removedClusters(
  { clusters, clustersAt }: Pools,
  tables: Readonly<Record<'addresses' | 'hostnames', ReadonlyMap<string, Tenure>>>,
  declarations: readonly { readonly holder: string; readonly at: Position }[],
): Problem[] {
  const names = new Set(clusters.map(({ name }) => name));
  const addresses = heldInOthers(tables.addresses, names);
  const hostnames = heldInOthers(tables.hostnames, names);
  const removed = new Set([...addresses.keys(), ...hostnames.keys()]);
  if (removed.size === 0) return [];
  const places = new Map(declarations.map(({ holder, at }) => [inCluster(holder), at]));
  return [...removed].map((cluster): Problem => {
    const [ips, routed] = [addresses.get(cluster) ?? [], hostnames.get(cluster) ?? []];
    const found = [...ips, ...routed]
      .map(({ holder, at }) => places.get(inCluster(holder)) ?? at)
      .filter((place) => place !== undefined);
    const also = new Map(found.map((place) => [placeText(place), place]));
    return {
      code: 'CLUSTER_HOLDS',
      message: `the cluster '${cluster}' is no longer declared, but ${heldText(ips.length, routed.length)} held in it`,
      at: clustersAt,
      also: [...also.values()].sort(comparePositions).slice(0, shownPlaces),
      hint: `declare it again, remove its declarations with \`leasehold release --cluster ${cluster}\`, and remove it once that is applied`,
    };
  });
}

/** The held records of a table in other clusters than those named, by cluster. */
function heldInOthers(
  table: ReadonlyMap<string, Tenure>,
  names: ReadonlySet<string>,
): ReadonlyMap<string, Tenure[]> {
  const held = new Map<string, Tenure[]>();
  for (const record of table.values()) {
    const cluster = holderParts(record.holder).cluster;
    if (cluster === undefined || names.has(cluster) || !isHeld(record)) continue;
    addToGroup(held, cluster, record);
  }
  return held;
}

/** `2 addresses are`, `1 address and 3 hostnames are`. */
function heldText(addresses: number, hostnames: number): string {
  const counts = [
    ...(addresses > 0 ? [counted(addresses, 'address', 'addresses')] : []),
    ...(hostnames > 0 ? [counted(hostnames, 'hostname', 'hostnames')] : []),
  ];
  return `${counts.join(' and ')} ${addresses + hostnames === 1 ? 'is' : 'are'}`;
}

/** A holder's id without the cluster. */
function inCluster(holder: string): string {
  return holder.slice(holder.indexOf('/') + 1);
}
