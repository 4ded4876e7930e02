import type { Address, Family } from '../net/address.ts';
import { type IPFamily, type LeaseId, leaseIdText, type Protocol } from './lease.ts';
import { compareText } from './order.ts';
import type { Position } from './problem.ts';

/** One endpoint's request to stand on its holder's address. */
export interface Claim {
  /** The holder whose address this claim stands on: see {@link Holder.id}. */
  readonly holder: string;
  readonly cluster: string;
  readonly lease: LeaseId;
  /** The tenant's IP endpoint name. */
  readonly endpoint: string;
  readonly sharingKey: string;
  readonly service: string;
  readonly port: number;
  readonly externalPort: number;
  readonly protocol: Protocol;
  readonly zone: string | undefined;
  readonly pool: string | undefined;
  readonly ipFamily: IPFamily;
  readonly pin: Address | undefined;
  /** Whole days. */
  readonly retentionPeriodDays: number;
  readonly selector: Readonly<Record<string, string>> | undefined;
  readonly at: Position;
}

/**
 * Who has an address: all claims of one holder stand on it, over leases and files. A holder has at
 * most one address per family, and all of them lie in one pool.
 */
export interface Holder {
  /** `<cluster>/akash/<sharing key>`. */
  readonly id: string;
  readonly cluster: string;
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
}

/** An address that a declaration asks for by name, and where it does. */
export interface Pin {
  readonly address: Address;
  readonly at: Position;
}

/** True when a claim asks for an address of a family: it may want one of two that its holder has. */
export function wantsFamily({ ipFamily }: Claim, family: Family): boolean {
  return ipFamily === 'dual' || ipFamily === family;
}

/** Order of claims everywhere: by lease, service, external port, protocol. */
export function compareClaims(left: Claim, right: Claim): number {
  return (
    compareText(leaseIdText(left.lease), leaseIdText(right.lease)) ||
    compareText(left.service, right.service) ||
    left.externalPort - right.externalPort ||
    compareText(left.protocol, right.protocol) ||
    compareText(left.endpoint, right.endpoint)
  );
}

/** `service 80/TCP`: how a message names a claim. */
export function claimText(claim: Claim): string {
  return `${claim.service} ${claim.externalPort}/${claim.protocol}`;
}
