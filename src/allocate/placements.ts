import { PoolIndex } from '../declarations/pools/pool-index.ts';
import { type AllocationTable, isHeld, recordsByHolder } from '../model/allocation.ts';
import type { Holder } from '../model/claim.ts';
import type { Placement } from '../model/placement.ts';
import type { Pools } from '../model/pools.ts';
import type { Address } from '../net/address.ts';

/** The holders that have all their addresses, with them, in the order of `holders`. */
export function placementsOf(
  pools: Pools,
  holders: readonly Holder[],
  table: AllocationTable,
): readonly Placement[] {
  const index = new PoolIndex(pools);
  const heldBy = recordsByHolder(table, isHeld);
  return holders.flatMap((holder) => {
    const records = heldBy.get(holder.id) ?? [];
    const addresses: Address[] = holder.families.flatMap((family) =>
      records.flatMap(({ address }) => (address.family === family ? [address] : [])),
    );
    const [first, ...rest] = addresses;
    const pool = first && index.of(first);
    if (!pool || addresses.length !== holder.families.length) return [];
    return [{ holder, pool, addresses: [first, ...rest] as const }];
  });
}
