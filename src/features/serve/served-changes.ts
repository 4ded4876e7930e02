import { type Allocation, type AllocationTable, isHeld } from '../../core/model/allocation.ts';
import { compareAddresses } from '../../core/net/address.ts';
import type { ServedChanges } from '../../lib/service/status-answer.ts';

/** The most changed addresses that are listed. */
export const mostChanges = 500;

/** Lists the addresses whose holder or state differs between two tables. */
export function addressChanges(
  before: AllocationTable,
  after: AllocationTable,
): Pick<ServedChanges, 'count' | 'items'> {
  const changed: [address: string, record: Allocation][] = [];
  for (const [address, record] of after) {
    if (!isSame(before.get(address), record)) changed.push([address, record]);
  }
  for (const [address, record] of before) {
    if (!after.has(address)) changed.push([address, record]);
  }
  changed.sort(([, left], [, right]) => compareAddresses(left.address, right.address));
  const items = changed.slice(0, mostChanges).map(([address]) => {
    const [from, to] = [before.get(address), after.get(address)];
    return { address, ...(from ? { from: shown(from) } : {}), ...(to ? { to: shown(to) } : {}) };
  });
  return { count: String(changed.length), items };
}

function isSame(before: Allocation | undefined, after: Allocation): boolean {
  return (
    before !== undefined &&
    before.holder === after.holder &&
    before.released?.freeFrom === after.released?.freeFrom
  );
}

function shown(record: Allocation): NonNullable<ServedChanges['items'][number]['to']> {
  const { holder, released } = record;
  const state = isHeld(record) ? 'held' : 'released';
  return { holder, state, ...(released ? { freeFrom: released.freeFrom } : {}) };
}
