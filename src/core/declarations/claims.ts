import { oncePer } from '../model/calls.ts';
import {
  type Claim,
  endpointHolder,
  type LeaseClaim,
  liveSharingKeyOf,
  type ServiceClaim,
  serviceSharingKey,
  sharingKey,
} from '../model/claim.ts';
import { base32Hex, sha256 } from '../model/digest.ts';
import type { Endpoint, Lease, Pin } from '../model/lease.ts';
import type { AnycastGroup } from '../model/pools.ts';
import type { Problem } from '../model/problem.ts';
import type { DeclaredService, Reservation } from '../model/service.ts';

/**
 * One claim for each endpoint of a lease: the same objects each time. Trees that have the same
 * files share their leases, so equal claims are found quickly.
 */
export const claimsOfLease = oncePer(
  (lease: Pick<Lease, 'id' | 'cluster' | 'endpoints'>): readonly LeaseClaim[] =>
    lease.endpoints.map((endpoint) => {
      const { liveSharingKey } = endpoint;
      return {
        kind: 'Lease',
        holder: endpointHolder(lease.cluster, lease.id.owner, endpoint.name),
        cluster: lease.cluster,
        lease: lease.id,
        endpoint: endpoint.name,
        sharingKey: liveSharingKey ?? sharingKey(lease.id.owner, endpoint.name),
        liveSharingKey,
        service: endpoint.service,
        port: endpoint.port,
        externalPort: endpoint.externalPort,
        protocol: endpoint.protocol,
        zone: endpoint.zone,
        pool: endpoint.pool,
        advertisement: endpoint.advertisement,
        ipFamily: endpoint.ipFamily,
        pins: pinsOf(endpoint),
        retentionDays: endpoint.retentionDays,
        dns: endpoint.dns,
        selector: endpoint.selector,
        at: endpoint.at,
      };
    }),
);

function pinsOf({ address, addressAt, at }: Endpoint): readonly Pin[] {
  return address ? [{ address, at: addressAt ?? at }] : [];
}

/** One claim for each port of a Service; none for a type other than LoadBalancer. */
export function claimsOfService(
  declared: DeclaredService | Reservation,
  anycast: readonly AnycastGroup[],
): ServiceClaim[] {
  if (declared.kind === 'Service' && !declared.isLeased) return [];
  const group = anycastGroupOf(declared, anycast);
  const holder = group ? holderOfGroup(group) : holderOfService(declared);
  const own = serviceSharingKey(group ? sharingNamespace(group, declared) : declared.namespace);
  return declared.ports.map((port) => ({
    kind: 'Service',
    holder,
    cluster: declared.cluster,
    declared,
    sharingKey: declared.liveSharingKey ?? own,
    service: declared.name,
    port: port.targetPort,
    externalPort: port.port,
    protocol: port.protocol,
    zone: declared.zone,
    pool: declared.pool,
    advertisement: declared.advertisement,
    ipFamily: declared.ipFamily,
    pins: declared.pins,
    retentionDays: declared.retentionDays,
    dns: declared.dns,
    at: declared.at,
  }));
}

/**
 * Gives all claims on one address the live sharing key that one of them declares: in a cluster an
 * address has one key, and MetalLB takes it from a Service that changes it while another is there.
 */
export function withLiveKeys(claims: readonly Claim[]): readonly Claim[] {
  const live = new Map<string, string>();
  for (const claim of claims) {
    const key = liveSharingKeyOf(claim);
    const place = `${claim.cluster} ${claim.holder}`;
    if (key !== undefined && !live.has(place)) live.set(place, key);
  }
  if (live.size === 0) return claims;
  return claims.map((claim) => {
    const key = live.get(`${claim.cluster} ${claim.holder}`);
    return key === undefined ? claim : { ...claim, sharingKey: key };
  });
}

/** The holder of a Service outside anycast groups: that of its sharing key, or its own. */
export function holderOfService(
  declared: Pick<DeclaredService, 'cluster' | 'namespace' | 'name' | 'sharingKey'>,
): string {
  const { cluster, namespace, name, sharingKey: key } = declared;
  return key === undefined ? `${cluster}/service/${namespace}/${name}` : holderOfKey(declared, key);
}

/** The holder of the Services of a namespace with one sharing key. */
export function holderOfKey(
  { cluster, namespace }: Pick<DeclaredService, 'cluster' | 'namespace'>,
  key: string,
): string {
  return `${cluster}/shared/${namespace}/${plainKey(key)}`;
}

/** A sharing key as part of a holder id: itself when it is a DNS label, otherwise its hash. */
function plainKey(key: string): string {
  return /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/.test(key)
    ? key
    : `h.${base32Hex(sha256(key).subarray(0, 15))}`;
}

type Named = Pick<DeclaredService, 'cluster' | 'namespace' | 'name'>;

/** The groups of a pool file by member, cached because every Service is looked up. */
const indexes = new WeakMap<readonly AnycastGroup[], ReadonlyMap<string, AnycastGroup>>();

/** The holder of a group's address. */
export function holderOfGroup({ name }: Pick<AnycastGroup, 'name'>): string {
  return `anycast/${name}`;
}

/** The anycast group of a Service; a Service is a member of at most one. */
export function anycastGroupOf(
  { cluster, namespace, name }: Named,
  groups: readonly AnycastGroup[],
): AnycastGroup | undefined {
  const known = indexes.get(groups) ?? indexOf(groups);
  indexes.set(groups, known);
  return known.get(`${cluster}/${namespace}/${name}`);
}

/**
 * The namespace whose sharing key the members of one cluster use: that of the first member in the
 * pool file, so that appending a member does not change the others.
 */
export function sharingNamespace(
  { members }: Pick<AnycastGroup, 'members'>,
  { cluster, namespace }: Pick<Named, 'cluster' | 'namespace'>,
): string {
  return members.find((member) => member.cluster === cluster)?.namespace ?? namespace;
}

function indexOf(groups: readonly AnycastGroup[]): ReadonlyMap<string, AnycastGroup> {
  return new Map(
    groups.flatMap((group) =>
      group.members.map(
        ({ cluster, namespace, service }) => [`${cluster}/${namespace}/${service}`, group] as const,
      ),
    ),
  );
}

/** ANYCAST_KEY for every group member with its own sharing key: it cannot be on two addresses. */
export function anycastProblems(
  services: readonly (DeclaredService | Reservation)[],
  groups: readonly AnycastGroup[],
): Problem[] {
  return services.flatMap((service): Problem[] => {
    const group = service.sharingKey === undefined ? undefined : anycastGroupOf(service, groups);
    if (!group) return [];
    const { namespace, name, at } = service;
    return [
      {
        code: 'ANYCAST_KEY',
        message: `the Service '${namespace}/${name}' has a sharing key, but it already shares its address with the anycast group '${group.name}'`,
        at,
        also: [group.at],
        hint: 'remove the sharing key, or the Service from the group',
      },
    ];
  });
}
