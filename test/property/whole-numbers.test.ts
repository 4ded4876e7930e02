// @module-tag counted

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WholeNumbers } from '../../src/core/allocate/matching/whole-numbers.ts';
import { runs } from '../support/run/scope.ts';

const demandArbitrary = fc.record({
  factors: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 3, maxLength: 3 }),
  least: fc.integer({ min: -8, max: 12 }),
});

type Demand = typeof demandArbitrary extends fc.Arbitrary<infer Value> ? Value : never;

function meets(numbers: readonly number[], { factors, least }: Demand): boolean {
  return numbers.reduce((sum, number, place) => sum + number * (factors[place] ?? 0), 0) >= least;
}

/** Every combination of numbers from 0 to these, the lexicographically lowest first. */
function allUpTo(mosts: readonly number[]): readonly (readonly number[])[] {
  return mosts.reduce<readonly (readonly number[])[]>(
    (starts, most) => starts.flatMap((start) => upTo(most).map((number) => [...start, number])),
    [[]],
  );
}

function upTo(most: number): readonly number[] {
  return Array.from({ length: most + 1 }, (_, number) => number);
}

/** Two columns that begin alike: one may not be taken from the other as often as their beginnings allow. */
const rare: readonly Demand[] = [
  { factors: [0, 1, 2], least: 6 },
  { factors: [0, 3, 0], least: 10 },
];

test('finds the lowest numbers that meet all inequalities, or none if there are none', () => {
  const reached = { some: 0, none: 0 };
  fc.assert(
    fc.property(
      fc.array(fc.nat(6), { minLength: 1, maxLength: 3 }),
      fc.array(demandArbitrary, { minLength: 1, maxLength: 6 }),
      (mosts, demands) => {
        const numbers = new WholeNumbers(mosts);
        const all = allUpTo(mosts);
        for (const [place, demand] of demands.entries()) {
          numbers.demand(demand.factors.slice(0, mosts.length), demand.least);
          const until = demands.slice(0, place + 1);
          const expected = all.find((one) => until.every((each) => meets(one, each)));
          expect(numbers.lowest()).toEqual(expected);
          reached[expected ? 'some' : 'none'] += 1;
          if (!expected) return;
        }
      },
    ),
    { seed: 1, numRuns: runs(20_000), examples: [[[0, 4, 2], [...rare]]] },
  );
  expect(Math.min(reached.some, reached.none)).toBeGreaterThan(runs(4_000));
});

test('large numbers cost no more than small ones', () => {
  const numbers = new WholeNumbers([1e9, 1e9]);
  numbers.demand([2, 3], 1e9 + 1);
  numbers.demand([-2, -3], -1e9 - 1);
  expect(numbers.lowest()).toEqual([1, 333_333_333]);
});
