import type { DnsEndpointSpec } from '../../../../imports/externaldns.k8s.io.ts';
import { type DnsRecord, declarerText, dnsRecords, recordType } from '../../model/claim.ts';
import { claimsIn, type Placement, publicAddresses } from '../../model/holder.ts';
import type { Hostname } from '../../model/hostname.ts';
import { groupBy } from '../../model/order.ts';
import type { Cluster, Naming } from '../../model/pools.ts';
import { formatAddress } from '../../net/address.ts';
import { leaseLabels, type Manifest, type Metadata, managedBy, wave } from '../manifest.ts';
import { claimNamespace, dnsEndpointName, hostnameNamespace, routeName } from '../names.ts';
import type { Written } from '../written-fields.ts';

/**
 * Returns a DNSEndpoint for each lease, Service and Reservation of a holder whose claims in a cluster
 * name the address. A name that several of them request is in the first one only.
 */
export function dnsEndpointManifests(
  { name: cluster, naming }: Cluster,
  placement: Placement,
  ttl: number,
): readonly Manifest[] {
  const claims = claimsIn(placement.holder, cluster);
  const byClaim = groupBy(dnsRecords(claims, publicAddresses(placement)), ({ name }) => {
    const namer = claims.find(({ dns }) => dns.some((request) => request.name === name));
    return namer && claims.find((claim) => declarerText(claim) === declarerText(namer));
  });
  return [...byClaim].flatMap(([claim, records]) => {
    if (!claim) return [];
    const name = dnsEndpointName(claim);
    const namespace = claimNamespace(naming, claim);
    const labels = claim.kind === 'Lease' ? leaseLabels(claim.lease) : { ...managedBy };
    return [dnsEndpointManifest({ name, namespace, labels, records, ttl })];
  });
}

/** Returns the DNSEndpoint of a hostname, which is beside its route. */
export function hostnameDnsManifest(
  naming: Naming,
  declared: Hostname,
  { records, ttl }: Pick<Records, 'records' | 'ttl'>,
): Manifest {
  return dnsEndpointManifest({
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
 * Returns the records of the names of one declaration, or of a hostname, for external-dns. It has
 * no PTR records: external-dns makes them of these with `--create-ptr`.
 */
function dnsEndpointManifest({ name, namespace, labels, records, ttl }: Records): Manifest {
  return {
    apiVersion: 'externaldns.k8s.io/v1alpha1',
    kind: 'DNSEndpoint',
    metadata: { name, namespace, labels, annotations: wave('dnsEndpoint') },
    spec: {
      endpoints: records.map(({ name: dnsName, address }) => ({
        dnsName,
        recordType: recordType(address),
        recordTTL: ttl,
        targets: [formatAddress(address)],
      })),
    } satisfies Written<DnsEndpointSpec>,
  };
}
