import type { Family } from '../../net/address.ts';

/** What stands on addresses. Counts that can be many are decimal text. */
export interface MapCounts {
  readonly held: number;
  /** Released, and still kept for their last holders. */
  readonly retained: number;
  /** Never given out: reserved, or left out by `avoidBuggyIPs`. */
  readonly reserved: string;
  readonly free: string;
}

/** Addresses that follow each other, counted together. */
export interface MapCell extends MapCounts {
  /** The first one, and the last one; canonical text. */
  readonly from: string;
  readonly to: string;
}

/** A declared range as cells of one size. */
export interface MapRange {
  readonly range: string;
  readonly family: Family;
  /** How many addresses a cell has, a power of two; fewer where the range begins or ends within one. */
  readonly step: string;
  /** True when cells in which nobody has anything are left out, as in a large range of IPv6. */
  readonly sparse: boolean;
  /** Of the whole range, also of cells that are left out. */
  readonly all: MapCounts;
  readonly cells: readonly MapCell[];
}

/** What `leasehold map -o json` prints. */
export interface AddressMap {
  readonly apiVersion: 'leasehold.dev/v1';
  readonly kind: 'AddressMap';
  /** The day on which that many are retained. */
  readonly day: string;
  readonly pool: string;
  readonly zone: string;
  /** In numeric order, IPv4 first. */
  readonly ranges: readonly MapRange[];
}
