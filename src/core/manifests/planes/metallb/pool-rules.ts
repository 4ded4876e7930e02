import type { Fence } from '../../../model/pools.ts';
import { formatRange, isRange, parseRange, prefixLengths } from '../../../net/range.ts';
import type { Metadata } from '../../manifest.ts';
import type { PoolRange } from '../pool-ranges.ts';

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
export type EmittedRange = PoolRange<EmittedPool>;

/** Returns the ranges of a pool, or the fault of one of them. MetalLB: config.go ParseCIDR. */
export function rangesOf(pool: EmittedPool): readonly EmittedRange[] | string {
  const ranges: EmittedRange[] = [];
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
 * Returns the rule that an advertisement breaks. MetalLB ignores an unknown pool and refuses one
 * that is listed twice. It also refuses an aggregation length that is shorter than the shortest
 * prefix of a range: config.go validateBGPAdvPerPool.
 */
export function advertisementFault(
  { spec }: EmittedAdvertisement,
  ranges: ReadonlyMap<string, readonly EmittedRange[]>,
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
