// @module-tag counted

import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { allocate } from '../../src/core/allocate/allocate.ts';
import type { Holder } from '../../src/core/model/holder.ts';
import type { Pools } from '../../src/core/model/pools.ts';
import { plainBgp } from '../../src/features/import/metallb/metallb-advertisement.ts';
import { plainL2 } from '../../src/features/import/parts/announced-pools.ts';
import { planExists } from '../support/allocations/brute-force.ts';
import { crowdArbitrary, crowdDay } from '../support/allocations/crowded-arbitrary.ts';
import type { Run } from '../support/allocations/history-run.ts';
import { poolsOpenTo } from '../support/allocations/naive-rules.ts';
import { invalid, outOfTurn, unsteady } from '../support/allocations/run-checks.ts';
import { aDay, theHolders } from '../support/allocations/tables.ts';
import { runs } from '../support/run/scope.ts';

const reached = { crowds: 0, met: 0, mixed: 0, mixedAndMet: 0, over: 0 };

afterAll(() => {
  console.log(reached);
});

const both = [
  ['a', 'b'],
  ['b', 'c'],
  ['c', 'a'],
];
const subsets = [undefined, undefined, ...both, ...both, ['a']];

const nextTo: Readonly<Record<string, string>> = { a: 'b', b: 'c', c: 'a' };

/** Crowds whose pools are announced in some of three clusters, and whose holders stand in one of them, or in two. */
const clusteredArbitrary = fc
  .tuple(
    crowdArbitrary,
    fc.array(fc.constantFrom(...subsets), { minLength: 4, maxLength: 4 }),
    fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 6, maxLength: 6 }),
    fc.array(fc.constantFrom('l2', 'bgp', 'bgp'), { minLength: 4, maxLength: 4 }),
    fc.nat(11),
  )
  .map(([crowd, open, stand, ways, over]) => {
    const pools: Pools = {
      ...crowd.pools,
      pools: crowd.pools.pools.map((pool, index) => ({
        ...pool,
        clusters: open[index],
        advertise: [{ ...(ways[index] === 'l2' ? plainL2 : plainBgp), name: pool.name }],
      })),
    };
    const claims = crowd.claims.flatMap((claim, index) => {
      const isHolding = claim.holder.includes('/z-');
      const announced = pools.pools.find(({ name }) => name === claim.pool)?.clusters?.[0] ?? 'a';
      const own = isHolding ? announced : (stand[index % stand.length] ?? 'a');
      const next = nextTo[own] ?? 'a';
      const second = !isHolding && index === over ? [{ ...claim, cluster: next }] : [];
      return [{ ...claim, cluster: own }, ...second];
    });
    return { ...crowd, pools, claims, holders: theHolders(pools, ...claims) };
  });

test('over several clusters, all are met whenever an exhaustive search can meet all', () => {
  fc.assert(
    fc.property(clusteredArbitrary, ({ pools, holders, table }) => {
      const today = aDay(crowdDay);
      const outcome = allocate(pools, holders, table, { today });
      const run: Run = { pools, holders, before: table, today, outcome };
      expect(outcome.ok).toBe(planExists(pools, holders, table, today));
      if (outcome.ok) expect([...invalid(run), ...unsteady(run), ...outOfTurn(run)]).toEqual([]);
      const isMixed = choices(pools, holders) > 1;
      reached.crowds += 1;
      reached.met += outcome.ok ? 1 : 0;
      reached.mixed += isMixed ? 1 : 0;
      reached.mixedAndMet += isMixed && outcome.ok ? 1 : 0;
      reached.over += holders.some(({ clusters }) => clusters.length > 1) ? 1 : 0;
    }),
    { seed: 1, numRuns: runs(2_000) },
  );
});

test('the random cases are met, refused, and have different pools to choose from', () => {
  expect(reached.met / reached.crowds).toBeGreaterThan(0.2);
  expect(reached.mixed / reached.crowds).toBeGreaterThan(0.1);
  expect(reached.mixedAndMet).toBeGreaterThan(runs(80));
  expect(reached.over).toBeGreaterThan(runs(100));
});

/** How many different choices of several pools the holders have. */
function choices(pools: Pools, holders: readonly Holder[]): number {
  const all = holders.map((holder) => poolsOpenTo(pools, holder).map(({ name }) => name));
  return new Set(all.filter((names) => names.length > 1).map((names) => names.join())).size;
}
