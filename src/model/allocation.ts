import { type Address, compareAddresses, formatAddress } from '../net/address.ts';
import type { Day } from './day.ts';
import { groupBy } from './order.ts';
import type { Position } from './problem.ts';

/** What is recorded of one address: one file under `leases/allocations/`. */
export interface Allocation {
  readonly address: Address;
  /** The declared pool the address was given from. */
  readonly pool: string;
  /** The holder; after release, the last one. */
  readonly holder: string;
  /** The day the holder got the address. */
  readonly since: Day;
  /** Whole days the address is kept for its holder after release, as promised while held. */
  readonly retain: number;
  /** A promise to a claim that left while others stayed: not free before this day. */
  readonly keepUntil: Day | undefined;
  /** Present once released. Free for anyone when today is `freeFrom` or later. */
  readonly released: { readonly on: Day; readonly freeFrom: Day } | undefined;
  /** The public key, base64url, of who owns the address: proof is asked of whoever else wants it. Undefined for none. */
  readonly key: string | undefined;
  /** How often the address changed its holder or its key by a signature: a signature counts for one generation. */
  readonly generation: number;
  /** True while it is held with a key and more than one Service stands on it: one that leaves keeps its promise. */
  readonly shared: boolean;
  /** The address that `leasehold move` took the holder from when it gave it this one. */
  readonly movedFrom: Address | undefined;
  /** The file the record was read from, or undefined for one this run made. */
  readonly at: Position | undefined;
}

/** The allocation table: canonical address text to what is recorded of it. */
export type AllocationTable = ReadonlyMap<string, Allocation>;

/** True while the holder has the address; false once it is released. */
export function isHeld(allocation: Allocation): boolean {
  return allocation.released === undefined;
}

/** True when two records say the same, wherever they were read. */
export function isSameAllocation(left: Allocation, right: Allocation): boolean {
  return (
    compareAddresses(left.address, right.address) === 0 &&
    left.pool === right.pool &&
    left.holder === right.holder &&
    left.since === right.since &&
    left.retain === right.retain &&
    left.keepUntil === right.keepUntil &&
    left.released?.on === right.released?.on &&
    left.released?.freeFrom === right.released?.freeFrom &&
    left.key === right.key &&
    left.generation === right.generation &&
    left.shared === right.shared &&
    isSameAddress(left.movedFrom, right.movedFrom)
  );
}

/** True when two tables say the same of the same addresses. */
export function isSameTable(left: AllocationTable, right: AllocationTable): boolean {
  if (left.size !== right.size) return false;
  return [...left].every(([address, record]) => {
    const other = right.get(address);
    return other !== undefined && isSameAllocation(record, other);
  });
}

function isSameAddress(left: Address | undefined, right: Address | undefined): boolean {
  return left && right ? compareAddresses(left, right) === 0 : left === right;
}

/** The records of each holder that a test lets through, in the order of the table. */
export function recordsByHolder(
  table: AllocationTable,
  test: (record: Allocation) => boolean,
): Map<string, Allocation[]> {
  return groupBy([...table.values()].filter(test), ({ holder }) => holder);
}

/** The addresses that a holder has, IPv4 first. */
export function addressesHeldBy(table: AllocationTable, holder: string): readonly Address[] {
  return [...table.values()]
    .filter((record) => record.holder === holder && isHeld(record))
    .map(({ address }) => address)
    .sort(compareAddresses);
}

/** True when a released address is free for anyone on that day. */
export function isFree(record: Allocation, today: Day): boolean {
  return record.released !== undefined && record.released.freeFrom <= today;
}

/** What a run does to one address. */
export interface Change {
  readonly kind: 'allocated' | 'released' | 'reclaimed' | 'updated' | 'removed';
  readonly address: Address;
  readonly holder: string;
  readonly pool: string;
}

/** The new table, and what differs from the old one, by address. */
export interface AllocationResult {
  readonly table: AllocationTable;
  readonly changes: readonly Change[];
}

/**
 * The addresses that `leasehold move` took the holder of a record from, the last one first: over addresses that
 * it had in between, whose records still say where it came from.
 */
export function moveOrigins(table: AllocationTable, record: Allocation): readonly string[] {
  const passed: string[] = [];
  let last: Allocation | undefined = record;
  while (last?.movedFrom && last.holder === record.holder) {
    const from: string = formatAddress(last.movedFrom);
    if (passed.includes(from)) break;
    passed.push(from);
    last = table.get(from);
  }
  return passed;
}

/** True when the holder of the address `to` was moved there from the address `from`. */
export function wasMoved(table: AllocationTable, from: string, to: string): boolean {
  const record = table.get(to);
  return record !== undefined && isHeld(record) && moveOrigins(table, record).includes(from);
}

/** The addresses that holders of a table have left by a move, each as `holder address`. */
export function leftAddresses(table: AllocationTable): ReadonlySet<string> {
  return new Set(
    [...table.values()]
      .filter((record) => isHeld(record) && record.movedFrom)
      .flatMap((record) => moveOrigins(table, record).map((from) => `${record.holder} ${from}`)),
  );
}
