import type { PoolIndex } from '../declarations/pools/pool-index.ts';
import { type Allocation, type AllocationTable, isHeld } from '../model/allocation.ts';
import type { Holder } from '../model/holder.ts';
import { InternalError } from '../model/problem.ts';
import { compareAddresses, formatAddress, isBuggyIP } from '../net/address.ts';
import { setHas } from '../net/range-set.ts';

/**
 * Checks the allocator's result: every holder has exactly one address of each family that it needs,
 * all in one pool that its claims allow; no held address is reserved, buggy or without a claim.
 * Throws an InternalError on a violation, which is a bug in leasehold.
 */
export function assertInvariants(
  index: PoolIndex,
  holders: readonly Holder[],
  table: AllocationTable,
): void {
  const heldBy = heldByHolder(table);
  for (const holder of holders) {
    const held = heldBy.get(holder.id);
    heldBy.delete(holder.id);
    const records = held === undefined ? [] : Array.isArray(held) ? held : [held];
    assertFamilies(holder, records);
    for (const record of records) assertPlace(index, holder, record);
  }
  const [unclaimed] = heldBy.keys();
  if (unclaimed !== undefined) throw broken(`${unclaimed} holds an address without a claim`);
}

/** The held records of each holder. Most have one, and a million lists of one are a lot of memory. */
function heldByHolder(table: AllocationTable): Map<string, Allocation | Allocation[]> {
  const heldBy = new Map<string, Allocation | Allocation[]>();
  for (const [key, record] of table) {
    if (key !== formatAddress(record.address)) {
      throw broken(`${key} is recorded under another address`);
    }
    if (!isHeld(record)) continue;
    const others = heldBy.get(record.holder);
    if (others === undefined) heldBy.set(record.holder, record);
    else if (Array.isArray(others)) others.push(record);
    else heldBy.set(record.holder, [others, record]);
  }
  return heldBy;
}

function assertFamilies({ id, families }: Holder, records: readonly Allocation[]): void {
  for (const family of families) {
    const count = records.filter(({ address }) => address.family === family).length;
    if (count !== 1) throw broken(`${id} has ${count} ${family} addresses`);
  }
  if (records.length !== families.length) throw broken(`${id} has more addresses than families`);
  const [first] = records;
  if (!records.every(({ pool }) => pool === first?.pool)) {
    throw broken(`${id} has addresses of several pools`);
  }
}

function assertPlace(index: PoolIndex, holder: Holder, record: Allocation): void {
  const { address } = record;
  const pool = index.of(address);
  const place = () => `${formatAddress(address)} of pool ${record.pool}`;
  if (pool?.name !== record.pool) throw broken(`${place()} is not in it`);
  if (!index.allows(holder, pool)) throw broken(`${holder.id} may not have ${place()}`);
  if (setHas(pool.reserved, address)) throw broken(`${place()} is reserved`);
  if (pool.avoidBuggyIPs && isBuggyIP(address)) throw broken(`${place()} ends in .0 or .255`);
  const pin = holder.pins.find((candidate) => candidate.address.family === address.family);
  if (pin && compareAddresses(pin.address, address) !== 0) {
    throw broken(`${holder.id} does not have its pin`);
  }
}

function broken(message: string): InternalError {
  return new InternalError(`the allocator broke an invariant: ${message}`);
}
