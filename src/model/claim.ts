import type { Family } from '../net/address.ts';
import { base32Hex, sha256 } from './digest.ts';
import { type IPFamily, type LeaseId, leaseIdText, type Pin, type Protocol } from './lease.ts';
import { compareText } from './order.ts';
import type { Position } from './problem.ts';
import {
  type DeclaredService,
  type Reservation,
  type ServiceProtocol,
  serviceIdText,
} from './service.ts';

/** What every claim says: a request that one port stands on its holder's address. */
interface ClaimTerms {
  /** The holder whose address this claim stands on: see {@link Holder.id}. */
  readonly holder: string;
  readonly cluster: string;
  /** The lease's service, or the name of the Service. */
  readonly service: string;
  /** The port on the leased address. */
  readonly externalPort: number;
  readonly zone: string | undefined;
  readonly pool: string | undefined;
  readonly ipFamily: IPFamily;
  /** At most one of a family. */
  readonly pins: readonly Pin[];
  /** Whole days. */
  readonly retentionPeriodDays: number;
  readonly at: Position;
}

/** One endpoint of an Akash lease. */
export interface LeaseClaim extends ClaimTerms {
  readonly kind: 'Lease';
  readonly lease: LeaseId;
  /** The tenant's IP endpoint name. */
  readonly endpoint: string;
  readonly sharingKey: string;
  readonly port: number;
  readonly protocol: Protocol;
  readonly selector: Readonly<Record<string, string>> | undefined;
}

/** One port of a declared Service, or of one that is reserved for. */
export interface ServiceClaim extends ClaimTerms {
  readonly kind: 'Service';
  readonly declared: DeclaredService | Reservation;
  /** What MetalLB compares; not the author's own. */
  readonly sharingKey: string;
  /** The pods' port; undefined where they name it, or where nobody says. */
  readonly port: number | undefined;
  readonly protocol: ServiceProtocol;
}

/** A request that one port stands on its holder's address. */
export type Claim = LeaseClaim | ServiceClaim;

/** True for an endpoint of an Akash lease. */
export function isLeaseClaim(claim: Claim): claim is LeaseClaim {
  return claim.kind === 'Lease';
}

/** True when a claim asks for an address of a family: it may want one of two that its holder has. */
export function wantsFamily({ ipFamily }: Claim, family: Family): boolean {
  return ipFamily === 'dual' || ipFamily === family;
}

/** What declares a claim, as text: a lease id `owner/dseq/gseq/oseq/provider`, or `service/<namespace>/<name>`. */
export function declarerText(claim: Claim): string {
  return claim.kind === 'Lease' ? leaseIdText(claim.lease) : serviceIdText(claim.declared);
}

/** Order of claims everywhere: by cluster, by lease or Service, service, external port, protocol. */
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

/** `service 80/TCP`: how a message names a claim. */
export function claimText(claim: Claim): string {
  return `${claim.service} ${claim.externalPort}/${claim.protocol}`;
}

function endpointOf(claim: Claim): string {
  return claim.kind === 'Lease' ? claim.endpoint : '';
}

const plainEndpoint = /^[a-z\d-]+$/;

/**
 * The sharing key of an owner's IP endpoint: `<owner>-ip-<endpoint>`. A name with anything but
 * `[a-z0-9-]` is replaced by 24 characters of its hash. Owner and name alone make the key, so an
 * owner's endpoints of one name share an address over leases.
 * Source: Akash provider, cluster/util/ip_sharing_key.go MakeIPSharingKey.
 */
export function sharingKey(owner: string, endpointName: string): string {
  const effective = plainEndpoint.test(endpointName)
    ? endpointName
    : base32Hex(sha256(endpointName).subarray(0, 15));
  return `${owner}-ip-${effective}`;
}

/**
 * The sharing key of all declared Services of a namespace, whatever address they stand on: `leasehold-<namespace>`.
 * It never changes while a Service lives. With one that followed the holder or the author's own key, a Service that
 * begins to share would get another one at the moment when the second one comes, and MetalLB before 0.15 would refuse
 * the second one and not look again. What keeps Services apart is their pins, and strangers out is the fence of the
 * pool: a key in a manifest is no secret.
 */
export function serviceSharingKey(namespace: string): string {
  return `leasehold-${namespace}`;
}
