// @module-tag counted

import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import {
  type FreeCounts,
  holderGroups,
  type PoolOption,
} from '../../src/core/allocate/matching/contention.ts';
import { canSatisfy, mostNewcomers } from '../../src/core/allocate/matching/feasibility.ts';
import { admitted, matchPools } from '../../src/core/allocate/matching/pool-matching.ts';
import type { Family } from '../../src/core/net/address.ts';
import { runs } from '../support/run/scope.ts';

const reached = { all: 0, met: 0, contested: 0, contestedAndMet: 0 };

afterAll(() => {
  console.log(reached);
});

const pools = ['p', 'q', 'r', 's'] as const;
const usesArbitrary = fc.constantFrom<Family[]>(['ipv4'], ['ipv6'], ['ipv4', 'ipv6']);

/** The options of a kind of holder: it takes the same families of every pool, or not. */
const optionsArbitrary = fc
  .tuple(
    fc.subarray([...pools]),
    fc.array(usesArbitrary, { minLength: 4, maxLength: 4 }),
    fc.nat(4),
  )
  .map(([own, uses, torn]): readonly PoolOption[] =>
    own.map((pool, index) => ({ pool, uses: (torn === 0 ? uses[index] : uses[0]) ?? [] })),
  );

/** Holders of a few kinds, mixed, and pools with about as many addresses as they request. */
const crowdArbitrary = fc.record({
  holders: fc
    .tuple(
      fc.array(optionsArbitrary, { minLength: 2, maxLength: 5 }),
      fc.array(fc.nat(4), { minLength: 1, maxLength: 9 }),
    )
    .map(([kinds, places]) => places.map((place) => kinds[place % kinds.length] ?? [])),
  free: fc
    .array(fc.record({ ipv4: fc.nat(4), ipv6: fc.nat(4) }), { minLength: 4, maxLength: 4 })
    .map(
      (counts): FreeCounts => new Map(pools.map((pool, index) => [pool, counts[index] ?? none])),
    ),
});

const none = { ipv4: 0, ipv6: 0 };

test('canSatisfy agrees with a search over all options of all holders', () => {
  fc.assert(
    fc.property(crowdArbitrary, ({ holders, free }) => {
      const isMet = triesAll(holders, free);
      expect(canSatisfy(holderGroups(holders), free)).toBe(isMet);
      const isContested = pools.some((pool) => isContestedIn(pool, holders));
      reached.all += 1;
      reached.met += Number(isMet);
      reached.contested += Number(isContested);
      reached.contestedAndMet += Number(isContested && isMet);
    }),
    { seed: 1, numRuns: runs(30_000) },
  );
});

test('matchPools gives each holder the first option that leaves enough for the others', () => {
  fc.assert(
    fc.property(crowdArbitrary, fc.nat(9), ({ holders, free }, split) => {
      const [choices, others] = [holders.slice(0, split), holders.slice(split)];
      expect(matchPools(choices, others, free)).toEqual(firstOf(choices, others, free));
    }),
    { seed: 2, numRuns: runs(6_000) },
  );
});

test('admitted leaves out a holder only if it cannot be met beside those before it', () => {
  fc.assert(
    fc.property(crowdArbitrary, ({ holders, free }) => {
      const met: number[] = [];
      for (const place of holders.keys()) {
        const all = [...met, place].map((one) => holders[one] ?? []);
        if (triesAll(all, free)) met.push(place);
      }
      expect([...admitted(holders, free)].sort()).toEqual(met);
    }),
    { seed: 3, numRuns: runs(4_000) },
  );
});

test('mostNewcomers is the largest number that can be met beside the waiting holders', () => {
  fc.assert(
    fc.property(
      crowdArbitrary,
      optionsArbitrary,
      usesArbitrary,
      ({ holders, free }, own, families) => {
        fc.pre(triesAll(holders, free));
        const stock = new Map(
          [...free].map(([pool, { ipv4, ipv6 }]) => [
            pool,
            { ipv4: BigInt(ipv4), ipv6: BigInt(ipv6) },
          ]),
        );
        const newcomers = { families, pools: own.map(({ pool }) => pool) };
        const most = Number(mostNewcomers(newcomers, holderGroups(holders), stock));
        const options = newcomers.pools.map((pool) => ({ pool, uses: families }));
        const beside = (count: number) => [
          ...holders,
          ...Array.from({ length: count }, () => options),
        ];
        expect([triesAll(beside(most), free), triesAll(beside(most + 1), free)]).toEqual([
          true,
          false,
        ]);
      },
    ),
    { seed: 4, numRuns: runs(3_000) },
  );
});

test('the random cases are met often enough, also if pairs and single addresses compete', () => {
  expect(reached.met / reached.all).toBeGreaterThan(0.2);
  expect(reached.met / reached.all).toBeLessThan(0.8);
  expect(reached.contested / reached.all).toBeGreaterThan(0.3);
  expect(reached.contestedAndMet).toBeGreaterThan(runs(2_000));
});

/** Tries every option of every holder, except in states that are known to be hopeless. */
function triesAll(holders: readonly (readonly PoolOption[])[], free: FreeCounts): boolean {
  const hopeless = new Set<string>();
  const search = (place: number, left: FreeCounts): boolean => {
    const options = holders[place];
    if (!options) return true;
    const state = JSON.stringify([place, ...left]);
    if (hopeless.has(state)) return false;
    const isFound = options.some((option) => {
      const after = without(left, option);
      return after !== undefined && search(place + 1, after);
    });
    if (!isFound) hopeless.add(state);
    return isFound;
  };
  return search(0, free);
}

/** Undefined if the pool does not have enough. */
function without(free: FreeCounts, { pool, uses }: PoolOption): FreeCounts | undefined {
  const left = { ...(free.get(pool) ?? none) };
  for (const family of uses) left[family] -= 1;
  return left.ipv4 < 0 || left.ipv6 < 0 ? undefined : new Map(free).set(pool, left);
}

function firstOf(
  choices: readonly (readonly PoolOption[])[],
  others: readonly (readonly PoolOption[])[],
  free: FreeCounts,
): readonly string[] | undefined {
  const [options, ...later] = choices;
  if (!options) return triesAll(others, free) ? [] : undefined;
  for (const option of options) {
    const left = without(free, option);
    if (!left || !triesAll([...later, ...others], left)) continue;
    const rest = firstOf(later, others, left);
    if (rest) return [option.pool, ...rest];
  }
  return undefined;
}

/** True if some holders take both families of the pool, and some take one. */
function isContestedIn(pool: string, holders: readonly (readonly PoolOption[])[]): boolean {
  const uses = holders.flat().filter((option) => option.pool === pool);
  return new Set(uses.map((option) => option.uses.length)).size > 1;
}
