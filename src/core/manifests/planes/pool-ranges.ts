import { type Address, compareAddresses } from '../../net/address.ts';
import {
  type AddressRange,
  compareRanges,
  firstReaching,
  formatRange,
  rangeHas,
} from '../../net/range.ts';
import type { Metadata } from '../manifest.ts';

/** One range of one emitted pool. */
export interface PoolRange<Pool extends { readonly metadata: Metadata }> {
  readonly range: AddressRange;
  readonly pool: Pool;
}

/**
 * Sorts ranges in place and returns the first overlap. MetalLB refuses its whole configuration
 * then: config.go poolsFor. Cilium disables the newest of the two pools: lbipam.go settleConflicts.
 */
export function overlapFault<Pool extends { readonly metadata: Metadata }>(
  ranges: PoolRange<Pool>[],
): string | undefined {
  ranges.sort((left, right) => compareRanges(left.range, right.range));
  for (const [index, { range, pool }] of ranges.entries()) {
    const next = ranges[index + 1];
    if (next && compareAddresses(next.range.from, range.to) <= 0) {
      const [left, right] = [pool.metadata.name, next.pool.metadata.name];
      return `${formatRange(next.range)} in pool ${right} overlaps ${formatRange(range)} in pool ${left}`;
    }
  }
  return undefined;
}

/** Returns the pool of an address, by binary search in sorted ranges that do not overlap. */
export function poolWith<Pool extends { readonly metadata: Metadata }>(
  ranges: readonly PoolRange<Pool>[],
  address: Address,
): Pool | undefined {
  const entry = ranges[firstReaching(ranges, ({ range }) => range, address)];
  return entry && rangeHas(entry.range, address) ? entry.pool : undefined;
}
