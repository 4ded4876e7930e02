import type { Construct } from 'constructs';
import { DnsEndpoint } from '../../../../imports/externaldns.k8s.io.ts';
import { type DnsRecord, declarerText, dnsRecords, recordType } from '../../model/claim.ts';
import { claimsIn, type Placement, publicAddresses } from '../../model/holder.ts';
import type { Hostname } from '../../model/hostname.ts';
import { groupBy } from '../../model/order.ts';
import type { Cluster, Naming } from '../../model/pools.ts';
import { formatAddress } from '../../net/address.ts';
import { staticObject } from '../dist-app.ts';
import { leaseLabels, type Metadata, managedBy, wave } from '../manifest.ts';
import { claimNamespace, dnsEndpointName, hostnameNamespace, routeName } from '../names.ts';

/**
 * Adds a DNSEndpoint for each lease, Service and Reservation of a holder whose claims in a cluster
 * name the address. A name that several of them request is in the first one only.
 */
export function addDnsEndpoints(
  chart: Construct,
  { name: cluster, naming }: Cluster,
  placement: Placement,
  ttl: number,
): void {
  const claims = claimsIn(placement.holder, cluster);
  const byClaim = groupBy(dnsRecords(claims, publicAddresses(placement)), ({ name }) => {
    const namer = claims.find(({ dns }) => dns.some((request) => request.name === name));
    return namer && claims.find((claim) => declarerText(claim) === declarerText(namer));
  });
  for (const [claim, records] of byClaim) {
    if (!claim) continue;
    const name = dnsEndpointName(claim);
    const namespace = claimNamespace(naming, claim);
    const labels = claim.kind === 'Lease' ? leaseLabels(claim.lease) : { ...managedBy };
    new DnsEndpointObject(chart, name, { name, namespace, labels, records, ttl });
  }
}

/** Adds the DNSEndpoint of a hostname, beside its route, if it has DNS records. */
export function addHostnameDns(
  chart: Construct,
  naming: Naming,
  declared: Hostname,
  { records, ttl }: Pick<Records, 'records' | 'ttl'>,
): void {
  if (records.length === 0) return;
  new DnsEndpointObject(chart, 'dns', {
    name: routeName(declared.hostname),
    namespace: hostnameNamespace(naming, declared),
    labels: declared.lease ? leaseLabels(declared.lease) : { ...managedBy },
    records,
    ttl,
  });
}

interface Records {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Metadata['labels'];
  readonly records: readonly DnsRecord[];
  /** Seconds. */
  readonly ttl: number;
}

/**
 * The records of the names of one declaration, or of a hostname, for external-dns. It has no PTR records:
 * external-dns makes them of these with `--create-ptr`.
 */
class DnsEndpointObject extends staticObject(DnsEndpoint) {
  constructor(scope: Construct, id: string, { records, ttl, ...metadata }: Records) {
    super(scope, id, {
      metadata: {
        ...metadata,
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
