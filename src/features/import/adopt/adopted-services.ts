import { closedNamespace } from '../../../core/manifests/rules/name-problems.ts';
import { compareText } from '../../../core/model/order.ts';
import { planeNames } from '../../../core/model/planes.ts';
import type { AnycastGroup, Pool } from '../../../core/model/pools.ts';
import { InternalError } from '../../../core/model/problem.ts';
import { type Address, compareAddresses, formatAddress } from '../../../core/net/address.ts';
import { serviceSubject } from '../cluster/live-service.ts';
import type { ImportContext } from '../import-context.ts';
import { addressesText } from '../import-target.ts';
import type { LiveService } from '../imported.ts';
import { apartInGroups, declaredGroups, groupFor, holdersOfGroup } from './adopted-groups.ts';
import { keyFor, keysOf, noteKey } from './adopted-keys.ts';
import {
  type DeclaredPlace,
  ownKeyOf,
  placesOf,
  reservationText,
  serviceText,
} from './declaration-text.ts';

/**
 * Declares live Services with their addresses: as a Service if no other tool manages it, otherwise
 * as a Reservation. A Service whose address cannot be declared is noted, and its address reserved.
 */
export function adoptServices(services: readonly LiveService[], context: ImportContext): void {
  const given = services.filter(({ isPending }) => !isPending);
  const groups = sharersOf(given).filter((group) => group.length > 1);
  const shared = new Set(groups.flat());
  const fresh = services.filter((service) => !declaredAlready(service, shared, context));
  for (const sharers of sharersOf(fresh)) {
    const group = withoutWaiting(sharers, context);
    const members = group.filter((service) => isToDeclare(service, context));
    const [first] = members;
    const addresses = unique(group.flatMap((service) => service.addresses));
    const found = context.target.poolForAll(addresses);
    const groups = declaredGroups(members, context);
    const reason = found.ok ? apart(addresses, found.pool, groups, context) : found.reason;
    if (reason !== undefined || !found.ok) {
      for (const { addresses: own, at, ...service } of members) {
        context.leave(subjectOf(service), `it is not declared: ${reason}`, own, at);
      }
    } else if (group.length > 1) adoptSharers(members, group, found.pool, context);
    else if (first) adoptOne(first, found.pool, groups[0], context);
  }
}

/**
 * The Services of a group without those that wait for an address of another one: the plane has
 * not let them share it.
 */
function withoutWaiting(
  group: readonly LiveService[],
  context: ImportContext,
): readonly LiveService[] {
  return group.filter((service) => {
    const other = group.find((one) => one !== service);
    if (!service.isPending || !other) return true;
    const message = `it is not declared: it asks for ${addressesText(service.addresses)}, and so does ${other.namespace}/${other.name}`;
    context.leave(subjectOf(service), message, service.addresses, service.at);
    return false;
  });
}

function isToDeclare(service: LiveService, context: ImportContext): boolean {
  const subject = subjectOf(service);
  const { addresses, at, namespace } = service;
  if (addresses.every((address) => context.target.poolOf(address) === undefined)) {
    context.leave(subject, `it is not declared: no pool has ${addressesText(addresses)}`, [], at);
    return false;
  }
  const closed = closedNamespace(namespace, context.repository.cluster.plane);
  const reason = service.isGoing
    ? 'it is being deleted'
    : closed && `it is in the namespace ${namespace}, ${closed}`;
  if (reason === undefined) {
    if (service.isPending) {
      const message = `no load balancer gave it an address: it is declared with ${addressesText(addresses)}, for which it asks`;
      context.change(subject, message, at);
    }
    return true;
  }
  context.leave(subject, `it is not declared: ${reason}`, addresses, at);
  return false;
}

/** Why Services that share addresses cannot be declared; undefined when they can. */
function apart(
  addresses: readonly Address[],
  pool: Pool,
  groups: readonly AnycastGroup[],
  context: ImportContext,
): string | undefined {
  const holders = new Set(groups.flatMap(holdersOfGroup));
  const taken = addresses.map((address) => context.target.takenText(address, holders));
  return taken.find((text) => text) ?? apartInGroups(groups, addresses, pool, context);
}

