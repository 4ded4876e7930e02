import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Address, Family } from '../../../../src/core/net/address.ts';
import type { AddressRange } from '../../../../src/core/net/range.ts';
import {
  ofFamily,
  rangeSetOf,
  setHas,
  setSize,
  subtract,
} from '../../../../src/core/net/range-set.ts';

/** A set over a universe of a few addresses of both families, as a bit per address. */
const perFamily = 4;
const universe: readonly Address[] = (['ipv4', 'ipv6'] as const).flatMap((family) =>
  Array.from({ length: perFamily }, (_, index) => ({ family, value: BigInt(index) })),
);
const patterns = Array.from({ length: 1 << universe.length }, (_, pattern) => pattern);

function span(family: Family, from: number, to: number): AddressRange {
  return { from: { family, value: BigInt(from) }, to: { family, value: BigInt(to) } };
}

function singles(pattern: number): AddressRange[] {
  return universe.flatMap((address, bit) =>
    (pattern >> bit) & 1 ? [{ from: address, to: address }] : [],
  );
}

function patternOf(set: ReturnType<typeof rangeSetOf>): number {
  return universe.reduce((sum, address, bit) => sum + (setHas(set, address) ? 1 << bit : 0), 0);
}

function bitCount(pattern: number): number {
  return universe.filter((_, bit) => (pattern >> bit) & 1).length;
}

/** How many runs of ones there are: no run goes from one family to the other. */
function runCount(pattern: number): number {
  const isOne = (bit: number) => ((pattern >> bit) & 1) === 1;
  return universe.filter((_, bit) => isOne(bit) && (bit % perFamily === 0 || !isOne(bit - 1)))
    .length;
}

describe('every set over four addresses of each family', () => {
  test('has exactly its addresses, in the fewest ranges, whatever order they came in', () => {
    for (const pattern of patterns) {
      const set = rangeSetOf(singles(pattern));
      expect(patternOf(set)).toBe(pattern);
      expect(setSize(set)).toBe(BigInt(bitCount(pattern)));
      expect(set.ranges.length).toBe(runCount(pattern));
      expect(rangeSetOf(singles(pattern).reverse())).toEqual(set);
    }
  });

  test('minus every other is what a bit-wise and-not gives', () => {
    const sets = patterns.map((pattern) => rangeSetOf(singles(pattern)));
    const wrong: string[] = [];
    for (const left of patterns) {
      for (const right of patterns) {
        const rest = subtract(sets[left]!, sets[right]!);
        const expected = sets[left & ~right]!;
        const same =
          rest.ranges.length === expected.ranges.length &&
          rest.ranges.every(
            ({ from, to }, index) =>
              from.family === expected.ranges[index]?.from.family &&
              from.value === expected.ranges[index]?.from.value &&
              to.value === expected.ranges[index]?.to.value,
          );
        if (!same) wrong.push(`${left} - ${right}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

test('overlapping, touching and nested ranges become the sets of their addresses', () => {
  const spans = fc.record({
    family: fc.constantFrom('ipv4' as const, 'ipv6' as const),
    from: fc.nat(255),
    length: fc.nat(40),
  });
  const lists = fc.array(spans, { maxLength: 12 });
  const setOf = (list: readonly { family: Family; from: number; length: number }[]) =>
    rangeSetOf(list.map(({ family, from, length }) => span(family, from, from + length)));
  const has = (list: readonly { family: Family; from: number; length: number }[], at: Address) =>
    list.some(
      ({ family, from, length }) =>
        family === at.family && from <= at.value && at.value <= from + length,
    );
  fc.assert(
    fc.property(lists, lists, (list, holes) => {
      const set = setOf(list);
      const rest = subtract(set, setOf(holes));
      const wrong: Address[] = [];
      let size = 0n;
      for (const family of ['ipv4', 'ipv6'] as const) {
        for (let value = 0n; value < 300n; value += 1n) {
          const address = { family, value };
          const isIn = has(list, address);
          const isLeft = isIn && !has(holes, address);
          if (setHas(set, address) !== isIn || setHas(rest, address) !== isLeft)
            wrong.push(address);
          size += isLeft ? 1n : 0n;
        }
      }
      expect(wrong).toEqual([]);
      expect(setSize(rest)).toBe(size);
      expect(rangeSetOf(rest.ranges)).toEqual(rest);
    }),
    { seed: 1, numRuns: 150 },
  );
});

test('ofFamily keeps the ranges of one family', () => {
  const set = rangeSetOf([span('ipv6', 0, 3), span('ipv4', 2, 5)]);
  expect(ofFamily(set, 'ipv4').ranges).toEqual([span('ipv4', 2, 5)]);
  expect(ofFamily(set, 'ipv6').ranges).toEqual([span('ipv6', 0, 3)]);
});

test('sizes are exact where numbers are not', () => {
  const last = { family: 'ipv6', value: (1n << 128n) - 1n } as const;
  const all = rangeSetOf([{ from: { family: 'ipv6', value: 0n }, to: last }]);
  expect(setSize(all)).toBe(1n << 128n);
  expect(setSize(subtract(all, rangeSetOf([{ from: last, to: last }])))).toBe((1n << 128n) - 1n);
});
