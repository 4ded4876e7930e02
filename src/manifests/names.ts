import type { Claim, LeaseClaim } from '../model/claim.ts';
import { base32Hex, sha224 } from '../model/digest.ts';
import { type LeaseId, leaseIdText } from '../model/lease.ts';
import type { Naming } from '../model/pools.ts';
import { type Address, formatAddress } from '../net/address.ts';

/** The namespace that all `ProviderLeasedIP`s stand in. Akash provider: flag `--k8s-manifest-ns`. */
export const leasedIPNamespace = 'lease';

/**
 * The namespace that a lease's pods and Services are in. `akash`: base32hex of the SHA-224 of the
 * lease id, 45 characters (Akash provider: cluster/util/lease_id_to_namespace.go). `readable`: as
 * the published documents show it, at most 63 characters; it leaves out owner and provider, so two
 * leases can want the same one.
 */
export function leaseNamespace(naming: Naming, lease: LeaseId): string {
  return naming === 'akash'
    ? hashedNamespace(lease)
    : `lease-dseq-${lease.dseq}-gseq-${lease.gseq}-oseq-${lease.oseq}`;
}

const hashedNamespace = oncePer((lease: LeaseId) => base32Hex(sha224(leaseIdText(lease))));

/** The namespace that a claim's Service is in: its lease's, or its own. */
export function claimNamespace(naming: Naming, claim: Claim): string {
  return claim.kind === 'Lease' ? leaseNamespace(naming, claim.lease) : claim.declared.namespace;
}

/**
 * The name of a claim's `ProviderLeasedIP`: `<sharing key>-tcp-80` (Akash provider:
 * cluster/kube/cluster_ip_connections.go DeclareIP), or the documents' `<owner>-tcp-80`.
 */
export function leasedIPName(naming: Naming, claim: LeaseClaim): string {
  const base = naming === 'akash' ? claim.sharingKey : claim.lease.owner;
  return `${base}-${claim.protocol}-${claim.externalPort}`.toLowerCase();
}

/**
 * The name of the Service that a claim is served by: `web-ip-80-tcp`, one per claim (Akash
 * provider: metallb/client.go createIPPassthroughResourceName), or the service's own name, with
 * all its ports.
 */
export function serviceName(naming: Naming, claim: Claim): string {
  return naming === 'akash' && claim.kind === 'Lease' ? akashPortName(claim) : claim.service;
}

/**
 * The name of the NetworkPolicy of a claim with IPv6: `ipv6-web-ip-80-tcp`. Those of the Akash provider begin with
 * `akash-` (cluster/kube/builder/netpol.go), so that no tenant's service name makes the two one.
 */
export function networkPolicyName(claim: LeaseClaim): string {
  return `ipv6-${akashPortName(claim)}`;
}

/** The name of a claim's port in its Service: the Service's own in `akash`, else `80-tcp`. */
export function portName(naming: Naming, claim: LeaseClaim): string {
  return naming === 'akash'
    ? akashPortName(claim)
    : `${claim.externalPort}-${claim.protocol.toLowerCase()}`;
}

/**
 * The name of the `IPAddressPool` of one held address set, from its first address: `ip-203.0.113.7`,
 * or `ip-` and eight full hextets. By address and never by holder: the next holder's pool must
 * update the same object, because MetalLB refuses two pools with one address.
 */
export function addressPoolName(first: Address): string {
  if (first.family === 'ipv4') return `ip-${formatAddress(first)}`;
  const digits = first.value.toString(16).padStart(32, '0');
  return `ip-${digits.match(/.{4}/g)?.join('-')}`;
}

/** The name of the Service of one endpoint, and of its port, on a running Akash provider: `web-ip-80-tcp`. */
export function akashPortName({
  service,
  externalPort,
  protocol,
}: Pick<LeaseClaim, 'service' | 'externalPort' | 'protocol'>): string {
  return `${service}-ip-${externalPort}-${protocol}`.toLowerCase();
}

/** A function that makes its value once per object and then remembers it as long as the object lives. */
function oncePer<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}
