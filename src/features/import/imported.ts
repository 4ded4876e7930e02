import type { ImportNote } from '../../model/input-file.ts';
import type { Protocol } from '../../model/lease.ts';
import type { Advertise } from '../../model/pools.ts';
import type { Position } from '../../model/problem.ts';
import type { ServiceProtocol } from '../../model/service.ts';
import type { Address } from '../../net/address.ts';
import type { AddressRange } from '../../net/range.ts';

/** Where addresses are imported from. */
export type ImportSource = 'cluster' | 'vitistack' | 'metallb' | 'kubespray' | 'netbox' | 'sdl';

/** One entry of the addresses of an imported pool. */
export interface ImportedRange {
  readonly range: AddressRange;
  readonly at: Position;
}

/** Addresses of an imported pool that are never to be given out. */
export interface ImportedReserve {
  readonly range: AddressRange;
  /** Who has them, or what they are for: one phrase, for a person. */
  readonly why: string;
  readonly at: Position;
}

/** A pool as its source has it, as far as `leases/pools.yaml` can say it. */
export interface ImportedPool {
  /** An RFC 1123 label. */
  readonly name: string;
  /** True when nothing but the import has given the name: a declared pool with the same addresses is this one, whatever it is called. */
  readonly isNamedHere?: boolean;
  /** True when it has single addresses of a zone, those in use there: a declared pool of that name has more, or gets what it lacks. */
  readonly isInUse?: boolean;
  /** True when not every Service may have its addresses there, as `serviceAllocation` of MetalLB says. */
  readonly isFenced?: boolean;
  /** True when only a Service that asks for the pool gets its addresses there: `autoAssign: false` of MetalLB. */
  readonly isAsked?: boolean;
  /** An RFC 1123 label; undefined where the source says none: then the run does. */
  readonly zone?: string | undefined;
  /** At least one, in the order of the source. */
  readonly ranges: readonly ImportedRange[];
  /** All within `ranges`, in any order; they may overlap. */
  readonly reserved?: readonly ImportedReserve[];
  readonly avoidBuggyIPs: boolean;
  readonly advertise: Advertise;
  /** Where the source names it. */
  readonly at: Position;
}

/** What has addresses in a live cluster, in the order of the source. */
export interface ImportedLive {
  readonly services: readonly LiveService[];
  readonly leasedIPs: readonly LiveLeasedIP[];
  /** Addresses that are taken by what can never be declared. */
  readonly taken: readonly TakenAddress[];
}

/** What a source says. Nothing in it is a guess; what could not be taken is in the notes. */
export interface Imported {
  /** In the order of the source. */
  readonly pools: readonly ImportedPool[];
  /** What has addresses, where the source says it. */
  readonly live?: ImportedLive;
  readonly notes: readonly ImportNote[];
  /** The default zone of a new pool file, where the source knows one. */
  readonly defaultZone?: string;
  /** True when something live stands on the pools, although the source does not say what. */
  readonly isServing?: boolean;
  /** The namespace that MetalLB runs in; undefined when the source does not say it, or says two. */
  readonly namespace: string | undefined;
  /** The version of the MetalLB that runs, where the source says it. */
  readonly version?: string | undefined;
  /** The class of Services that it serves; undefined for those without one, and where the source does not say it. */
  readonly loadBalancerClass?: string | undefined;
}

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
