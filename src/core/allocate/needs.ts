import { pinFor } from '../declarations/holders.ts';
import type { PoolIndex } from '../declarations/pools/pool-index.ts';
import {
  type Allocation,
  type AllocationTable,
  isFree,
  isHeld,
  recordsByHolder,
} from '../model/allocation.ts';
import type { Day } from '../model/day.ts';
import type { Holder } from '../model/holder.ts';
import { compareText } from '../model/order.ts';
import type { Pool } from '../model/pools.ts';
import { type Address, compareAddresses, type Family } from '../net/address.ts';
import type { HolderStatus } from '../records/held.ts';
import { isKeptFor } from '../records/key-rules.ts';

/** The addresses that a holder lacks, and the pools that may provide them. */
export interface AddressNeed {
  readonly holder: Holder;
  /** The families it lacks and does not pin, IPv4 first. */
  readonly families: readonly Family[];
  /** The pins of families it lacks. */
  readonly pins: readonly Address[];
  /** The allowed pools, in the order they are tried. All addresses come from one of them. */
  readonly pools: readonly Pool[];
  /** Released addresses that are retained for this holder and its key, the last released first. */
  readonly keptForIt: readonly Allocation[];
}

/** True for a need of both families. */
export function isDual(need: AddressNeed): boolean {
  return need.families.length === 2;
}

/** Returns a need for each holder that lacks an address, in the order of holder ids. */
export function needsOf(
  index: PoolIndex,
  statuses: readonly HolderStatus[],
  table: AllocationTable,
  today: Day,
): readonly AddressNeed[] {
  const kept = recordsByHolder(table, (record) => !isHeld(record) && !isFree(record, today));
  for (const records of kept.values()) records.sort(compareReturns);
  const allowed = oncePerWish((holder) => index.allowed(holder));
  const needs: AddressNeed[] = [];
  for (const status of statuses) {
    const { holder, lacks } = status;
    if (lacks.length === 0) continue;
    const hasPins = holder.pins.length > 0;
    const pool = decidingPool(index, status);
    needs.push({
      holder,
      families: hasPins ? lacks.filter((family) => !pinFor(holder, family)) : lacks,
      pins: hasPins ? lacks.flatMap((family) => pinFor(holder, family)?.address ?? []) : none,
      // The pool of the holder's other address, or else all allowed pools.
      pools: pool ? [pool] : allowed(holder),
      keptForIt: keptFor(holder, kept),
    });
  }
  return needs;
}

/** The retained addresses of a holder, also under its former names. */
function keptFor(
  holder: Holder,
  kept: ReadonlyMap<string, readonly Allocation[]>,
): readonly Allocation[] {
  if (kept.size === 0) return none;
  const names = [holder.id, ...holder.formerly.map(({ id }) => id)];
  const own = names.flatMap((name) => kept.get(name) ?? none);
  return own.filter((record) => isKeptFor(record, holder));
}

/** Shared by the needs, of which there may be a million. */
const none: readonly never[] = [];

/**
 * Returns a function that computes its value once for all holders without pins that are in the same clusters and wish
 * for the same pool or zone and the same way of announcement.
 */
function oncePerWish<Value>(make: (holder: Holder) => Value): (holder: Holder) => Value {
  const made = new Map<string, Value>();
  return (holder) => {
    if (holder.pins.length > 0) return make(holder);
    const { pool = '', zone = '', clusters, advertisement } = holder;
    const key = `${pool} ${zone} ${advertisement?.kind ?? ''} ${clusters.join()}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(holder);
    made.set(key, value);
    return value;
  };
}

/** Returns the pool of another address of the holder, held or pinned. */
export function decidingPool(index: PoolIndex, { holder, kept }: HolderStatus): Pool | undefined {
  const [held] = kept.size === 0 ? [] : kept.values();
  const deciding = held?.address ?? holder.pins[0]?.address;
  return deciding && index.of(deciding);
}

/** The last released first, then by address. */
function compareReturns(left: Allocation, right: Allocation): number {
  return (
    compareText(right.released?.on ?? '', left.released?.on ?? '') ||
    compareAddresses(left.address, right.address)
  );
}
