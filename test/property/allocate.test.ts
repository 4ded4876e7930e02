// @module-tag counted

import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { allocate } from '../../src/core/allocate/allocate.ts';
import { planExists } from '../support/allocations/brute-force.ts';
import { historyArbitrary } from '../support/allocations/history-arbitrary.ts';
import { type Run, runsOf } from '../support/allocations/history-run.ts';
import { freeIn } from '../support/allocations/naive-rules.ts';
import {
  invalid,
  miscounted,
  outOfTurn,
  restless,
  tableOf,
  unsteady,
} from '../support/allocations/run-checks.ts';
import { runs } from '../support/run/scope.ts';

/** What the random histories reached: a generator that reaches little proves little. */
const reached = { histories: 0, full: 0, runs: 0, refused: 0, holders: 0, dual: 0 };
const kinds = new Map<string, number>();

afterAll(() => {
  console.log(reached, Object.fromEntries([...kinds].sort()));
});

test('a history of edits keeps every retention of an allocation', () => {
  fc.assert(
    fc.property(historyArbitrary, (history) => {
      const runs = runsOf(history);
      for (const run of runs) {
        const written = run.outcome.ok ? wrongIn(run) : [];
        expect([...written, ...misjudged(run)]).toEqual([]);
      }
      count(runs);
    }),
    { seed: 1, numRuns: runs(7_000) },
  );
});

test('the random histories reach full pools, dual-stack holders, refusals and every kind of change', () => {
  expect(reached.histories).toBeGreaterThanOrEqual(runs(7_000));
  expect(reached.full / reached.histories).toBeGreaterThan(0.3);
  expect(reached.dual / reached.holders).toBeGreaterThan(1 / 3);
  expect(reached.refused / reached.runs).toBeGreaterThan(0.1);
  expect(reached.refused / reached.runs).toBeLessThan(0.5);
  const rare = ['PIN_OUTSIDE', 'PIN_RESERVED', 'PIN_RETAINED', 'PIN_TAKEN', 'PIN_MOVED'];
  const common = ['POOL_DRAINING', 'POOL_EXHAUSTED', 'ADDRESS_STRANDED'];
  const changes = ['allocated', 'released', 'reclaimed', 'updated'];
  for (const kind of rare) expect([kind, kinds.get(kind)]).toEqual([kind, atLeast(runs(20))]);
  for (const kind of [...common, ...changes]) {
    expect([kind, kinds.get(kind)]).toEqual([kind, atLeast(runs(300))]);
  }
});

function wrongIn(run: Run): string[] {
  return [invalid, unsteady, outOfTurn, restless, miscounted].flatMap((check) => check(run));
}

/** A run is refused exactly when no plan exists; frozen, it is stale exactly when it changes something. */
function misjudged(run: Run): string[] {
  const { pools, holders, before, today, outcome } = run;
  const wrong: string[] = [];
  if (planExists(pools, holders, before, today) !== outcome.ok) {
    wrong.push(outcome.ok ? 'a plan that cannot be' : 'a plan was not found');
  }
  if (!outcome.ok) return wrong;
  const frozen = allocate(pools, holders, before, { today: undefined });
  const codes = new Set(frozen.ok ? [] : frozen.problems.map(({ code }) => code));
  const expected = outcome.value.changes.length > 0 ? 'STALE' : '';
  if ([...codes].join() !== expected) wrong.push(`frozen says ${[...codes]}, not ${expected}`);
  return wrong;
}

function count(runs: readonly Run[]): void {
  reached.histories += 1;
  reached.full += runs.some((run) => run.outcome.ok && isNearlyFull(run)) ? 1 : 0;
  for (const { holders, outcome } of runs) {
    reached.runs += 1;
    reached.refused += outcome.ok ? 0 : 1;
    reached.holders += holders.length;
    reached.dual += holders.filter(({ families }) => families.length === 2).length;
    const what = outcome.ok
      ? outcome.value.changes.map(({ kind }) => kind)
      : outcome.problems.map(({ code }) => code);
    for (const kind of what) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
}

/** True when a zone that serves somebody has at most two addresses of a family left. */
function isNearlyFull(run: Run): boolean {
  const table = tableOf(run);
  const used = new Set([...table.values()].map(({ pool, address }) => `${pool} ${address.family}`));
  return ['inet', 'lab', 'edge'].some((zone) =>
    (['ipv4', 'ipv6'] as const).some((family) => {
      const pools = run.pools.pools.filter((pool) => pool.zone === zone);
      const left = pools.map((pool) => freeIn(pool, family, table, run.today).length);
      const isUsed = pools.some(({ name }) => used.has(`${name} ${family}`));
      return isUsed && left.reduce((sum, each) => sum + each, 0) <= 2;
    }),
  );
}

function atLeast(least: number): unknown {
  return expect.toSatisfy((number: number | undefined) => (number ?? 0) >= least);
}
