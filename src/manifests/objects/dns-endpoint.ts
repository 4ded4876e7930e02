import type { Construct } from 'constructs';
import { DnsEndpoint } from '../../../imports/externaldns.k8s.io.ts';
import {
  type Claim,
  type DnsRecord,
  declarerText,
  dnsRecords,
  recordType,
} from '../../model/claim.ts';
import { claimsIn, type Placement } from '../../model/holder.ts';
import { groupBy } from '../../model/order.ts';
import type { Cluster, Naming } from '../../model/pools.ts';
import { formatAddress } from '../../net/address.ts';
import { staticObject } from '../dist-app.ts';
import { leaseLabels, managedBy, wave } from '../manifest.ts';
import { claimNamespace, dnsEndpointName } from '../names.ts';

/**
 * Adds a DNSEndpoint for each lease, Service and Reservation of a holder whose claims in a cluster
 * name the address. A name that several of them request is in the first one only.
 */
export function addDnsEndpoints(
  chart: Construct,
  { name: cluster, naming }: Cluster,
  { holder, addresses }: Placement,
  ttl: number,
): void {
  const claims = claimsIn(holder, cluster);
  const byClaim = groupBy(dnsRecords(claims, addresses), ({ name }) => {
    const namer = claims.find(({ dns }) => dns.some((request) => request.name === name));
    return namer && claims.find((claim) => declarerText(claim) === declarerText(namer));
  });
  for (const [claim, records] of byClaim) {
    if (!claim) continue;
    new DnsEndpointObject(chart, dnsEndpointName(claim), { naming, claim, records, ttl });
  }
}

interface Records {
  readonly naming: Naming;
  /** A claim of the declaration. */
  readonly claim: Claim;
  readonly records: readonly DnsRecord[];
  /** Seconds. */
  readonly ttl: number;
}

/**
 * The records of the names of one declaration, for external-dns. It has no PTR records:
 * external-dns makes them of these with `--create-ptr`.
 */
class DnsEndpointObject extends staticObject(DnsEndpoint) {
  constructor(scope: Construct, id: string, { naming, claim, records, ttl }: Records) {
    super(scope, id, {
      metadata: {
        name: dnsEndpointName(claim),
        namespace: claimNamespace(naming, claim),
        labels: claim.kind === 'Lease' ? leaseLabels(claim.lease) : { ...managedBy },
        annotations: wave('dnsEndpoint'),
      },
      spec: {
        endpoints: records.map(({ name, address }) => ({
          dnsName: name,
          recordType: recordType(address),
          recordTtl: ttl,
          targets: [formatAddress(address)],
        })),
      },
    });
  }
}
