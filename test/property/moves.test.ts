// @module-tag counted

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allocate } from '../../src/core/allocate/allocate.ts';
import { type Allocation, type AllocationTable, isHeld } from '../../src/core/model/allocation.ts';
import { addDays } from '../../src/core/model/day.ts';
import { type Address, formatAddress } from '../../src/core/net/address.ts';
import { type AddressRange, rangeHas } from '../../src/core/net/range.ts';
import { transitionProblems } from '../../src/core/transitions/transitions.ts';
import { historyArbitrary } from '../support/allocations/history-arbitrary.ts';
import { type Run, runsOf } from '../support/allocations/history-run.ts';
import { runs } from '../support/run/scope.ts';
import { seeded } from '../support/run/seeded.ts';

const seen = { moved: 0, refused: new Map<string, number>() };

/** Moves one holder of a run that went well, whose address no declaration pins. */
function moveIn({ pools, holders, today }: Run, table: AllocationTable, choice: number) {
  const movable = holders.filter(({ pins }) => pins.length === 0);
  const holder = movable[choice % Math.max(1, movable.length)];
  if (!holder) return;
  const held = [...table.values()].filter((one) => one.holder === holder.id && isHeld(one));
  // Half of the moves leave the sixteen addresses around each of their own.
  const outOf = choice % 2 === 0 ? [] : held.map(({ address }) => around(address));
  const move = { holder: holder.id, families: holder.families, to: [], pool: undefined, outOf };
  const outcome = allocate(pools, holders, table, { today, moves: [move] });
  if (!outcome.ok) {
    for (const { code } of outcome.problems) {
      seen.refused.set(code, (seen.refused.get(code) ?? 0) + 1);
    }
    return;
  }
  const after = outcome.value.table;
  for (const [address, record] of table)
    expectPassage(after, { address, record }, { holder: holder.id, today });
  const own = [...after.values()].filter((one) => one.holder === holder.id && isHeld(one));
  expect(own.map(({ address }) => address.family).sort()).toEqual([...holder.families].sort());
  for (const record of own) {
    expect(record.since).toBe(today);
    expect(outOf.some((range) => rangeHas(range, record.address))).toBe(false);
    const from = record.movedFrom && table.get(formatAddress(record.movedFrom));
    expect([from?.holder, from && isHeld(from)]).toEqual([holder.id, true]);
  }
  const holdersById = new Map(holders.map((one) => [one.id, one]));
  const by = {
    day: today,
    target: today,
    longestRetention: 365,
    formerHolders: new Map(),
    holders: holdersById,
  };
  expect(transitionProblems(table, after, by)).toEqual([]);
  expect(allocate(pools, holders, after, { today: undefined })).toMatchObject({ ok: true });
  expect(allocate(pools, holders, after, { today })).toMatchObject({
    ok: true,
    value: { changes: [] },
  });
  seen.moved += 1;
}

function around({ family, value }: Address): AddressRange {
  const first = value - (value % 16n);
  return { from: { family, value: first }, to: { family, value: first + 15n } };
}

/** An address of the mover is kept as promised, and for a day at least; every other one is as it was. */
function expectPassage(
  after: AllocationTable,
  { address, record }: { readonly address: string; readonly record: Allocation },
  { holder, today }: { readonly holder: string; readonly today: Run['today'] },
): void {
  const now = after.get(address);
  if (record.holder === holder && isHeld(record)) {
    const freeFrom = now?.released?.freeFrom ?? '';
    const promised = [addDays(today, 1), addDays(today, record.retain), record.keepUntil ?? ''];
    expect([now?.holder, freeFrom]).toEqual([holder, promised.sort().at(-1)]);
  } else if (isHeld(record)) expect(now).toEqual(record);
}

test('a move moves one holder, keeps every promise, and is recorded', () => {
  fc.assert(
    fc.property(historyArbitrary, fc.nat(), (history, seed) => {
      const random = seeded(seed);
      const choices = random.shuffled(Array.from({ length: 64 }, (_, index) => index));
      runsOf(history).forEach((run, index) => {
        if (run.outcome.ok) moveIn(run, run.outcome.value.table, choices[index % 64] ?? 0);
      });
    }),
    { seed: 5, numRuns: runs(400) },
  );
  expect(seen.moved).toBeGreaterThan(runs(400));
  expect([...seen.refused.keys()].sort()).toEqual(['POOL_DRAINING', 'POOL_EXHAUSTED']);
});
