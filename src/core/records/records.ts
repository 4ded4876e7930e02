import type { PoolIndex } from '../declarations/pools/pool-index.ts';
import { type Allocation, isFree } from '../model/allocation.ts';
import type { Day } from '../model/day.ts';
import type { Holder } from '../model/holder.ts';
import type { Pool } from '../model/pools.ts';
import type { Address } from '../net/address.ts';
import { isKeptFor, isOwnRecord, isSharedWithKey } from './key-rules.ts';
import { keptUntil, reclaimed, releasedToday } from './tenure.ts';

/** Whole days that an address is kept after release: the longest of its claims and its pool. */
export function retainOf(holder: Holder, pool: Pool): number {
  return Math.max(holder.retentionDays, pool.retentionDays);
}

/** True for a holder with a promise and no lease: see `Allocation.promised`. */
export function isPromised({ claims }: Holder): boolean {
  return claims.length === 0;
}

/** A new record of an address for a holder. */
function heldRecord(holder: Holder, pool: Pool, address: Address, today: Day): Allocation {
  return {
    address,
    pool: pool.name,
    holder: holder.id,
    since: today,
    retain: retainOf(holder, pool),
    keepUntil: undefined,
    released: undefined,
    key: holder.ownership.key?.publicKey,
    generation: 0,
    shared: isSharedWithKey(holder, address),
    promised: isPromised(holder),
    movedFrom: undefined,
    at: undefined,
  };
}

/**
 * The record of an address that a holder gets today. An address that is still kept after release
 * returns to its own holder in the same generation, and goes to another holder with a signature, in
 * the next generation.
 */
export function assignedRecord(
  holder: Holder,
  pool: Pool,
  address: Address,
  { former, today }: { readonly former: Allocation | undefined; readonly today: Day },
): Allocation {
  const given = { ...heldRecord(holder, pool, address, today), at: former?.at };
  if (former === undefined || isFree(former, today)) return given;
  const { generation } = former;
  const fresh = {
    ...given,
    generation: isKeptFor(former, holder) ? generation : generation + 1,
  };
  return isOwnRecord(former, holder) ? reclaimed(fresh, former) : fresh;
}

/**
 * Updates the pool name, the retention and the promise of a record; returns the same object if
 * nothing changed. If the retention gets shorter, because a claim left or a declaration changed,
 * `keepUntil` keeps the former one from today on. The same when a single Service is left of several
 * that shared an address with a key: no earlier retention ends later.
 */
export function refreshedRecord(
  index: PoolIndex,
  holder: Holder,
  record: Allocation,
  today: Day,
): Allocation {
  const pool = index.of(record.address);
  if (!pool) return record;
  const retain = retainOf(holder, pool);
  const shared = isSharedWithKey(holder, record.address);
  const promised = isPromised(holder);
  const isSame =
    retain === record.retain && pool.name === record.pool && promised === record.promised;
  if (isSame && shared === record.shared) return record;
  const isLeft = record.shared && !shared && record.retain > 0;
  const keepUntil = retain < record.retain || isLeft ? keptUntil(record, today) : record.keepUntil;
  return { ...record, pool: pool.name, retain, keepUntil, shared, promised };
}

/** The record of an address that is released today. */
export function releasedRecord(record: Allocation, today: Day): Allocation {
  return { ...releasedToday(record, today), shared: false, promised: false };
}
