import type { Protocol } from '../../../model/lease.ts';
import type { Position } from '../../../model/problem.ts';
import type { ServiceProtocol } from '../../../model/service.ts';
import type { Address } from '../../../net/address.ts';

/** A Service of type LoadBalancer as it lives in a cluster, and what a declaration would say of it. */
export interface LiveService {
  readonly namespace: string;
  readonly name: string;
  /** At least one. */
  readonly ports: readonly { readonly port: number; readonly protocol: ServiceProtocol }[];
  /** What its load balancer gave it, IPv4 first; at least one. */
  readonly addresses: readonly Address[];
  /** What MetalLB compares of Services on one address; undefined for none. */
  readonly sharingKey: string | undefined;
  /** The pool that MetalLB's own annotation asks for; undefined for none. */
  readonly asksPool: string | undefined;
  /** What manages it and writes it anew, such as `Helm`; undefined when nothing is known to. */
  readonly manager: string | undefined;
  /** Why it cannot be written as it is although nothing else manages it; undefined when nothing stands against it. */
  readonly obstacle: string | undefined;
  /** True when the Akash provider's operator wrote it for a `ProviderLeasedIP`. */
  readonly isOfLease: boolean;
  /** True when it has a label that a closed pool of leasehold asks for: such a pool goes on serving it. */
  readonly isLabelled: boolean;
  /** True when it is being deleted. */
  readonly isGoing: boolean;
  /** What the API server and MetalLB did not fill in, with its addresses as a pin. */
  readonly written: WrittenLive;
  /** What else its author asked for, where the source says it in words of its own. */
  readonly terms?: LiveTerms;
  readonly at: Position;
}

/** What an author asked for beside an address; what is a default here is undefined, 0 or false. */
export interface LiveTerms {
  readonly zone: LiveTerm | undefined;
  /** Only where it says what the addresses are. */
  readonly ipFamily: 'ipv6' | 'dual' | undefined;
  readonly retentionPeriodDays: number;
  readonly denyExternalCleanup: boolean;
  /** The name of a secret, never its value. */
  readonly secret: LiveTerm | undefined;
  /** By which others may join it. */
  readonly sharingKey: LiveTerm | undefined;
  /** What of it cannot be said here, or not so. */
  readonly notes: readonly LiveTermNote[];
}

/** What is told of one of them, in the words of an import. */
export interface LiveTermNote {
  readonly effect: 'changed' | 'left';
  readonly subject: string;
  readonly message: string;
  readonly at: Position;
}

/** One of them, and where it stands. */
export interface LiveTerm {
  readonly text: string;
  readonly at: Position;
}

/** The parts of a live Service that are declared. */
export interface WrittenLive {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: Readonly<Record<string, unknown>>;
}

/** A `ProviderLeasedIP` as it lives in a cluster: one port of one lease. */
export interface LiveLeasedIP {
  readonly name: string;
  readonly owner: string;
  /** As text: a number would lose digits. */
  readonly dseq: string;
  readonly gseq: number;
  readonly oseq: number;
  readonly provider: string;
  readonly service: string;
  readonly port: number;
  readonly externalPort: number;
  readonly protocol: Protocol;
  readonly sharingKey: string;
  /** True when it is being deleted. */
  readonly isGoing: boolean;
  readonly at: Position;
}

/** An address that is taken by something that cannot be declared, and who it is. */
export interface TakenAddress {
  readonly address: Address;
  readonly by: string;
  /** A sentence about `by`. */
  readonly why: string;
  readonly at: Position;
}
