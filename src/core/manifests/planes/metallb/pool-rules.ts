import type { Fence } from '../../../model/pools.ts';
import { type Address, compareAddresses } from '../../../net/address.ts';
import {
  type AddressRange,
  compareRanges,
  firstReaching,
  formatRange,
  isRange,
  parseRange,
  prefixLengths,
  rangeHas,
} from '../../../net/range.ts';
import type { Metadata } from '../../manifest.ts';

/** The fields of an emitted `IPAddressPool` that MetalLB's rules are about. */
export interface EmittedPool {
  readonly metadata: Metadata;
  readonly spec: {
    readonly addresses: readonly string[];
    readonly autoAssign: boolean;
    readonly avoidBuggyIPs: boolean;
    /** Absent for a pool with an open fence. */
    readonly serviceAllocation?: {
      readonly namespaces?: readonly string[];
      readonly namespaceSelectors?: readonly EmittedSelector[];
      readonly serviceSelectors?: readonly EmittedSelector[];
    };
  };
}

/** A label selector of an emitted pool. */
export interface EmittedSelector {
  readonly matchLabels?: { readonly [key: string]: string };
}

/** The fields of an emitted advertisement that MetalLB's rules are about. */
export interface EmittedAdvertisement {
  readonly metadata: Metadata;
  readonly spec: {
    readonly ipAddressPools: readonly string[];
    readonly aggregationLength?: number;
    readonly aggregationLengthV6?: number;
  };
}

/** One range of one emitted pool. */
export interface PoolRange {
  readonly range: AddressRange;
  readonly pool: EmittedPool;
}

/** Returns the ranges of a pool, or the fault of one of them. MetalLB: config.go ParseCIDR. */
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
 * Returns the rule that a pool breaks by itself. `autoAssign` is off, and the pool is limited to
 * namespaces or to Services with a label, unless its fence is declared open. Namespace selectors
 * alone are not enough: MetalLB opens the pool to all when they match no namespace.
 */
export function poolFault({ spec }: EmittedPool, fence: Fence): string | undefined {
  if (spec.autoAssign) return 'autoAssign must be false';
  if (fence === 'open') return spec.serviceAllocation && 'is fenced, but is declared open';
  const { namespaces = [], serviceSelectors = [] } = spec.serviceAllocation ?? {};
  if (namespaces.length === 0 && serviceSelectors.length === 0) {
    return 'has neither namespaces nor serviceSelectors: it is open to every Service';
  }
  return new Set(namespaces).size < namespaces.length ? 'lists a namespace twice' : undefined;
}

/**
 * Sorts ranges in place and returns the first overlap. MetalLB refuses its whole configuration
 * then: config.go poolsFor.
 */
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

/** Returns the pool of an address, by binary search in sorted ranges that do not overlap. */
export function poolWith(ranges: readonly PoolRange[], address: Address): EmittedPool | undefined {
  const entry = ranges[firstReaching(ranges, ({ range }) => range, address)];
  return entry && rangeHas(entry.range, address) ? entry.pool : undefined;
}

/**
 * Returns the rule that an advertisement breaks. MetalLB ignores an unknown pool and refuses one
 * that is listed twice. It also refuses an aggregation length that is shorter than the shortest
 * prefix of a range: config.go validateBGPAdvPerPool.
 */
export function advertisementFault(
  { spec }: EmittedAdvertisement,
  ranges: ReadonlyMap<string, readonly PoolRange[]>,
): string | undefined {
  if (new Set(spec.ipAddressPools).size < spec.ipAddressPools.length) return 'lists a pool twice';
  const lengths = { ipv4: spec.aggregationLength, ipv6: spec.aggregationLengthV6 };
  for (const name of spec.ipAddressPools) {
    const selected = ranges.get(name);
    if (!selected) return `lists the unknown pool ${name}`;
    for (const { range } of selected) {
      const length = lengths[range.from.family];
      if (length !== undefined && length < Math.min(...prefixLengths(range))) {
        return `aggregates to /${length}, but ${formatRange(range)} in pool ${name} is more specific`;
      }
    }
  }
  return undefined;
}
