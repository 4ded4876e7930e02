import type { AllocationTable } from '../model/allocation.ts';
import { isFree } from '../model/allocation.ts';
import type { Allocated } from '../model/change.ts';
import type { Day } from '../model/day.ts';
import { compareAddresses, formatAddress } from '../net/address.ts';

/** The table without the released addresses that are free for anyone today. Changes nothing else. */
export function prune(table: AllocationTable, today: Day): Allocated {
  const expired = [...table.values()]
    .filter((record) => isFree(record, today))
    .sort((left, right) => compareAddresses(left.address, right.address));
  const next = new Map(table);
  for (const record of expired) next.delete(formatAddress(record.address));
  const changes = expired.map(({ address, holder, pool }) => ({
    kind: 'removed' as const,
    address,
    holder,
    pool,
  }));
  return { table: next, changes };
}
