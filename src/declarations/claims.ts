import type { LeaseClaim, ServiceClaim } from '../model/claim.ts';
import { base32Hex, sha256 } from '../model/digest.ts';
import type { Lease } from '../model/lease.ts';
import type { AnycastGroup } from '../model/pools.ts';
import type { DeclaredService, Reservation } from '../model/service.ts';
import { serviceSharingKey, sharingKey } from '../model/sharing-key.ts';
import { groupOf, holderOfGroup, homeOf } from './anycast.ts';

/** What each endpoint of a lease asks for. */
export function claimsOfLease(lease: Lease): LeaseClaim[] {
  return lease.endpoints.map((endpoint) => {
    const key = sharingKey(lease.id.owner, endpoint.name);
    return {
      kind: 'Lease',
      holder: `${lease.cluster}/akash/${key}`,
      cluster: lease.cluster,
      lease: lease.id,
      endpoint: endpoint.name,
      sharingKey: key,
      service: endpoint.service,
      port: endpoint.port,
      externalPort: endpoint.externalPort,
      protocol: endpoint.protocol,
      zone: endpoint.zone,
      pool: endpoint.pool,
      ipFamily: endpoint.ipFamily,
      pins: endpoint.address ? [{ address: endpoint.address, at: endpoint.at }] : [],
      retentionPeriodDays: endpoint.retentionPeriodDays,
      selector: endpoint.selector,
      at: endpoint.at,
    };
  });
}

/** What each port of a Service asks for; nothing for one of another type than LoadBalancer. */
export function claimsOfService(
  declared: DeclaredService | Reservation,
  anycast: readonly AnycastGroup[],
): ServiceClaim[] {
  if (declared.kind === 'Service' && !declared.isLeased) return [];
  const group = groupOf(declared, anycast);
  const holder = group ? holderOfGroup(group) : holderOfService(declared);
  const key = serviceSharingKey(group ? homeOf(group, declared) : declared.namespace);
  return declared.ports.map((port) => ({
    kind: 'Service',
    holder,
    cluster: declared.cluster,
    declared,
    sharingKey: key,
    service: declared.name,
    port: port.targetPort,
    externalPort: port.port,
    protocol: port.protocol,
    zone: declared.zone,
    pool: declared.pool,
    ipFamily: declared.ipFamily,
    pins: declared.pins,
    retentionPeriodDays: declared.retentionPeriodDays,
    at: declared.at,
  }));
}

/** The holder whose address a Service of no group stands on: its sharing key's, or its own. */
function holderOfService(declared: DeclaredService | Reservation): string {
  const { cluster, namespace, name, sharingKey: key } = declared;
  return key === undefined
    ? `${cluster}/service/${namespace}/${name}`
    : `${cluster}/shared/${namespace}/${plainKey(key)}`;
}

/** A sharing key that is a name stands for itself, any other for its hash: keys are free text. */
function plainKey(key: string): string {
  return /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/.test(key)
    ? key
    : `h.${base32Hex(sha256(key).subarray(0, 15))}`;
}
