import { closedNamespace } from '../../../manifests/rules/name-problems.ts';
import { compareText } from '../../../model/order.ts';
import type { AnycastGroup, Pool } from '../../../model/pools.ts';
import { InternalError } from '../../../model/problem.ts';
import { serviceSharingKey } from '../../../model/sharing-key.ts';
import { type Address, compareAddresses, formatAddress } from '../../../net/address.ts';
import { serviceSubject } from '../cluster/live-service.ts';
import { type Ground, textOf } from '../import-context.ts';
import type { LiveService } from '../imported.ts';
import {
  addressName,
  apartInGroups,
  declaredGroups,
  groupFor,
  groupKey,
  holdersOfGroup,
  plainNames,
} from './adopted-groups.ts';
import {
  type DeclaredPlace,
  ownKeyOf,
  placesOf,
  reservationText,
  serviceText,
} from './declaration-text.ts';

/**
 * Declares live Services with the addresses that they have: as Services what nobody else writes, and as Reservations
 * what somebody does. A Service whose address cannot be declared is told, and its address reserved.
 */
export function adoptServices(services: readonly LiveService[], ground: Ground): void {
  const fresh = services.filter((service) => !declaredAlready(service, ground));
  for (const group of sharersOf(fresh)) {
    const members = group.filter((service) => isToDeclare(service, ground));
    const [first] = members;
    const addresses = unique(group.flatMap((service) => service.addresses));
    const pool = ground.placeOf(addresses);
    const groups = declaredGroups(members, ground);
    const reason = typeof pool === 'string' ? pool : apart(addresses, pool, groups, ground);
    if (reason !== undefined || typeof pool === 'string') {
      for (const { addresses: own, at, ...service } of members) {
        ground.leave(subjectOf(service), `it is not declared: ${reason}`, own, at);
      }
    } else if (group.length > 1) adoptSharers(members, group, pool, ground);
    else if (first) adoptOne(first, pool, groups.length > 0, ground);
  }
}

function isToDeclare(service: LiveService, ground: Ground): boolean {
  const subject = subjectOf(service);
  const { addresses, at, namespace } = service;
  if (addresses.every((address) => ground.poolOf(address) === undefined)) {
    ground.leave(subject, `it is not declared: no pool has ${textOf(addresses)}`, [], at);
    return false;
  }
  const closed = closedNamespace(namespace, ground.standing.cluster.metallb.namespace);
  const reason = service.isGoing
    ? 'it is being deleted'
    : closed && `it stands in the namespace ${namespace}, ${closed}`;
  if (reason === undefined) return true;
  ground.leave(subject, `it is not declared: ${reason}`, addresses, at);
  return false;
}

/** Why Services that share cannot be declared as they stand, or undefined. */
function apart(
  addresses: readonly Address[],
  pool: Pool,
  groups: readonly AnycastGroup[],
  ground: Ground,
): string | undefined {
  const holders = new Set(groups.flatMap(holdersOfGroup));
  const taken = addresses.map((address) => ground.takenText(address, holders));
  return taken.find((text) => text) ?? apartInGroups(groups, addresses, pool, ground);
}

function adoptOne(service: LiveService, pool: Pool, isMember: boolean, ground: Ground): void {
  const keyOf = (one: LiveService) => (isMember ? undefined : ownKeyOf(one, ground));
  const place = placeIn(placesOf([service], pool, keyOf, ground), service);
  const path = ground.freePath(service.namespace, service.name);
  const text = serviceText(service, place);
  const reason = whyReserved(service, ground) ?? ground.problemOf(path, text)?.message;
  if (reason !== undefined) {
    reserve(service, reservationText(service, place), reason, ground);
    return;
  }
  tellPool(service, pool, ground);
  declare('Service', service, { path, text }, ground);
}

/** Why leasehold does not write a Service itself, or undefined. The API server never lets a class come to a live one. */
function whyReserved(
  { manager, obstacle, written }: LiveService,
  { standing: { cluster } }: Ground,
): string | undefined {
  const { loadBalancerClass: served } = cluster.metallb;
  if (manager !== undefined) return `${manager} writes it`;
  return served !== undefined && written.spec.loadBalancerClass === undefined
    ? `it has no loadBalancerClass, and MetalLB serves those of ${served}`
    : obstacle;
}

/** Of several namespaces, `synth` refuses Local on one address: their pods differ. */
function localOverNamespaces({ written }: LiveService): string | undefined {
  return written.spec.externalTrafficPolicy === 'Local'
    ? 'it shares its address over namespaces with externalTrafficPolicy: Local'
    : undefined;
}

/**
 * Services on one address (`group`, of which `members` can be declared) have one sharing key in MetalLB, and the first that gets another one loses the address. With
 * a key that is not leasehold's own all of them stay as they are.
 */
