import type { Allocation } from '../../model/allocation.ts';
import type { DeclaredKey } from '../../model/ownership.ts';
import type { Position } from '../../model/problem.ts';

/** Where a key counts. */
export interface KeyUsage {
  readonly key: DeclaredKey;
  /** The Services and Reservations that name it, in the order of their files: see `serviceIdText`. */
  readonly namedBy: readonly { readonly service: string; readonly at: Position }[];
  /** The addresses that have it, in their order. */
  readonly records: readonly Allocation[];
}
