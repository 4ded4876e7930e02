import { oncePer } from '../model/calls.ts';
import { type Claim, endpointKey, type LeaseClaim } from '../model/claim.ts';
import { base32Hex, sha224, sha256 } from '../model/digest.ts';
import type { Hostname } from '../model/hostname.ts';
import { type LeaseId, leaseIdText } from '../model/lease.ts';
import type { Naming, PoolAdvertisement } from '../model/pools.ts';
import { type Address, type Family, formatAddress } from '../net/address.ts';

/** The namespace of all `ProviderLeasedIP`s and `ProviderHost`s. Akash provider: flag `--k8s-manifest-ns`. */
export const leasedIPNamespace = 'lease';

/**
 * Returns the namespace of a lease's pods and Services. `akash`: base32hex of the SHA-224 of the
 * lease id, 45 characters (Akash provider: cluster/util/lease_id_to_namespace.go). `readable`: the
 * form in the published documents, at most 63 characters. It lacks owner and provider, so two
 * leases can have the same namespace.
 */
export function leaseNamespace(naming: Naming, lease: LeaseId): string {
  return naming === 'akash'
    ? hashedNamespace(lease)
    : `lease-dseq-${lease.dseq}-gseq-${lease.gseq}-oseq-${lease.oseq}`;
}

const hashedNamespace = oncePer((lease: LeaseId) => base32Hex(sha224(leaseIdText(lease))));

/** Returns the namespace of a claim's Service: that of its lease, or its declared one. */
export function claimNamespace(naming: Naming, claim: Claim): string {
  return claim.kind === 'Lease' ? leaseNamespace(naming, claim.lease) : claim.declared.namespace;
}

/** Returns the namespace of the route of a hostname: that of its lease, or its declared one. */
export function hostnameNamespace(naming: Naming, declared: Hostname): string {
  return declared.lease ? leaseNamespace(naming, declared.lease) : declared.namespace;
}

/**
 * Returns the name of a claim's `ProviderLeasedIP`: `<sharing key>-tcp-80` (Akash provider:
 * cluster/kube/cluster_ip_connections.go DeclareIP), or `<owner>-tcp-80` as in the published
 * documents.
 */
export function leasedIPName(naming: Naming, claim: LeaseClaim): string {
  const base = naming === 'akash' ? endpointKey(claim) : claim.lease.owner;
  return `${base}-${claim.protocol}-${claim.externalPort}`.toLowerCase();
}

/**
 * Returns the name of a claim's Service: `web-ip-80-tcp`, one for each claim (Akash provider:
 * metallb/client.go createIPPassthroughResourceName), or with `readable` the name of the service,
 * with all its ports.
 */
export function serviceName(naming: Naming, claim: Claim): string {
  return naming === 'akash' && claim.kind === 'Lease' ? akashPortName(claim) : claim.service;
}

/**
 * Returns the name of the NetworkPolicy of a claim with IPv6: `ipv6-web-ip-80-tcp`. The names of
 * the Akash provider begin with `akash-` (cluster/kube/builder/netpol.go), so the two never clash.
 */
export function networkPolicyName(claim: LeaseClaim): string {
  return `ipv6-${akashPortName(claim)}`;
}

/**
 * Returns the name of the ConfigMap with the addresses of a Service: `web-leased-ip`. No other
 * ConfigMap that leasehold writes ends like this.
 */
export function addressConfigMapName(service: string): string {
  return `${service}-leased-ip`;
}

const dnsLabelEnd = /^[-a-z0-9]{0,55}[a-z0-9]$/;

/**
 * Returns the address name of an endpoint, by which the pods of its lease look the addresses up in
 * DNS: `leased-web`. An endpoint whose name does not fit into a DNS label is replaced by 24
 * characters of its hash.
 */
export function addressName({ endpoint }: Pick<LeaseClaim, 'endpoint'>): string {
  const label = dnsLabelEnd.test(endpoint) ? endpoint : base32Hex(sha256(endpoint).subarray(0, 15));
  return `leased-${label}`;
}

/** Returns the name of the EndpointSlice of one family: `leased-web-ipv4`. */
export function addressSliceName(claim: Pick<LeaseClaim, 'endpoint'>, family: Family): string {
  return `${addressName(claim)}-${family}`;
}

/**
 * Returns the name of the DNSEndpoint of a claim's Service, or of the endpoint of its lease:
 * `web-dns`.
 */
export function dnsEndpointName(claim: Claim): string {
  return `${claim.kind === 'Lease' ? endpointKey(claim) : claim.service}-dns`;
}

/**
 * Returns the name of the route of a hostname: the hostname, as on an Akash provider. A wildcard is
 * no name of an object: `wildcard-` and 24 characters of the hash of its domain. No hostname is a
 * single label, so no two have the same name.
 */
export function routeName(hostname: string): string {
  if (!hostname.startsWith('*.')) return hostname;
  return `wildcard-${base32Hex(sha256(hostname.slice(2)).subarray(0, 15))}`;
}

/** Returns the name of a claim's port: that of its Service with `akash`, else `80-tcp`. */
export function portName(naming: Naming, claim: LeaseClaim): string {
  return naming === 'akash'
    ? akashPortName(claim)
    : `${claim.externalPort}-${claim.protocol.toLowerCase()}`;
}

/**
 * Returns the name of the `IPAddressPool` of a holder, from its first address: `ip-203.0.113.7`, or
 * `ip-` and eight full hextets. It does not depend on the holder: the pool of the next holder must
 * update the same object, because MetalLB refuses two pools with the same address.
 */
export function addressPoolName(first: Address): string {
  if (first.family === 'ipv4') return `ip-${formatAddress(first)}`;
  const digits = first.value.toString(16).padStart(32, '0');
  return `ip-${digits.match(/.{4}/g)?.join('-')}`;
}

/** True for a name as {@link addressPoolName} gives it. */
export function isAddressPoolName(name: string): boolean {
  return /^ip-(?:\d+(?:\.\d+){3}|[0-9a-f]{4}(?:-[0-9a-f]{4}){7})$/.test(name);
}

/**
 * Returns the name of the object of an advertisement of a declared pool, for one `IPAddressPool`:
 * for a held pool its own name follows that of the pool.
 */
export function advertisementName(
  { name }: PoolAdvertisement,
  { declared, pool }: { readonly declared: string; readonly pool: string },
): string {
  if (pool === declared) return name;
  return name === declared ? pool : `${pool}-${name}`;
}

/** Returns the name of an endpoint's Service and port on an Akash provider: `web-ip-80-tcp`. */
export function akashPortName({
  service,
  externalPort,
  protocol,
}: Pick<LeaseClaim, 'service' | 'externalPort' | 'protocol'>): string {
  return `${service}-ip-${externalPort}-${protocol}`.toLowerCase();
}