function adoptOne(
  service: LiveService,
  pool: Pool,
  group: AnycastGroup | undefined,
  context: ImportContext,
): void {
  const keyOf = (one: LiveService) => (group ? undefined : ownKeyOf(one, context));
  const known = placeIn(placesOf([service], pool, keyOf, context), service);
  const keys = keysOf([service], group, context);
  const place = { ...known, liveSharingKey: keys.live };
  const path = context.freePath(service.namespace, service.name);
  const text = serviceText(service, place);
  const reason = whyReserved(service, context) ?? context.target.problemOf(path, text)?.message;
  if (reason !== undefined) {
    reserve(service, reservationText(service, place), reason, context);
    noteKey(service, keys.live ?? keys.ours, [service], context);
    return;
  }
  noteKey(service, keys.ours, [service], context);
  notePool(service, pool, context);
  declare('Service', service, { path, text }, context);
}

/**
 * Why leasehold does not manage a Service itself; undefined when it does. The API server does not
 * allow a class to be added to an existing Service.
 */
function whyReserved(
  { manager, obstacle, written }: LiveService,
  { repository: { cluster } }: ImportContext,
): string | undefined {
  const { kind, loadBalancerClass: served } = cluster.plane;
  // Cilium serves them too.
  const ofClass =
    kind === 'cilium' ? 'declared Services have' : `${planeNames[kind]} serves those of`;
  if (manager !== undefined) return `${manager} writes it`;
  return served !== undefined && written.spec.loadBalancerClass === undefined
    ? `it has no loadBalancerClass, and ${ofClass} ${served}`
    : obstacle;
}

/**
 * `synth` refuses externalTrafficPolicy Local on one address over several namespaces, since their
 * pods differ.
 */
function localOverNamespaces({ written }: LiveService): string | undefined {
  return written.spec.externalTrafficPolicy === 'Local'
    ? 'it shares its address over namespaces with externalTrafficPolicy: Local'
    : undefined;
}

/**
 * Declares `members`, the Services of `group` on one address that can be declared. They have one
 * live sharing key, and the first that changes it loses the address. With a key other than
 * leasehold's own all of them become Reservations.
 */
function adoptSharers(
  members: readonly LiveService[],
  group: readonly LiveService[],
  pool: Pool,
  context: ImportContext,
): void {
  const addresses = unique(group.flatMap((service) => service.addresses));
  const shared = groupFor(members, addresses, context);
  const key = shared ? undefined : keyFor(members, addresses, context);
  const places = placesOf(members, pool, () => key, context);
  const { live, ours } = keysOf(members, shared, context);
  const texts = members.map((service) => {
    const place = { ...placeIn(places, service), liveSharingKey: live };
    const path = context.freePath(service.namespace, service.name);
    const text = serviceText(service, place);
    return {
      service,
      place,
      path,
      text,
      isOurs: service.sharingKey === ours,
      reason:
        whyReserved(service, context) ??
        (shared ? localOverNamespaces(service) : undefined) ??
        context.target.problemOf(path, text)?.message,
    };
  });
  if (
    members.length === group.length &&
    texts.every(({ isOurs, reason }) => isOurs && reason === undefined)
  ) {
    for (const { service, path, text } of texts) {
      notePool(service, pool, context);
      declare('Service', service, { path, text }, context);
    }
    return;
  }
  for (const { service, place, reason, isOurs } of texts) {
    const why = reason ?? whyReservedTogether(service, group, isOurs);
    reserve(service, reservationText(service, place), why, context);
    noteKey(service, live ?? ours, group, context);
  }
}

