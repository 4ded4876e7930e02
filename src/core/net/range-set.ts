import { type Address, type Family, familyBits } from './address.ts';
import { type AddressRange, compareRanges, firstReaching, rangeHas, rangeSize } from './range.ts';

/**
 * An immutable set of addresses. `ranges` is sorted and minimal: no two ranges overlap or touch.
 * Every function here relies on it.
 */
export interface RangeSet {
  readonly ranges: readonly AddressRange[];
}

/** The set of all addresses of some ranges, which may overlap and be in any order. */
export function rangeSetOf(ranges: readonly AddressRange[]): RangeSet {
  const merged: AddressRange[] = [];
  for (const range of [...ranges].sort(compareRanges)) {
    const last = merged.at(-1);
    if (last && last.to.family === range.from.family && range.from.value <= last.to.value + 1n) {
      if (range.to.value > last.to.value)
        merged[merged.length - 1] = { from: last.from, to: range.to };
    } else {
      merged.push(range);
    }
  }
  return { ranges: merged };
}

/** True when the set has the address. O(log n). */
export function setHas(set: RangeSet, address: Address): boolean {
  return rangeWith(set, address) !== undefined;
}

/** The range of the set that has the address. O(log n). */
export function rangeWith({ ranges }: RangeSet, address: Address): AddressRange | undefined {
  const range = ranges[firstReaching(ranges, (item) => item, address)];
  return range && rangeHas(range, address) ? range : undefined;
}

/** The addresses of `set` that are not in `removed`. O(n + m). */
export function subtract(set: RangeSet, removed: RangeSet): RangeSet {
  const left: AddressRange[] = [];
  let next = 0;
  for (const range of set.ranges) {
    const { family } = range.from;
    let start = range.from.value;
    while (isBeforeRange(removed.ranges[next], range)) next += 1;
    for (let index = next; ; index += 1) {
      const hole = removed.ranges[index];
      if (!hole || hole.from.family !== family || hole.from.value > range.to.value) break;
      if (hole.from.value > start) left.push(between(family, start, hole.from.value - 1n));
      start = hole.to.value + 1n;
    }
    if (start <= range.to.value) left.push(between(family, start, range.to.value));
  }
  return { ranges: left };
}

/** The addresses of one family. */
export function ofFamily(set: RangeSet, family: Family): RangeSet {
  return { ranges: set.ranges.filter((range) => range.from.family === family) };
}

/** How many addresses the set has. */
export function setSize(set: RangeSet): bigint {
  return set.ranges.reduce((size, range) => size + rangeSize(range), 0n);
}

function between(family: Family, from: bigint, to: bigint): AddressRange {
  return { from: { family, value: from }, to: { family, value: to } };
}

function isBeforeRange(hole: AddressRange | undefined, range: AddressRange): boolean {
  return hole !== undefined && isBefore(hole.to, range.from);
}

function isBefore(left: Address, right: Address): boolean {
  if (left.family !== right.family) return familyBits[left.family] < familyBits[right.family];
  return left.value < right.value;
}
