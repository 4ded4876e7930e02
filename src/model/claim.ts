import type { Family } from '../net/address.ts';
import { type IPFamily, type LeaseId, leaseIdText, type Protocol } from './lease.ts';
import { compareText } from './order.ts';
import type { Ownership } from './ownership.ts';
import type { Pin } from './pin.ts';
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

/**
 * Who has an address: all claims of one holder stand on it, over leases and files. A holder has at
 * most one address per family, and all of them lie in one pool.
 */
export interface Holder {
  /**
   * `<cluster>/akash/<sharing key>`, `<cluster>/service/<namespace>/<name>`, `<cluster>/shared/<namespace>/<key>`,
   * or `anycast/<name>`.
   */
  readonly id: string;
  /** The clusters of its claims, in the order of their names: more than one for a group over clusters. */
  readonly clusters: readonly string[];
  /** At least one, in the order of {@link compareClaims}. */
  readonly claims: readonly [Claim, ...Claim[]];
  /** What the claims need together, IPv4 first. */
  readonly families: readonly Family[];
  /** The pool that a claim names, or undefined when none does. */
  readonly pool: string | undefined;
  /** The zone that a claim names, or undefined when none does. */
  readonly zone: string | undefined;
  /** The addresses the claims ask for by name: at most one per family, IPv4 first. */
  readonly pins: readonly Pin[];
  /** The longest retention of its claims, in whole days. */
  readonly retentionPeriodDays: number;
  /** The key that all its claims name, and what they prove. */
  readonly ownership: Ownership;
}

/** True for an endpoint of an Akash lease. */
export function isLeaseClaim(claim: Claim): claim is LeaseClaim {
  return claim.kind === 'Lease';
}

/** The claims of a holder in one cluster. */
export function claimsIn({ claims }: Holder, cluster: string): readonly Claim[] {
  return claims.filter((claim) => claim.cluster === cluster);
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