/** Why a Service that could be declared becomes a Reservation, as others on its address do. */
function whyReservedTogether(
  service: LiveService,
  group: readonly LiveService[],
  isOurs: boolean,
): string {
  const others = group
    .filter((other) => other !== service)
    .map(({ namespace, name }) => (namespace === service.namespace ? name : `${namespace}/${name}`))
    .join(', ');
  return isOurs
    ? `it shares its address with ${others}, which leasehold does not write`
    : `it shares its address with ${others} by ${keyText(service)}: a declared Service gets another key, and would lose the address`;
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

function reserve(service: LiveService, text: string, reason: string, context: ImportContext): void {
  const path = context.freePath(service.namespace, service.name);
  const problem = context.target.problemOf(path, text);
  if (problem) {
    const message = `it is not declared: ${problem.message}`;
    context.leave(subjectOf(service), message, service.addresses, service.at);
    return;
  }
  const isUnpinned = context.repository.cluster.plane.kind === 'cilium' && !service.isPinned;
  const pin = `; it has no pin, so Cilium gives it any address of the pool when it is made again: add what \`leasehold list -o values ${service.namespace}/${service.name}\` prints where it is written`;
  const message = `it is a Reservation, since ${reason}${isUnpinned ? pin : ''}`;
  context.change(subjectOf(service), message, service.at);
  declare('Reservation', service, { path, text }, context);
}

function declare(
  kind: 'Service' | 'Reservation',
  { namespace, name, addresses, at }: LiveService,
  file: { readonly path: string; readonly text: string },
  context: ImportContext,
): void {
  const adopted = { kind, name: `${namespace}/${name}`, addresses, hostnames: [], at };
  context.adopt({ ...adopted, ...file, state: 'added' });
}

/**
 * Warns when a Service requests another pool than the one that contains its address: MetalLB would
 * withdraw the address.
 */
function notePool(service: LiveService, pool: Pool, context: ImportContext): void {
  const { asksPool, at } = service;
  if (asksPool === undefined || asksPool === pool.name) return;
  const message = `its annotation address-pool names ${asksPool}, and its address lies in the pool ${pool.name} here: remove the annotation before you apply, or MetalLB takes the address`;
  context.change(subjectOf(service), message, at);
}

/**
 * Groups Services that share addresses, transitively; each group is sorted by namespace and name.
 */
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
 * True when a live Service is already declared; the declaration stays unchanged. If its live
 * address differs, that is noted, and the address reserved unless it is in use here.
 */
function declaredAlready(
  service: LiveService,
  shared: ReadonlySet<LiveService>,
  context: ImportContext,
): boolean {
  const { namespace, name, addresses, at } = service;
  const { services, claims, cluster } = context.repository;
  const declared = services.find(
    (one) => one.cluster === cluster.name && one.namespace === namespace && one.name === name,
  );
  if (!declared) return false;
  const claim = claims.find((one) => one.kind === 'Service' && one.declared === declared);
  const has = claim ? context.target.heldBy(claim.holder) : [];
  const missing = addresses.filter(
    (address) => !has.some((one) => compareAddresses(one, address) === 0),
  );
  if (missing.length > 0) {
    const here = has.length > 0 ? `with ${addressesText(has)}` : 'without an address';
    const message = `it is declared ${here} in ${declared.at.file}, and has ${addressesText(missing)}`;
    context.leave(serviceSubject(namespace, name), message, missing, at);
  }
  const { sharingKey: key } = service;
  const isReserved = declared.kind === 'Reservation' && shared.has(service);
  if (isReserved && claim && key !== undefined && claim.sharingKey !== key) {
    const message = `its sharing key is ${key}, and ${claim.sharingKey} here: write liveSharingKey: ${JSON.stringify(key)} into ${declared.at.file}, since it loses its address when it gets another key`;
    context.leave(subjectOf(service), message, [], at);
  }
  context.adopt({
    kind: declared.kind,
    name: `${namespace}/${name}`,
    state: 'present',
    addresses,
    hostnames: [],
    path: declared.at.file,
    text: undefined,
    at,
  });
  return true;
}
