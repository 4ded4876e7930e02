import { pinFor } from '../declarations/holders.ts';
import type { PoolIndex } from '../declarations/pools/pool-index.ts';
import {
  type Allocation,
  type AllocationTable,
  isFree,
  isHeld,
  recordsByHolder,
} from '../model/allocation.ts';
import type { Holder } from '../model/claim.ts';
import type { Day } from '../model/day.ts';
import { compareText } from '../model/order.ts';
import type { Pool } from '../model/pools.ts';
import { type Address, compareAddresses, type Family } from '../net/address.ts';
import type { Standing } from '../records/held.ts';
import { isKeptFor } from '../records/key-passages.ts';

/** What a holder still has to be given. */
export interface Want {
  readonly holder: Holder;
  /** The families it lacks and does not pin, IPv4 first. */
  readonly families: readonly Family[];
  /** The pins of families it lacks. */
  readonly pins: readonly Address[];
  /** Where the addresses may come from, in the order they are tried; all of them in one pool. */
  readonly pools: readonly Pool[];
  /** Released addresses that are still kept for this holder and its key alone, the last released first. */
  readonly keptForIt: readonly Allocation[];
}

/** True for a want of both families. */
export function isDual(want: Want): boolean {
  return want.families.length === 2;
}

/** What the holders that lack an address have to be given, in the order of their ids. */
export function wantsOf(
  index: PoolIndex,
  standings: readonly Standing[],
  table: AllocationTable,
  today: Day,
): readonly Want[] {
  const kept = recordsByHolder(table, (record) => !isHeld(record) && !isFree(record, today));
  for (const records of kept.values()) records.sort(compareReturns);
  return standings
    .filter((standing) => standing.lacks.length > 0)
    .map((standing) => {
      const { holder, lacks } = standing;
      const pins = lacks.flatMap((family) => pinFor(holder, family)?.address ?? []);
      return {
        holder,
        families: lacks.filter((family) => !pinFor(holder, family)),
        pins,
        pools: poolsFor(index, standing),
        keptForIt: (kept.get(holder.id) ?? []).filter((record) => isKeptFor(record, holder)),
      };
    });
}

/** One pool where another address of the holder already decides; else all allowed. */
function poolsFor(index: PoolIndex, standing: Standing): readonly Pool[] {
  const pool = decidingPool(index, standing);
  return pool ? [pool] : index.allowed(standing.holder);
}

/** The pool of another address of the holder, held or pinned; undefined when there is none. */
export function decidingPool(index: PoolIndex, { holder, kept }: Standing): Pool | undefined {
  const deciding = [...kept.values()].map((record) => record.address);
  for (const pin of holder.pins) deciding.push(pin.address);
  return deciding[0] && index.of(deciding[0]);
}

/** The address its holder left last comes first, then the lower one. */
function compareReturns(left: Allocation, right: Allocation): number {
  return (
    compareText(right.released?.on ?? '', left.released?.on ?? '') ||
    compareAddresses(left.address, right.address)
  );
}