function adoptSharers(
  members: readonly LiveService[],
  group: readonly LiveService[],
  pool: Pool,
  ground: Ground,
): void {
  const [first] = members;
  if (!first) return;
  const shared = groupFor(members, unique(group.flatMap((service) => service.addresses)), ground);
  const key = shared ? undefined : keyFor(first, ground);
  const places = placesOf(members, pool, () => key, ground);
  const texts = members.map((service) => {
    const place = placeIn(places, service);
    const path = ground.freePath(service.namespace, service.name);
    const text = serviceText(service, place);
    const ours = shared ? groupKey(shared, service, ground) : serviceSharingKey(service.namespace);
    return {
      service,
      place,
      path,
      text,
      isOurs: service.sharingKey === ours,
      reason:
        whyReserved(service, ground) ??
        (shared ? localOverNamespaces(service) : undefined) ??
        ground.problemOf(path, text)?.message,
    };
  });
  if (
    members.length === group.length &&
    texts.every(({ isOurs, reason }) => isOurs && reason === undefined)
  ) {
    for (const { service, path, text } of texts) {
      tellPool(service, pool, ground);
      declare('Service', service, { path, text }, ground);
    }
    return;
  }
  for (const { service, place, reason, isOurs } of texts) {
    const others = group
      .filter((other) => other !== service)
      .map(({ namespace, name }) =>
        namespace === service.namespace ? name : `${namespace}/${name}`,
      );
    const shared = isOurs
      ? `it shares its address with ${others.join(', ')}, which leasehold does not write`
      : `it shares its address with ${others.join(', ')} by ${keyText(service)}, and loses it with another one`;
    reserve(service, reservationText(service, place), reason ?? shared, ground);
  }
}

function placeIn(
  places: ReadonlyMap<LiveService, DeclaredPlace>,
  service: LiveService,
): DeclaredPlace {
  const place = places.get(service);
  if (!place) throw new InternalError(`${service.namespace}/${service.name} has no place`);
  return place;
}

function keyText({ sharingKey }: LiveService): string {
  return sharingKey === undefined ? 'a sharing key of its own' : `the sharing key ${sharingKey}`;
}

/** The live key where it is a plain name that no other address has here, and else one that names the address. */
function keyFor({ namespace, sharingKey, addresses }: LiveService, ground: Ground): string {
  const base = addressName(addresses);
  return ground.freeKey(namespace, [...plainNames(sharingKey), base]) ?? base;
}

function reserve(service: LiveService, text: string, reason: string, ground: Ground): void {
  const path = ground.freePath(service.namespace, service.name);
  const problem = ground.problemOf(path, text);
  if (problem) {
    const message = `it is not declared: ${problem.message}`;
    ground.leave(subjectOf(service), message, service.addresses, service.at);
    return;
  }
  ground.change(subjectOf(service), `it is a Reservation, since ${reason}`, service.at);
  declare('Reservation', service, { path, text }, ground);
}

function declare(
  kind: 'Service' | 'Reservation',
  { namespace, name, addresses, at }: LiveService,
  file: { readonly path: string; readonly text: string },
  ground: Ground,
): void {
  ground.adopt({ kind, name: `${namespace}/${name}`, addresses, at, ...file });
}

/** MetalLB takes an address from a Service that asks for another pool than the one that has it. */
function tellPool(service: LiveService, pool: Pool, ground: Ground): void {
  const { asksPool, at } = service;
  if (asksPool === undefined || asksPool === pool.name) return;
  const message = `its annotation address-pool names ${asksPool}, and its address lies in the pool ${pool.name} here: remove the annotation before you apply, or MetalLB takes the address`;
  ground.change(subjectOf(service), message, at);
}

/** Services that stand on an address together, over all that they share; each group by namespace and name. */
function sharersOf(services: readonly LiveService[]): readonly (readonly LiveService[])[] {
  const groupOf = new Map<string, Set<LiveService>>();
  for (const service of services) {
    const group = new Set([service]);
    for (const address of service.addresses) {
      for (const other of groupOf.get(formatAddress(address)) ?? []) group.add(other);
    }
    for (const member of group) {
      for (const address of member.addresses) groupOf.set(formatAddress(address), group);
    }
  }
  return [...new Set(groupOf.values())].map((group) => [...group].sort(byName));
}

function byName(left: LiveService, right: LiveService): number {
  return compareText(left.namespace, right.namespace) || compareText(left.name, right.name);
}

function unique(addresses: readonly Address[]): readonly Address[] {
  const known = new Map(addresses.map((address) => [formatAddress(address), address]));
  return [...known.values()].sort(compareAddresses);
}

function subjectOf({ namespace, name }: Pick<LiveService, 'namespace' | 'name'>): string {
  return serviceSubject(namespace, name);
}

/**
 * True for a live Service that is declared: it stays as it is. One that is declared with another address than it has is
 * told, and the one that it has reserved unless somebody has it here.
 */
export function declaredAlready(service: LiveService, ground: Ground): boolean {
  const { namespace, name, addresses, at } = service;
  const { services, claims, cluster } = ground.standing;
  const declared = services.find(
    (one) => one.cluster === cluster.name && one.namespace === namespace && one.name === name,
  );
  if (!declared) return false;
  const claim = claims.find((one) => one.kind === 'Service' && one.declared === declared);
  const has = claim ? ground.heldBy(claim.holder) : [];
  const missing = addresses.filter(
    (address) => !has.some((one) => compareAddresses(one, address) === 0),
  );
  if (missing.length > 0) {
    const here = has.length > 0 ? `with ${textOf(has)}` : 'without an address';
    const message = `it is declared ${here} in ${declared.at.file}, and has ${textOf(missing)}`;
    ground.leave(serviceSubject(namespace, name), message, missing, at);
  }
  ground.adopt({
    kind: declared.kind,
    name: `${namespace}/${name}`,
    addresses,
    path: declared.at.file,
    text: undefined,
    at,
  });
  return true;
}
