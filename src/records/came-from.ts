import { type Allocation, type AllocationTable, isHeld } from '../model/allocation.ts';
import { formatAddress } from '../net/address.ts';

/**
 * The addresses that `leasehold move` took the holder of a record from, the last one first: over addresses that
 * it had in between, whose records still say where it came from.
 */
export function origins(table: AllocationTable, record: Allocation): readonly string[] {
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
  return record !== undefined && isHeld(record) && origins(table, record).includes(from);
}

/** The addresses that holders of a table have left by a move, each as `holder address`. */
export function leftAddresses(table: AllocationTable): ReadonlySet<string> {
  return new Set(
    [...table.values()]
      .filter((record) => isHeld(record) && record.movedFrom)
      .flatMap((record) => origins(table, record).map((from) => `${record.holder} ${from}`)),
  );
}
