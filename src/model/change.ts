import type { Address } from '../net/address.ts';
import type { AllocationTable } from './allocation.ts';

/** What a run does to one address. */
export interface Change {
  readonly kind: 'allocated' | 'released' | 'reclaimed' | 'updated' | 'removed';
  readonly address: Address;
  readonly holder: string;
  readonly pool: string;
}

/** The new table, and what differs from the old one, by address. */
export interface Allocated {
  readonly table: AllocationTable;
  readonly changes: readonly Change[];
}
