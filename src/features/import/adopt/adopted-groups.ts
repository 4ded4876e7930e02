import { anycastGroupOf, holderOfGroup, sharingNamespace } from '../../../declarations/claims.ts';
import { obstacle } from '../../../declarations/pools/pool-index.ts';
import { poolsPath } from '../../../model/folders.ts';
import { compareText } from '../../../model/order.ts';
import type { AnycastGroup, AnycastMember, Pool } from '../../../model/pools.ts';
import { startOf } from '../../../model/problem.ts';
import { serviceSharingKey } from '../../../model/sharing-key.ts';
import { type Address, formatAddress } from '../../../net/address.ts';
import { type Ground, textOf } from '../import-context.ts';
import type { LiveService } from '../imported.ts';
import { reservationText } from './declaration-text.ts';

type Group = Pick<AnycastGroup, 'name' | 'members'>;

/** The groups of the pool file that some of these Services are members of. */
export function declaredGroups(
  services: readonly LiveService[],
  { standing: { cluster, pools } }: Ground,
): readonly AnycastGroup[] {
  const found = services.map(({ namespace, name }) =>
    anycastGroupOf({ cluster: cluster.name, namespace, name }, pools.anycast),
  );
  return [...new Set(found)].filter((group) => group !== undefined);
}

/** Who may have the address of a group, or bring it along: the group, and its members where they stand alone. */
export function holdersOfGroup(group: Group): readonly string[] {
  const alone = group.members.map(
    ({ cluster, namespace, service }) => `${cluster}/service/${namespace}/${service}`,
  );
  return [holderOfGroup(group), ...alone];
}

/** Why Services cannot stand on some addresses of a pool as members of these groups, or undefined. */
export function apartInGroups(
  groups: readonly AnycastGroup[],
  addresses: readonly Address[],
  pool: Pool,
  ground: Ground,
): string | undefined {
  const [group, second] = groups;
  if (!group) return undefined;
  if (second) {
    return `its address ${textOf(addresses)} is of members of the groups ${group.name} and ${second.name} in leases/pools.yaml, which have one each`;
  }
  const held = ground.heldBy(holderOfGroup(group));
  const isOther = held.some(({ family, value }) =>
    addresses.some((one) => one.family === family && one.value !== value),
  );
  if (isOther) return `its group ${group.name} has ${textOf(held)}`;
  const between = obstacle({ clusters: clustersOf(group, ground) }, pool);
  return (
    between &&
    `${between.reason}, where its group ${group.name} is: announce the pool by BGP in all clusters of the group, or take a member out of it and give that one another address`
  );
}

/** Where a group stands once a Service of this cluster is declared. */
function clustersOf(group: AnycastGroup, { standing }: Ground): readonly string[] {
  const holder = holderOfGroup(group);
  const declared = standing.claims.filter((claim) => claim.holder === holder);
  const clusters = [standing.cluster.name, ...declared.map(({ cluster }) => cluster)];
  return [...new Set(clusters)].sort(compareText);
}

/**
 * The group by which Services on one address are declared: the one that some are members of, with the others added, or a
 * new one where they are of several namespaces. Undefined for those that need none.
 */
export function groupFor(
  services: readonly LiveService[],
  addresses: readonly Address[],
  ground: Ground,
): Group | undefined {
  const [declared] = declaredGroups(services, ground);
  const sayable = services.filter((service) => isSayable(service, ground));
  const namespaces = new Set(sayable.map(({ namespace }) => namespace));
  if (!declared && namespaces.size < 2) return undefined;
  const known = declared?.members ?? [];
  const members = homeFirst(sayable).map((service) => memberOf(service, ground));
  const added = members.filter((member) => !known.some((one) => isSame(one, member)));
  const name = declared?.name ?? freeName(services, addresses, ground);
  if (added.length > 0) {
    const names = added.map(({ namespace, service }) => `${namespace}/${service}`).join(', ');
    const what = declared ? `${names} is added to it` : `it is written, with ${names}`;
    const message = `${what}: Services that share ${textOf(addresses)} over namespaces`;
    ground.change(`the group ${name}`, message, startOf(poolsPath));
    ground.join(name, added);
  }
  return { name, members: [...known, ...added] };
}

/** The sharing key that leasehold writes for a member of a group. */
export function groupKey(group: Group, { namespace }: LiveService, ground: Ground): string {
  const { name: cluster } = ground.standing.cluster;
  return serviceSharingKey(sharingNamespace(group, { cluster, namespace }));
}

/** Those first that are of the namespace whose key leasehold writes already: the first member of a group says it. */
function homeFirst(services: readonly LiveService[]): readonly LiveService[] {
  const isHome = ({ namespace, sharingKey }: LiveService): boolean =>
    sharingKey === serviceSharingKey(namespace);
  return [...services.filter(isHome), ...services.filter((service) => !isHome(service))];
}

/** True for a Service that can be declared. No declaration may have the name or the ports of the others. */
function isSayable(service: LiveService, ground: Ground): boolean {
  const { clusterName: cluster } = ground;
  const text = reservationText(service, { cluster, zone: undefined, sharingKey: undefined });
  return ground.problemOf(ground.freePath(service.namespace, service.name), text) === undefined;
}

function memberOf({ namespace, name }: LiveService, ground: Ground): AnycastMember {
  return { cluster: ground.standing.cluster.name, namespace, service: name };
}

function isSame(left: AnycastMember, right: AnycastMember): boolean {
  return (
    left.cluster === right.cluster &&
    left.namespace === right.namespace &&
    left.service === right.service
  );
}

/** The live sharing key where it is a plain name that is free, and else one that names the address. */
function freeName(
  [first]: readonly LiveService[],
  addresses: readonly Address[],
  ground: Ground,
): string {
  const base = addressName(addresses);
  const names = [...plainNames(first?.sharingKey), base];
  const free = names.find((name) => ground.isFreeGroup(name));
  if (free !== undefined) return free;
  for (let count = 2; ; count += 1) {
    const name = `${base}-${count}`;
    if (ground.isFreeGroup(name)) return name;
  }
}

/** A live sharing key where it is a plain name: one that a sharing key or a group here may have. */
export function plainNames(sharingKey = ''): readonly string[] {
  return /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/.test(sharingKey) ? [sharingKey] : [];
}

/** A name that tells addresses: `ip-192-0-2-65`. */
export function addressName(addresses: readonly Address[]): string {
  const text = addresses.map(formatAddress).join('-');
  return `ip-${text.replaceAll(/[^0-9a-f]+/g, '-')}`;
}
