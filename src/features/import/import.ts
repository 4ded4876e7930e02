import type { ImportNote } from '../../model/input-file.ts';
import type { Advertise } from '../../model/pools.ts';
import type { Position } from '../../model/problem.ts';
import type { AddressRange } from '../../net/range.ts';
import type { LiveLeasedIP, LiveService, TakenAddress } from './adopt/live-lease.ts';

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
