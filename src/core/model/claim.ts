import type { Address, Family } from '../net/address.ts';
import { compareDnsNames } from '../net/dns-name.ts';
import { base32Hex, sha256 } from './digest.ts';
import {
  type DeclaredDnsName,
  type IPFamily,
  type LeaseId,
  leaseIdText,
  type Pin,
  type Protocol,
} from './lease.ts';
import { compareText, groupBy } from './order.ts';
import type { Position } from './problem.ts';
import {
  type DeclaredService,
  type Reservation,
  type ServiceProtocol,
  serviceIdText,
} from './service.ts';

/** The fields of every claim. */
interface ClaimTerms {
  /** The id of the holder whose address this claim uses: see `Holder.id`. */
  readonly holder: string;
  readonly cluster: string;
  /** The service of the lease, or the name of the Service. */
  readonly service: string;
  /** The port on the leased address, 1 to 65535. */
  readonly externalPort: number;
  readonly zone: string | undefined;
  readonly pool: string | undefined;
  /** The name of an advertisement of the pool file; undefined for that of the pool. */
  readonly advertisement: string | undefined;
  readonly ipFamily: IPFamily;
  /** At most one of a family. */
  readonly pins: readonly Pin[];
  /** Whole days. */
  readonly retentionDays: number;
  /** The DNS names of its address. */
  readonly dns: readonly DeclaredDnsName[];
  readonly at: Position;
}

/** One endpoint of an Akash lease. */
export interface LeaseClaim extends ClaimTerms {
  readonly kind: 'Lease';
  readonly lease: LeaseId;
  /** The tenant's IP endpoint name. */
  readonly endpoint: string;
  /** The key that MetalLB compares: see {@link endpointKey} for the one of Akash. */
  readonly sharingKey: string;
  /** The sharing key that the declaration gives. */
  readonly liveSharingKey: string | undefined;
  readonly port: number;
  readonly protocol: Protocol;
  readonly selector: Readonly<Record<string, string>> | undefined;
}

/** One port of a declared Service or of a Reservation. */
export interface ServiceClaim extends ClaimTerms {
  readonly kind: 'Service';
  readonly declared: DeclaredService | Reservation;
  /** The key that MetalLB compares; not the one in the declaration. */
  readonly sharingKey: string;
  /** The pods' port; undefined when it is named or not declared. */
  readonly port: number | undefined;
  readonly protocol: ServiceProtocol;
}

/** One port on the address of a holder. */
export type Claim = LeaseClaim | ServiceClaim;

/** True for an endpoint of an Akash lease. */
export function isLeaseClaim(claim: Claim): claim is LeaseClaim {
  return claim.kind === 'Lease';
}

/** Returns the first claim of each Service and Reservation, in the order of the claims. */
export function firstClaims(claims: readonly Claim[]): readonly ServiceClaim[] {
  const services = claims.filter((claim) => claim.kind === 'Service');
  return [...groupBy(services, ({ declared }) => declared).values()].map(([first]) => first);
}

/** Returns the Services and Reservations of claims, each once, in the order of the claims. */
export function declaredIn(claims: readonly Claim[]): readonly (DeclaredService | Reservation)[] {
  return firstClaims(claims).map(({ declared }) => declared);
}

/** True when a claim requests an address of a family. Its holder can have another one too. */
export function wantsFamily({ ipFamily }: Pick<Claim, 'ipFamily'>, family: Family): boolean {
  return ipFamily === 'dual' || ipFamily === family;
}

/**
 * The declaration of a claim as text: a lease id `owner/dseq/gseq/oseq/provider`, or
 * `service/<namespace>/<name>`.
 */
export function declarerText(claim: Claim): string {
  return claim.kind === 'Lease' ? leaseIdText(claim.lease) : serviceIdText(claim.declared);
}

