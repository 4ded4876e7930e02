import { type AllocationTable, isFree, isHeld, isSameAllocation } from '../model/allocation.ts';
import { addDays, type Day } from '../model/day.ts';

/** A table in which some released addresses are kept from everybody, and what they are in truth. */
export interface Withheld {
  readonly table: AllocationTable;
  /** A table made from that one, with the records of those addresses as they were. */
  restore(made: AllocationTable): AllocationTable;
}

/**
 * Keeps from everybody what `floor` still holds: whoever had it must first be seen to have lost it, so
 * that an address never goes from one holder to another in one change.
 */
export function withhold(table: AllocationTable, floor: AllocationTable, today: Day): Withheld {
  const kept = new Map(table);
  const addresses: string[] = [];
  for (const [address, record] of table) {
    const live = floor.get(address);
    if (!record.released || !isFree(record, today) || !live || !isHeld(live)) continue;
    const released = { ...record.released, freeFrom: addDays(today, 1) };
    kept.set(address, { ...record, released });
    addresses.push(address);
  }
  return {
    table: kept,
    restore(made) {
      const restored = new Map(made);
      for (const address of addresses) {
        const [before, after] = [kept.get(address), made.get(address)];
        const own = table.get(address);
        if (before && after && own && isSameAllocation(before, after)) restored.set(address, own);
      }
      return restored;
    },
  };
}
