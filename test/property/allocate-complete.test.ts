// @module-tag counted

import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { allocate } from '../../src/core/allocate/allocate.ts';
import { planExists } from '../support/allocations/brute-force.ts';
import { type Crowd, crowdArbitrary, crowdDay } from '../support/allocations/crowded-arbitrary.ts';
import type { Run } from '../support/allocations/history-run.ts';
import { heldBy, keptFor } from '../support/allocations/naive-rules.ts';
import { invalid, outOfTurn, unsteady } from '../support/allocations/run-checks.ts';
import { aDay } from '../support/allocations/tables.ts';
import { runs } from '../support/run/scope.ts';

const reached = { crowds: 0, met: 0, torn: 0, tornAndMet: 0 };

afterAll(() => {
  console.log(reached);
});

test('all are met exactly when an exhaustive search can meet all', () => {
  fc.assert(
    fc.property(crowdArbitrary, (crowd) => {
      const { pools, holders, table } = crowd;
      const today = aDay(crowdDay);
      const run: Run = {
        pools,
        holders,
        before: table,
        today,
        outcome: allocate(pools, holders, table, { today }),
      };
      expect(run.outcome.ok).toBe(planExists(pools, holders, table, today));
      if (run.outcome.ok)
        expect([...invalid(run), ...unsteady(run), ...outOfTurn(run)]).toEqual([]);
      count(crowd, run.outcome.ok);
    }),
    { seed: 1, numRuns: runs(5_000) },
  );
});

test('the random cases can be met half the time, and holders can often return to several pools', () => {
  expect(reached.crowds).toBeGreaterThanOrEqual(runs(5_000));
  expect(reached.met / reached.crowds).toBeGreaterThan(0.3);
  expect(reached.met / reached.crowds).toBeLessThan(0.7);
  expect(reached.torn / reached.crowds).toBeGreaterThan(0.2);
  expect(reached.tornAndMet).toBeGreaterThan(runs(500));
});

function count(crowd: Crowd, isMet: boolean): void {
  const torn = isTorn(crowd);
  reached.crowds += 1;
  reached.met += isMet ? 1 : 0;
  reached.torn += torn ? 1 : 0;
  reached.tornAndMet += torn && isMet ? 1 : 0;
}

/** True when a dual holder with nothing has addresses of its zone kept in several pools. */
function isTorn({ holders, table }: Crowd): boolean {
  return holders.some((holder) => {
    if (holder.families.length < 2 || holder.pool !== undefined) return false;
    if (heldBy(table, holder.id).length > 0) return false;
    return new Set(keptFor(table, holder.id, crowdDay).map(({ pool }) => pool)).size > 1;
  });
}
