import type { PoolIndex } from '../declarations/pools/pool-index.ts';
import type { Allocation } from '../model/allocation.ts';
import type { Holder } from '../model/claim.ts';

/**
 * The names of the pools that a holder's addresses come from, in the order of their names: the one it names, those
 * of its pins and of the addresses it holds; and, while none of these decides, all that it may get one from.
 */
export function reachedPools(
  index: PoolIndex,
  holder: Holder,
  held: readonly Allocation[],
): readonly string[] {
  const addresses = [...holder.pins, ...held].map(({ address }) => address);
  const decided = addresses.flatMap((address) => index.of(address)?.name ?? []);
  if (holder.pool !== undefined) decided.push(holder.pool);
  const names = decided.length > 0 ? decided : index.allowed(holder).map(({ name }) => name);
  return [...new Set(names)].sort();
}
