import { type Address, formatAddress } from '../net/address.ts';
import { compareText } from './order.ts';
import type { Position } from './problem.ts';

/** Transport protocol of an endpoint, in the upper case that Kubernetes and Akash write. */
export type Protocol = 'TCP' | 'UDP';

/** The families an endpoint asks for. `dual` is one address of each, both from one pool. */
export type IPFamily = 'ipv4' | 'ipv6' | 'dual';

/** The most whole days for which a declaration may ask that an address is kept after its release. */
export const longestRetention = 30;

/** What names a lease on Akash: the five parts of the CRD's `lease_id`. */
export interface LeaseId {
  /** The tenant's bech32 address. */
  readonly owner: string;
  /** Deployment sequence: a decimal uint64, kept as text because a number would lose digits. */
  readonly dseq: string;
  /** Group sequence, a uint32 from 1. */
  readonly gseq: number;
  /** Order sequence, a uint32 from 1. */
  readonly oseq: number;
  /** The provider's bech32 address. */
  readonly provider: string;
}

/** One exposed port of a lease's service that asks for a leased address. */
export interface Endpoint {
  /** The tenant's IP endpoint name: endpoints of one owner and one name share an address. */
  readonly name: string;
  readonly service: string;
  /** The container's port, 1 to 65535. */
  readonly port: number;
  /** The port on the leased address, 1 to 65535. */
  readonly externalPort: number;
  readonly protocol: Protocol;
  readonly zone: string | undefined;
  readonly pool: string | undefined;
  readonly ipFamily: IPFamily;
  /** A pin: the very address that this endpoint must stand on. */
  readonly address: Address | undefined;
  /** Whole days the address is kept after release, 0 to {@link longestRetention}. */
  readonly retentionPeriodDays: number;
  /** The Service's pod selector; undefined takes the one a running provider uses. */
  readonly selector: Readonly<Record<string, string>> | undefined;
  readonly at: Position;
}

/** True for two endpoints that say the same, wherever they stand. */
export function isSameEndpoint(left: Endpoint, right: Endpoint): boolean {
  return endpointText(left) === endpointText(right);
}

function endpointText({ address, selector, at, ...plain }: Endpoint): string {
  const labels = Object.entries(selector ?? {}).sort(([one], [other]) => compareText(one, other));
  const fields = Object.entries(plain).sort(([one], [other]) => compareText(one, other));
  return JSON.stringify([fields, address && formatAddress(address), selector && labels]);
}

/** A lease declaration, normalized. */
export interface Lease {
  readonly id: LeaseId;
  readonly cluster: string;
  readonly endpoints: readonly Endpoint[];
  /** The declaration's `spec.id`, or its first line. */
  readonly at: Position;
}

/** `owner/dseq/gseq/oseq/provider`: how Akash writes a lease id as text. */
export function leaseIdText(id: LeaseId): string {
  return `${id.owner}/${id.dseq}/${id.gseq}/${id.oseq}/${id.provider}`;
}

/** An address that a declaration asks for by name, and where it does. */
export interface Pin {
  readonly address: Address;
  readonly at: Position;
}
