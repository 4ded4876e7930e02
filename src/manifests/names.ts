import type { Claim, Holder, LeaseClaim } from '../model/claim.ts';
import { base32Hex, sha224, sha256Hex } from '../model/digest.ts';
import { distFolder } from '../model/folders.ts';
import { type LeaseId, leaseIdText } from '../model/lease.ts';
import { type Naming, type Shards, shardDigits } from '../model/pools.ts';
import { type Address, formatAddress } from '../net/address.ts';
import { oncePer } from './once-per.ts';

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

/** The file that keeps the folder of a shard from becoming empty; `shard` is one of shardFolders. */
export function keepPath(cluster: string, shard = ''): string {
  return `${shardPath(cluster, shard)}/leasehold.yaml`;
}

/** The file of a cluster's admission policy, with `layout: pool`; `shard` is the first of shardFolders. */
export function admissionPath(cluster: string, shard = ''): string {
  return `${shardPath(cluster, shard)}/leasehold-admission.yaml`;
}

function shardPath(cluster: string, shard: string): string {
  return `${distFolder}/${cluster}${shard === '' ? '' : `/${shard}`}`;
}

/**
 * Where a file with a hash in its path stands in a cluster of so many shards: those of 16 are folders around
 * the folders of two digits.
 */
export function pathInShards(path: string, shards: Shards): string {
  return shards === 16 ? path.replace(/\/(?=([0-9a-f])[0-9a-f]\/[^/]+$)/, '/$1/') : path;
}

/** The shard that a file with a hash in its path is in: one of shardFolders. */
export function shardOf(path: string, shards: Shards): string {
  return (path.split('/').at(-2) ?? '').slice(0, shardDigits(shards));
}

/** The file of a holder's whole footprint in one cluster; see {@link pathInShards}. */
export function holderPath(clusterName: string, holder: Holder): string {
  const parts = holder.id.split('/');
  const isLease = parts.length > 2 && parts[1] === 'akash';
  const name = parts.slice(isLease ? 2 : -2).join('-');
  return hashedPath(clusterName, holder.id, name);
}

/** The file of a declared Service that has no address. */
export function servicePath(clusterName: string, namespace: string, service: string): string {
  return hashedPath(
    clusterName,
    `${clusterName}/service/${namespace}/${service}`,
    `${namespace}-${service}`,
  );
}

/** The file of a namespace. */
export function namespacePath(cluster: string, name: string): string {
  return hashedPath(cluster, `${cluster}/namespace/${name}`, `namespace-${name}`);
}

/** The file of a declared pool, with `layout: pool`. */
export function poolPath(cluster: string, name: string): string {
  return hashedPath(cluster, `${cluster}/pool/${name}`, `pool-${name}`);
}

const cluster = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';
const slug = '[a-z0-9](?:[-a-z0-9]{0,78}[a-z0-9])?';
const distPath = new RegExp(
  `^${distFolder}/${cluster}/(?:(?:[0-9a-f]{1,2}/)?leasehold(?:-admission)?|(?:([0-9a-f])/(?=\\1))?([0-9a-f]{2})/${slug}-\\2[0-9a-f]{10})\\.yaml$`,
);

/**
 * True for a path that leasehold may own: below `dist/`, every file that is not written any more
 * is removed if its path is of this form, and is somebody else's if not.
 */
export function isDistPath(path: string): boolean {
  return distPath.test(path);
}

/** The name of the Service of one endpoint, and of its port, on a running Akash provider: `web-ip-80-tcp`. */
export function akashPortName({
  service,
  externalPort,
  protocol,
}: Pick<LeaseClaim, 'service' | 'externalPort' | 'protocol'>): string {
  return `${service}-ip-${externalPort}-${protocol}`.toLowerCase();
}

/** `dist/<cluster>/<2 hex>/<slug>-<12 hex>.yaml`; the hash is of the whole identity. */
function hashedPath(clusterName: string, identity: string, name: string): string {
  const hash = sha256Hex(identity).slice(0, 12);
  return `${distFolder}/${clusterName}/${hash.slice(0, 2)}/${slugOf(name)}-${hash}.yaml`;
}

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 80)
    .replace(/^-|-$/g, '');
}
