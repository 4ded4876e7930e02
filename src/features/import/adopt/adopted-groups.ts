import {
  anycastGroupOf,
  holderOfGroup,
  sharingNamespace,
} from '../../../core/declarations/claims.ts';
import { obstacle } from '../../../core/declarations/pools/pool-index.ts';
import { serviceSharingKey } from '../../../core/model/claim.ts';
import { compareText } from '../../../core/model/order.ts';
import type { AnycastGroup, AnycastMember, Pool } from '../../../core/model/pools.ts';
import { startOf } from '../../../core/model/problem.ts';
import { poolsPath } from '../../../core/model/repository-paths.ts';
import { type Address, formatAddress } from '../../../core/net/address.ts';
import type { ImportContext } from '../import-context.ts';
import { addressesText } from '../import-target.ts';
import type { LiveService } from '../imported.ts';
import { reservationText } from './declaration-text.ts';

type Group = Pick<AnycastGroup, 'name' | 'members'>;

/** The groups of the pool file that contain any of these Services. */
export function declaredGroups(
  services: readonly LiveService[],
  { repository: { cluster, pools } }: ImportContext,
): readonly AnycastGroup[] {
  const found = services.map(({ namespace, name }) =>
    anycastGroupOf({ cluster: cluster.name, namespace, name }, pools.anycast),
  );
  return [...new Set(found)].filter((group) => group !== undefined);
}

/**
 * The holders that may have the address of a group: the group, and its members before they joined.
 */
export function holdersOfGroup(group: Group): readonly string[] {
  const alone = group.members.map(
    ({ cluster, namespace, service }) => `${cluster}/service/${namespace}/${service}`,
  );
  return [holderOfGroup(group), ...alone];
}

/** Why Services cannot share these addresses as members of the groups; undefined when they can. */
export function apartInGroups(
  groups: readonly AnycastGroup[],
  addresses: readonly Address[],
  pool: Pool,
  context: ImportContext,
): string | undefined {
  const [group, second] = groups;
  if (!group) return undefined;
  if (second) {
    return `its address ${addressesText(addresses)} is of members of the groups ${group.name} and ${second.name} in leases/pools.yaml, but each group has its own address`;
  }
  const held = context.target.heldBy(holderOfGroup(group));
  const isOther = held.some(({ family, value }) =>
    addresses.some((one) => one.family === family && one.value !== value),
  );
  if (isOther) return `its group ${group.name} has ${addressesText(held)}`;
  const between = obstacle(
    { clusters: clustersOf(group, context), advertisement: undefined },
    pool,
  );
  return (
    between &&
    `${between.reason}, where its group ${group.name} is: announce the pool by BGP in all clusters of the group, or take a member out of it and give that one another address`
  );
}

/** The clusters of a group once a Service of this cluster is declared. */
function clustersOf(group: AnycastGroup, { repository }: ImportContext): readonly string[] {
  const holder = holderOfGroup(group);
  const declared = repository.claims.filter((claim) => claim.holder === holder);
  const clusters = [repository.cluster.name, ...declared.map(({ cluster }) => cluster)];
  return [...new Set(clusters)].sort(compareText);
}

/**
 * The group that declares Services on one address: an existing group with the others added, or a
 * new one when they are in several namespaces. Undefined when none is needed.
 */
export function groupFor(
  services: readonly LiveService[],
  addresses: readonly Address[],
  context: ImportContext,
): Group | undefined {
  const [declared] = declaredGroups(services, context);
  const sayable = services.filter((service) => isSayable(service, context));
  const namespaces = new Set(sayable.map(({ namespace }) => namespace));
  if (!declared && namespaces.size < 2) return undefined;
  const known = declared?.members ?? [];
  const members = homeFirst(sayable).map((service) => memberOf(service, context));
  const added = members.filter((member) => !known.some((one) => isSame(one, member)));
  const isUnused = (one: string): boolean => context.isFreeGroup(one);
  const name = declared?.name ?? freeName(services[0]?.sharingKey, addresses, isUnused);
  if (added.length > 0) {
    const names = added.map(({ namespace, service }) => `${namespace}/${service}`).join(', ');
    const what = declared ? `${names} is added to it` : `it is written, with ${names}`;
    const message = `${what}: Services that share ${addressesText(addresses)} over namespaces`;
    context.change(`the group ${name}`, message, startOf(poolsPath));
    context.join(name, added);
  }
  return { name, members: [...known, ...added] };
}

/** The sharing key that leasehold writes for a member of a group. */
export function groupKey(group: Group, { namespace }: LiveService, context: ImportContext): string {
  const { name: cluster } = context.repository.cluster;
  return serviceSharingKey(sharingNamespace(group, { cluster, namespace }));
}

/**
 * Puts Services first whose live sharing key is already the one of their namespace: the first
 * member of a group determines the key.
 */
function homeFirst(services: readonly LiveService[]): readonly LiveService[] {
  const isHome = ({ namespace, sharingKey }: LiveService): boolean =>
    sharingKey === serviceSharingKey(namespace);
  return [...services.filter(isHome), ...services.filter((service) => !isHome(service))];
}

/** True when a Service can be declared. Some names and ports cannot. */
export function isSayable(service: LiveService, context: ImportContext): boolean {
  const { clusterName: cluster } = context.target;
  const text = reservationText(service, { cluster, zone: undefined, sharingKey: undefined });
  const path = context.freePath(service.namespace, service.name);
  return context.target.problemOf(path, text) === undefined;
}

function memberOf({ namespace, name }: LiveService, context: ImportContext): AnycastMember {
  return { cluster: context.repository.cluster.name, namespace, service: name };
}

function isSame(left: AnycastMember, right: AnycastMember): boolean {
  return (
    left.cluster === right.cluster &&
    left.namespace === right.namespace &&
    left.service === right.service
  );
}

/**
 * A name for a sharing key or a group: the live sharing key if it is a valid and unused name;
 * otherwise one made of the addresses, such as `ip-192-0-2-65`.
 */
export function freeName(
  sharingKey: string | undefined,
  addresses: readonly Address[],
  isUnused: (name: string) => boolean,
): string {
  const isName = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/.test(sharingKey ?? '');
  if (sharingKey !== undefined && isName && isUnused(sharingKey)) return sharingKey;
  const text = addresses.map(formatAddress).join('-');
  // The first address of an IPv6 network ends in colons.
  const base = `ip-${text.replaceAll(/[^0-9a-f]+/g, '-').replace(/-$/, '')}`;
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}-${count}`;
    if (isUnused(name)) return name;
  }
}
