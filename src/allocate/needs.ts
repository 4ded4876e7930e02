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
  return statuses
    .filter((status) => status.lacks.length > 0)
    .map((status) => {
      const { holder, lacks } = status;
      const pins = lacks.flatMap((family) => pinFor(holder, family)?.address ?? []);
      return {
        holder,
        families: lacks.filter((family) => !pinFor(holder, family)),
        pins,
        pools: poolsFor(index, status),
        keptForIt: (kept.get(holder.id) ?? []).filter((record) => isKeptFor(record, holder)),
      };
    });
}

/** The pool of the holder's other address, or else all allowed pools. */
function poolsFor(index: PoolIndex, status: HolderStatus): readonly Pool[] {
  const pool = decidingPool(index, status);
  return pool ? [pool] : index.allowed(status.holder);
}

/** Returns the pool of another address of the holder, held or pinned. */
export function decidingPool(index: PoolIndex, { holder, kept }: HolderStatus): Pool | undefined {
  const deciding = [...kept.values()].map((record) => record.address);
  for (const pin of holder.pins) deciding.push(pin.address);
  return deciding[0] && index.of(deciding[0]);
}

/** The last released first, then by address. */
function compareReturns(left: Allocation, right: Allocation): number {
  return (
    compareText(right.released?.on ?? '', left.released?.on ?? '') ||
    compareAddresses(left.address, right.address)
  );
}
