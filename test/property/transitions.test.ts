// @module-tag counted

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Allocation, AllocationTable } from '../../src/core/model/allocation.ts';
import { addDays, type Day, laterDay } from '../../src/core/model/day.ts';
import { longestRetention } from '../../src/core/model/lease.ts';
import type { Pools } from '../../src/core/model/pools.ts';
import { formatAddress } from '../../src/core/net/address.ts';
import { prune } from '../../src/core/run/synth/prune.ts';
import {
  type TransitionContext,
  transitionProblems,
} from '../../src/core/transitions/transitions.ts';
import { historyArbitrary } from '../support/allocations/history-arbitrary.ts';
import { runsOf } from '../support/allocations/history-run.ts';
import { aDay } from '../support/allocations/tables.ts';
import { runs } from '../support/run/scope.ts';
import { seeded } from '../support/run/seeded.ts';

const seen = { transitions: 0, cheats: new Map<string, number>() };

test('every change by a run or a prune is accepted', () => {
  fc.assert(
    fc.property(historyArbitrary, (history) => {
      for (const { pools, before, today, outcome } of runsOf(history)) {
        if (!outcome.ok) continue;
        const { table } = outcome.value;
        const by = judgedOn(today, pools);
        expect(transitionProblems(before, table, by)).toEqual([]);
        expect(transitionProblems(table, prune(table, today).table, by)).toEqual([]);
        seen.transitions += 1;
      }
    }),
    { seed: 1, numRuns: runs(1_500) },
  );
  expect(seen.transitions).toBeGreaterThan(runs(5_000));
});

test('a change by hand after a run is refused', () => {
  fc.assert(
    fc.property(historyArbitrary, fc.nat(), (history, seed) => {
      const random = seeded(seed);
      for (const { pools, before, today, outcome } of runsOf(history)) {
        if (!outcome.ok) continue;
        const by = judgedOn(today, pools);
        const forged = random.shuffled(cheatsOn(before, outcome.value.table, today)).slice(0, 3);
        for (const { name, table } of forged) {
          const problems = transitionProblems(before, table, by);
          expect([name, problems.length]).toEqual([name, 1]);
          seen.cheats.set(name, (seen.cheats.get(name) ?? 0) + 1);
        }
      }
    }),
    { seed: 2, numRuns: runs(1_000) },
  );
  expect(Object.fromEntries(seen.cheats)).toEqual({
    'handed over': expect.any(Number),
    'record deleted': expect.any(Number),
    'since changed': expect.any(Number),
    'held from a day ahead': expect.any(Number),
    'released on a day ahead': expect.any(Number),
    'free too early': expect.any(Number),
    'released and free already': expect.any(Number),
    'kept for too long': expect.any(Number),
    'tombstone made longer': expect.any(Number),
    'held years before': expect.any(Number),
    invented: expect.any(Number),
    'promise dropped': expect.any(Number),
    'tombstone shortened': expect.any(Number),
    'tombstone deleted': expect.any(Number),
    'kept address handed over': expect.any(Number),
  });
  for (const [name, count] of seen.cheats) expect([name, count >= runs(20)]).toEqual([name, true]);
});

/** As strict as it gets: the table before is of the day of the run. */
function judgedOn(today: Day, pools: Pools): TransitionContext {
  const days = { day: today, target: today };
  return {
    ...days,
    longestRetention: longestOf(pools),
    formerHolders: new Map(),
    holders: new Map(),
  };
}

function longestOf({ pools }: Pools): number {
  return Math.max(longestRetention, ...pools.map(({ retentionDays }) => retentionDays));
}

interface Forged {
  readonly name: string;
  readonly table: AllocationTable;
}

/** Every cheat that can be played with the records of one run. */
function cheatsOn(before: AllocationTable, after: AllocationTable, today: Day): Forged[] {
  const forged = (name: string, record: Allocation, into: Partial<Allocation> | undefined) => {
    const table = new Map(after);
    const key = formatAddress(record.address);
    if (into) table.set(key, { ...record, ...into });
    else table.delete(key);
    return { name, table };
  };
  return [...after.values()].flatMap((record) => {
    const old = before.get(formatAddress(record.address));
    const ahead = addDays(today, 2);
    if (old) {
      return forgedRecord(old, record, today).map(([name, into]) => forged(name, record, into));
    }
    const released = { on: today, freeFrom: addDays(today, record.retain) };
    return [
      forged('held from a day ahead', record, { since: ahead }),
      ...(before.size > 0
        ? [
            forged('held years before', record, { since: aDay('2020-01-01') }),
            forged('invented', record, { released }),
          ]
        : []),
    ];
  });
}

/** True when a release on the day after which it is held would have freed it before the target's day. */
function isOver({ since, retain, keepUntil }: Allocation, target: Day): boolean {
  const freeFrom = laterDay(addDays(since, retain), keepUntil);
  return freeFrom > since && freeFrom <= target && addDays(since, 1) < target;
}

type Cheat = readonly [name: string, into: Partial<Allocation> | undefined];

function releasedAtOnce({ since: on, retain, keepUntil }: Allocation): Partial<Allocation> {
  const freeFrom = laterDay(addDays(on, retain), keepUntil);
  return { retain, keepUntil: undefined, released: { on, freeFrom } };
}

function forgedRecord(old: Allocation, record: Allocation, today: Day): Cheat[] {
  const earlier = aDay('2026-01-01');
  const thief = 'default/akash/thief';
  const later = addDays(today, 2);
  if (!old.released) {
    const heldOn = record.released ? [] : [['since changed', { since: earlier }] as const];
    return [
      ['handed over', { holder: thief, since: today, released: undefined }],
      ['record deleted', undefined],
      ...heldOn,
      ['released on a day ahead', { released: { on: later, freeFrom: addDays(later, 365) } }],
      ...(record.released
        ? []
        : [['kept for too long', { keepUntil: addDays(today, 500) }] as const]),
      ...(isOver(old, today) ? [['released and free already', releasedAtOnce(old)] as const] : []),
      ...(old.retain > 0
        ? ([
            ['free too early', { retain: 0, released: { on: today, freeFrom: today } }],
            [
              'promise dropped',
              { since: old.since, retain: 0, keepUntil: undefined, released: undefined },
            ],
          ] as const)
        : []),
    ];
  }
  const { on, freeFrom } = old.released;
  if (freeFrom <= today || record.holder !== old.holder || !record.released) return [];
  return [
    ['tombstone shortened', { released: { on, freeFrom: today } }],
    ['tombstone made longer', { released: { on, freeFrom: addDays(freeFrom, 1) } }],
    ['tombstone deleted', undefined],
    ['kept address handed over', { holder: thief, since: today, released: undefined }],
  ];
}
