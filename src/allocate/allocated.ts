import type { AllocationTable } from '../model/allocation.ts';
import type { Change } from '../model/change.ts';

/** The new table, and what differs from the old one, by address. */
export interface Allocated {
  readonly table: AllocationTable;
  readonly changes: readonly Change[];
}
