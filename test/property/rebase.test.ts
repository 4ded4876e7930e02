// @module-tag counted

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allocate } from '../../src/core/allocate/allocate.ts';
import { type AllocationTable, isHeld } from '../../src/core/model/allocation.ts';
import { addDays } from '../../src/core/model/day.ts';
import type { Holder } from '../../src/core/model/holder.ts';
import { allocateOnBase, type Base } from '../../src/core/transitions/rebase.ts';
import { transitionProblems } from '../../src/core/transitions/transitions.ts';
import {
  type History,
  historyArbitrary,
  type Step,
} from '../support/allocations/history-arbitrary.ts';
import { type Allocating, type Run, runsOf } from '../support/allocations/history-run.ts';
import { runs } from '../support/run/scope.ts';
import { type Seeded, seeded } from '../support/run/seeded.ts';

/** A run that went well, with the table that it made. */
type Ended = Omit<Run, 'outcome'> & { readonly table: AllocationTable };

/** What the random branches reached: a generator that reaches little proves little. */
const seen = { runs: 0, moves: 0, rebased: 0 };

/** The runs of a history, of which those from `cut` on are on a branch that knows its base. */
function branchOf(history: History, cut: number, random: Seeded | undefined) {
  let base: Base | undefined;
  let former: readonly Holder[] = [];
  const onBranch: Allocating = (step, { pools, holders, before, today }) => {
    if (step < cut) {
      const outcome = allocate(pools, holders, before, { today });
      if (outcome.ok) former = holders;
      return outcome;
    }
    base ??= { table: before, target: today };
    const outcome = allocateOnBase(pools, holders, before, { today, moves: [], base });
    if (outcome.ok && outcome.value.isRebased) seen.rebased += 1;
    if (!outcome.ok || !random?.chance(0.5)) return outcome;
    const movable = random.shuffled(holders.filter(({ pins }) => pins.length === 0)).slice(0, 1);
    const moves = movable.map((holder) => {
      return { holder: holder.id, families: holder.families, to: [], pool: undefined };
    });
    const moved = allocateOnBase(pools, holders, outcome.value.table, { today, moves, base });
    if (moved.ok) seen.moves += moves.length;
    return moved.ok ? moved : outcome;
  };
  const all = runsOf(history, onBranch).slice(cut);
  const ended = all.flatMap(({ outcome, ...run }): Ended[] =>
    outcome.ok ? [{ ...run, table: outcome.value.table }] : [],
  );
  return { base, former, ended };
}

const branchArbitrary = fc.tuple(historyArbitrary, fc.integer({ min: 1, max: 5 }));

test('the records of any branch are a valid change of its base, and the next run changes nothing', () => {
  fc.assert(
    fc.property(branchArbitrary, fc.nat(), ([history, cut], seed) => {
      const { base, former, ended } = branchOf(history, cut, seeded(seed));
      for (const { pools, holders, today, table } of ended) {
        if (!base) return;
        expect(
          transitionProblems(base.table, table, {
            day: today,
            target: base.target,
            longestRetention: 365,
            holders: new Map(holders.map((holder) => [holder.id, holder])),
            formerHolders: new Map(former.map((holder) => [holder.id, holder])),
          }),
        ).toEqual([]);
        for (const day of [today, addDays(today, 1)]) {
          const again = allocateOnBase(pools, holders, table, { today: day, moves: [], base });
          expect(again).toMatchObject({ ok: true, value: { changes: [], isRebased: false } });
          expect(again.ok && again.value.table).toEqual(table);
        }
        expect(allocate(pools, holders, table, { today: undefined })).toMatchObject({ ok: true });
        seen.runs += 1;
      }
    }),
    { seed: 8, numRuns: runs(1_500) },
  );
  expect(seen.runs).toBeGreaterThan(runs(1_000));
  expect(seen.moves).toBeGreaterThan(runs(300));
  expect(seen.rebased).toBeGreaterThan(runs(60));
});

/** What is another than in the base, without which address somebody got who had none. */
function wordOf(base: AllocationTable, table: AllocationTable): readonly string[] {
  return [...table]
    .flatMap(([text, { holder, since, retain, keepUntil, released, movedFrom }]) => {
      const before = base.get(text);
      const wasHeld = before !== undefined && isHeld(before);
      if (!wasHeld && released) return [];
      const place = wasHeld ? `${text} since ${since}` : 'an address';
      return [[place, released?.freeFrom, holder, retain, keepUntil, movedFrom].join(' ')];
    })
    .sort();
}

/** True when an address that is held in the base is released in the table. */
function isReleasedIn(base: AllocationTable, table: AllocationTable): boolean {
  return [...base].some(([text, record]) => isHeld(record) && table.get(text)?.released);
}

test('a branch without moves equals a single run on the base, except for days and addresses that were never live', () => {
  let compared = 0;
  fc.assert(
    fc.property(branchArbitrary, ([{ pools: first, steps }, cut]) => {
      // What somebody got before a pool was drained, or while it was kept for him, he has no more had it come later.
      const isTimeless = ({ kind }: Step) => kind !== 'days' && kind !== 'drain';
      const kept = steps.filter((step, number) => number < cut || isTimeless(step));
      const { base, ended } = branchOf({ pools: first, steps: kept }, cut, undefined);
      const last = ended.at(-1);
      if (!base || !last) return;
      const { pools, holders, today, table } = last;
      const atOnce = allocate(pools, holders, base.table, { today, moves: [] });
      if (!atOnce.ok) {
        // A run gives nobody an address that it releases. The branch had more runs.
        expect(atOnce.problems.map(({ code }) => code)).toEqual(
          atOnce.problems.map(() => 'POOL_EXHAUSTED'),
        );
        expect(ended.some((run) => isReleasedIn(base.table, run.table))).toBe(true);
        return;
      }
      expect(wordOf(base.table, table)).toEqual(wordOf(base.table, atOnce.value.table));
      compared += 1;
    }),
    { seed: 9, numRuns: runs(1_500) },
  );
  expect(compared).toBeGreaterThan(runs(500));
});
