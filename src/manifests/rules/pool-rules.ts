import type { Fence } from '../../model/pools.ts';
import { type Address, compareAddresses } from '../../net/address.ts';
import {
  type AddressRange,
  compareRanges,
  firstReaching,
  formatRange,
  isRange,
  parseRange,
  prefixLengths,
  rangeHas,
} from '../../net/range.ts';
import type { EmittedAdvertisement, EmittedPool } from './emitted.ts';

/** One range of one emitted pool. */
export interface PoolRange {
  readonly range: AddressRange;
  readonly pool: EmittedPool;
}

/** The ranges of a pool, or the rule that one breaks. MetalLB: config.go ParseCIDR. */
export function rangesOf(pool: EmittedPool): readonly PoolRange[] | string {
  const ranges: PoolRange[] = [];
  for (const text of pool.spec.addresses) {
    const range = parseRange(text);
    if (!isRange(range)) return `addresses: ${range.reason}`;
    if (formatRange(range) !== text) return `addresses: '${text}' is not in canonical form`;
    ranges.push({ range, pool });
  }
  return ranges;
}

/**
 * The rule that a pool breaks by itself, or undefined: never given by MetalLB's own choice, and
 * fenced by names or by Services, unless it is declared open. A fence of namespace selectors alone opens when none matches.
 */
export function poolFault({ spec }: EmittedPool, fence: Fence): string | undefined {
  if (spec.autoAssign) return 'autoAssign must be false';
  if (fence === 'open') return spec.serviceAllocation && 'is fenced, and is declared open';
  const { namespaces = [], serviceSelectors = [] } = spec.serviceAllocation ?? {};
  if (namespaces.length === 0 && serviceSelectors.length === 0) {
    return 'needs namespaces or serviceSelectors: it is open to every Service';
  }
  return new Set(namespaces).size < namespaces.length ? 'has a namespace twice' : undefined;
}

/** Sorts ranges in place, and says which two overlap. MetalLB then refuses all: config.go poolsFor. */
export function overlapFault(ranges: PoolRange[]): string | undefined {
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

/** The pool with an address, by binary search in sorted ranges that do not overlap. */
export function poolWith(ranges: readonly PoolRange[], address: Address): EmittedPool | undefined {
  const entry = ranges[firstReaching(ranges, ({ range }) => range, address)];
  return entry && rangeHas(entry.range, address) ? entry.pool : undefined;
}

/**
 * The rule that an advertisement breaks, or undefined. MetalLB ignores an unknown pool and refuses
 * one named twice; config.go validateBGPAdvPerPool refuses an aggregation length shorter than the
 * shortest prefix of one of the pool's ranges.
 */
export function advertisementFault(
  { spec }: EmittedAdvertisement,
  ranges: ReadonlyMap<string, readonly PoolRange[]>,
): string | undefined {
  if (new Set(spec.ipAddressPools).size < spec.ipAddressPools.length) return 'names a pool twice';
  const lengths = { ipv4: spec.aggregationLength, ipv6: spec.aggregationLengthV6 };
  for (const name of spec.ipAddressPools) {
    const selected = ranges.get(name);
    if (!selected) return `names the pool ${name}, which is not there`;
    for (const { range } of selected) {
      const length = lengths[range.from.family];
      if (length !== undefined && length < Math.min(...prefixLengths(range))) {
        return `aggregates to /${length}, but ${formatRange(range)} in pool ${name} is more specific`;
      }
    }
  }
  return undefined;
}
