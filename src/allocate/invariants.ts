import type { PoolIndex } from '../declarations/pools/pool-index.ts';
import {
  type Allocation,
  type AllocationTable,
  isHeld,
  recordsByHolder,
} from '../model/allocation.ts';
import type { Holder } from '../model/holder.ts';
import { InternalError } from '../model/problem.ts';
import { formatAddress, isBuggyIP } from '../net/address.ts';
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
  for (const [key, record] of table) {
    assert(key === formatAddress(record.address), `${key} is recorded under another address`);
  }
  const heldBy = recordsByHolder(table, isHeld);
  for (const holder of holders) {
    const records = heldBy.get(holder.id) ?? [];
    heldBy.delete(holder.id);
    for (const family of holder.families) {
      const count = records.filter((record) => record.address.family === family).length;
      assert(count === 1, `${holder.id} has ${count} ${family} addresses`);
    }
    assert(
      records.length === holder.families.length,
      `${holder.id} has more addresses than families`,
    );
    const pools = new Set(records.map((record) => record.pool));
    assert(pools.size === 1, `${holder.id} has addresses of ${pools.size} pools`);
    for (const record of records) assertPlace(index, holder, record);
  }
  for (const id of heldBy.keys()) assert(false, `${id} holds an address without a claim`);
}

function assertPlace(index: PoolIndex, holder: Holder, record: Allocation): void {
  const text = formatAddress(record.address);
  const pool = index.of(record.address);
  assert(pool !== undefined && pool.name === record.pool, `${text} is not in pool ${record.pool}`);
  if (!pool) return;
  assert(index.allows(holder, pool), `${holder.id} may not have ${text} of pool ${pool.name}`);
  assert(!setHas(pool.reserved, record.address), `${text} is reserved`);
  assert(!(pool.avoidBuggyIPs && isBuggyIP(record.address)), `${text} ends in .0 or .255`);
  const pin = holder.pins.find((candidate) => candidate.address.family === record.address.family);
  assert(!pin || formatAddress(pin.address) === text, `${holder.id} does not have its pin`);
}

function assert(holds: boolean, message: string): void {
  if (!holds) throw new InternalError(`the allocator broke an invariant: ${message}`);
}