/** Order of claims: by cluster, lease or Service, service, external port, protocol. */
export function compareClaims(left: Claim, right: Claim): number {
  return (
    compareText(left.cluster, right.cluster) ||
    compareText(declarerText(left), declarerText(right)) ||
    compareText(left.service, right.service) ||
    left.externalPort - right.externalPort ||
    compareText(left.protocol, right.protocol) ||
    compareText(endpointOf(left), endpointOf(right))
  );
}

/** A claim in a message: `service 80/TCP`. */
export function claimText(claim: Claim): string {
  return `${claim.service} ${claim.externalPort}/${claim.protocol}`;
}

function endpointOf(claim: Claim): string {
  return claim.kind === 'Lease' ? claim.endpoint : '';
}

const plainEndpoint = /^[a-z\d-]+$/;

/**
 * The sharing key of an owner's IP endpoint: `<owner>-ip-<endpoint>`. A name with anything but
 * `[a-z0-9-]` is replaced by 24 characters of its hash. The key has no lease id, so endpoints of
 * one owner and name share an address across leases. Source: Akash provider,
 * cluster/util/ip_sharing_key.go MakeIPSharingKey.
 */
export function sharingKey(owner: string, endpointName: string): string {
  const effective = plainEndpoint.test(endpointName)
    ? endpointName
    : base32Hex(sha256(endpointName).subarray(0, 15));
  return `${owner}-ip-${effective}`;
}

/** The owner and the endpoint of a {@link sharingKey}; undefined for another key. */
export function keyParts(
  key: string,
): { readonly owner: string; readonly endpoint: string } | undefined {
  const [, owner, endpoint] = /^(akash1[a-z\d]+)-ip-(.+)$/.exec(key) ?? [];
  return owner === undefined || endpoint === undefined ? undefined : { owner, endpoint };
}

/** The live sharing key that the declaration of a claim gives. */
export function liveSharingKeyOf(claim: Claim): string | undefined {
  return (claim.kind === 'Service' ? claim.declared : claim).liveSharingKey;
}

/** Returns the {@link sharingKey} of a claim's endpoint, whatever key its live Services have. */
export function endpointKey({ holder }: LeaseClaim): string {
  return holder.slice(holder.lastIndexOf('/') + 1);
}

/** The holder of an owner's IP endpoint in a cluster: that of its leases and its promise. */
export function endpointHolder(cluster: string, owner: string, endpointName: string): string {
  return `${cluster}/akash/${sharingKey(owner, endpointName)}`;
}

/**
 * The sharing key of all declared Services of a namespace: `leasehold-<namespace>`. It is the same
 * for all addresses, so it never changes while a Service is live. A key that depended on the holder
 * would change when a second Service joins the first, and MetalLB before 0.15 would reject the
 * second one without a retry. Services are kept apart by their pins, and others are kept out by the
 * fence of the pool: a key in a manifest is not a secret.
 */
export function serviceSharingKey(namespace: string): string {
  return `leasehold-${namespace}`;
}

/** One A record, or AAAA record of an IPv6 address. */
export interface DnsRecord {
  readonly name: string;
  readonly address: Address;
}

/** The type of the record of an address. */
export function recordType({ family }: Address): 'A' | 'AAAA' {
  return family === 'ipv4' ? 'A' : 'AAAA';
}

/**
 * The records of the names of claims on the addresses of their holder, each once: by name, then in
 * the order of the addresses. A name has an address of each family that one of its claims requests.
 */
export function dnsRecords(
  claims: readonly Claim[],
  addresses: readonly Address[],
): readonly DnsRecord[] {
  const names = new Set(claims.flatMap(({ dns }) => dns.map(({ name }) => name)));
  return [...names].sort(compareDnsNames).flatMap((name) => {
    const own = claims.filter(({ dns }) => dns.some((declared) => declared.name === name));
    return addresses
      .filter(({ family }) => own.some((claim) => wantsFamily(claim, family)))
      .map((address) => ({ name, address }));
  });
}
