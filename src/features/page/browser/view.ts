import type { Family } from '../../../core/net/address.ts';
import type { Sheet } from './map/blocks.ts';

/** The lists below the map. */
export const listNames = ['leases', 'hostnames', 'free', 'owners', 'clusters', 'expiring'] as const;
export type ListName = (typeof listNames)[number];

/** The limits of the lists. */
export const filterNames = ['state', 'pool', 'zone', 'cluster', 'owner'] as const;
export type FilterName = (typeof filterNames)[number];
type Filters = Readonly<Partial<Record<FilterName, string>>>;

/** The column that a list is sorted by. */
export interface Sort {
  readonly column: string;
  readonly isDescending: boolean;
}

/** The visible part of a picture, and what the reader chose. */
export interface View {
  /** The pool and family shown on the map. */
  readonly space: { readonly pool: string; readonly family: Family } | undefined;
  /** The path from the whole map to the part that is shown. */
  readonly trail: readonly Sheet[];
  /** The selected address or hostname, in canonical text. */
  readonly selected: string | undefined;
  readonly query: string;
  readonly filters: Filters;
  readonly list: ListName;
  /** When undefined, the list has its own order. */
  readonly sort: Sort | undefined;
  /** The page of the list, from 0. */
  readonly page: number;
  /** The legend of the map's colors. */
  readonly colors: 'state' | 'owner';
  /** The earlier day that is shown; undefined for the day of the picture. */
  readonly day: string | undefined;
}

/** The view before the reader chose anything. */
export const plainView: View = {
  space: undefined,
  trail: [],
  selected: undefined,
  query: '',
  filters: {},
  list: 'leases',
  sort: undefined,
  page: 0,
  colors: 'state',
  day: undefined,
};
