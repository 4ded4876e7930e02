import { holdersOf } from '../../allocate/holders.ts';
import { PoolIndex } from '../../allocate/pool-index.ts';
import { isFree } from '../../allocate/supply.ts';
import { type Allocation, isHeld, recordsByHolder } from '../../model/allocation.ts';
import type { PendingAddress, PendingRef } from '../../model/capacity.ts';
import type { Day } from '../../model/day.ts';
import { compareText } from '../../model/order.ts';
import { compareAddresses, type Family, formatAddress } from '../../net/address.ts';
import type { Known } from './known.ts';

/** What a holder will be given and does not have yet: an address of each family, all of one of the pools. */
export interface Take {
  readonly holder: string;
  readonly families: readonly Family[];
  /** The names of the pools that it may come from, the first one tried first. */
  readonly pools: readonly string[];
}

/** What a table has of each holder on a day: held, or kept for it. */
type Own = ReadonlyMap<string, readonly Allocation[]>;

/**
 * What open branches will take from what is free: an address that several of them want counts once. Where one
 * is somebody else's meanwhile, its pool still has to give the holder another one.
 */
export function branchTakes(
  { pools, table }: Known,
  refs: readonly PendingRef[],
  day: Day,
): ReadonlyMap<string, readonly Take[]> {
  const index = new PoolIndex(pools);
  const own = recordsByHolder(table, (record) => !isFree(record, day));
  const seen = new Set<string>();
  return new Map(
    refs.map(({ ref, adds }) => {
      const takes = adds.flatMap((added): Take[] => {
        const { address, holder } = added;
        const pool = index.of(address);
        if (!pool || hasIts(own, added)) return [];
        const text = formatAddress(address);
        const record = table.get(text);
        const isOpen = record === undefined || isFree(record, day);
        const key = isOpen ? text : `${holder} ${address.family}`;
        if (seen.has(key)) return [];
        seen.add(key);
        return [{ holder, families: [address.family], pools: [pool.name] }];
      });
      return [ref, takes];
    }),
  );
}

/** True when the holder needs no free address of that family any more. */
function hasIts(own: Own, { address, holder, moved }: PendingAddress): boolean {
  return (own.get(holder) ?? []).some((record) =>
    moved
      ? compareAddresses(record.address, address) === 0
      : record.address.family === address.family,
  );
}

/** What holders will take that are declared and have no address, nor one that is kept for them; by holder. */
export function waitingTakes({ pools, table, claims }: Known, day: Day): readonly Take[] {
  const index = new PoolIndex(pools);
  const own = recordsByHolder(table, (record) => !isFree(record, day));
  return [...claims]
    .sort(([left], [right]) => compareText(left, right))
    .flatMap(([id, ofHolder]): readonly Take[] => {
      const holders = holdersOf(ofHolder, pools);
      // What contradicts itself takes nothing before it is mended.
      const holder = holders.ok ? holders.value[0] : undefined;
      if (!holder) return [];
      const records = own.get(id) ?? [];
      const has = new Set(records.map(({ address }) => address.family));
      const families = holder.families.filter((family) => !has.has(family));
      if (families.length === 0) return [];
      const decided = records.find(isHeld)?.address ?? holder.pins[0]?.address;
      const pool = decided && index.of(decided);
      const allowed = pool ? [pool] : index.allowed(holder);
      return [{ holder: id, families, pools: allowed.map(({ name }) => name) }];
    });
}
