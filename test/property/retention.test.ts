// @module-tag counted

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Allocation, AllocationTable } from '../../src/core/model/allocation.ts';
import type { Day } from '../../src/core/model/day.ts';
import { prune } from '../../src/core/run/synth/prune.ts';
import { type Allocating, codesOf, tableAfter } from '../support/allocations/allocation-run.ts';
import { daysAfter } from '../support/allocations/naive-rules.ts';
import { aDay, type ClaimWords, poolsWith, poolWith } from '../support/allocations/tables.ts';
import { runs } from '../support/run/scope.ts';

/** The last day of a month, by the platform's calendar. */
function monthEnd(year: number, month: number): Day {
  return aDay(new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10));
}

const year = fc.integer({ min: 1999, max: 2101 });

/** Days of 1999 to 2101: every second one close to the end of a month, of February or of a year. */
const dayArbitrary: fc.Arbitrary<Day> = fc.oneof(
  fc.integer({ min: 0, max: 37_500 }).map((count) => aDay(daysAfter('1999-01-01', count))),
  fc
    .tuple(year, fc.constantFrom(1, 2, 2, 2, 4, 6, 8, 11, 12, 12), fc.integer({ min: -31, max: 2 }))
    .map(([of, month, offset]) => aDay(daysAfter(monthEnd(of, month), offset))),
  fc
    .tuple(fc.constantFrom(2000, 2024, 2028, 2096, 2100, 2001), fc.integer({ min: -31, max: 1 }))
    .map(([of, offset]) => aDay(daysAfter(monthEnd(of, 2), offset))),
);

/**
 * Retention is kept to the day, whatever the calendar does, and whatever zone the process is in. There is one address
 * in the pool, so that who gets it and when shows everything. The expected days are the platform's, by UTC.
 */

const days = fc.integer({ min: 0, max: 30 });
const address = '203.0.113.9';
const ann = { name: 'ann' };
const bob = { name: 'bob' };

/** Minutes by which a zone of the process is behind UTC on the first of January 2026. */
const zones: readonly (readonly [zone: string, behind: number])[] = [
  ['UTC', 0],
  ['Pacific/Kiritimati', -840],
  ['America/Los_Angeles', 480],
  ['Europe/Istanbul', -180],
];

describe.each(zones)('with TZ=%s', (zone, behind) => {
  const own = process.env.TZ;
  beforeEach(() => {
    process.env.TZ = zone;
    expect(new Date(2026, 0, 1).getTimezoneOffset()).toBe(behind);
  });
  afterEach(() => {
    if (own === undefined) delete process.env.TZ;
    else process.env.TZ = own;
  });

  test('a released address is given to another holder after its retention, and not before', () => {
    fc.assert(
      fc.property(dayArbitrary, days, days, (start, retain, retentionDays) => {
        const pools = onePool(retentionDays);
        const kept = Math.max(retain, retentionDays);
        const gone = ended(pools, start, { ...ann, retain });
        const free = later(start, kept);
        expect(recordOf(gone)).toMatchObject({ released: { on: start, freeFrom: free } });
        if (kept > 0) {
          const before = later(start, kept - 1);
          expect(codesOf({ pools, claims: [bob], table: gone, today: before })).toEqual([
            'POOL_EXHAUSTED',
          ]);
          expect(prune(gone, before).changes).toEqual([]);
        }
        expect(
          recordOf(tableAfter({ pools, claims: [bob], table: gone, today: free })),
        ).toMatchObject({ holder: 'default/akash/bob', since: free });
        expect(prune(gone, free).table.size).toBe(0);
      }),
      { seed: 1, numRuns: runs(1_000) },
    );
  });

  test('its holder gets it back on every day before and after, and its retention is not shorter', () => {
    fc.assert(
      fc.property(dayArbitrary, days, days, (start, retain, again) => {
        const pools = onePool(0);
        const gone = ended(pools, start, { ...ann, retain });
        const free = later(start, retain);
        for (let count = 0; count < retain + 2; count += 1) {
          const today = later(start, count);
          const claims = [{ ...ann, retain: again }];
          const back = tableAfter({ pools, claims, table: gone, today });
          expect(recordOf(back)).toMatchObject({ holder: 'default/akash/ann', since: today });
          const left = tableAfter({ pools, table: back, today });
          const [until] = [free, later(today, again)].sort().reverse();
          expect(recordOf(left).released).toEqual({ on: today, freeFrom: until });
        }
      }),
      { seed: 2, numRuns: runs(200) },
    );
  });

  test('the first day of release counts: no later run moves it', () => {
    fc.assert(
      fc.property(dayArbitrary, days, fc.array(days, { maxLength: 4 }), (start, retain, pauses) => {
        const pools = onePool(1);
        const gone = ended(pools, start, { ...ann, retain });
        let table = gone;
        let today = start;
        for (const pause of pauses) {
          today = later(today, pause);
          table = tableAfter({ pools, table, today });
        }
        expect(table).toEqual(gone);
      }),
      { seed: 3, numRuns: runs(500) },
    );
  });

  test('a shared address lives until the last day of the retention of any of its claims', () => {
    const claim = fc.record({ retain: days, leaves: fc.integer({ min: 0, max: 40 }) });
    fc.assert(
      fc.property(
        dayArbitrary,
        fc.array(claim, { minLength: 2, maxLength: 4 }),
        (start, claims) => {
          const pools = onePool(0);
          const table = leaving(pools, start, claims);
          const promised = claims.map(({ retain, leaves }) => later(start, leaves + retain));
          const last = promised.sort().at(-1) ?? start;
          expect(recordOf(table).released?.freeFrom).toBe(last);
          const taken = { pools, claims: [bob], table };
          const end = Math.max(...claims.map(({ leaves }) => leaves));
          if (last > later(start, end)) {
            expect(codesOf({ ...taken, today: dayBefore(last) })).toEqual(['POOL_EXHAUSTED']);
          }
          expect(recordOf(tableAfter({ ...taken, today: last })).holder).toBe('default/akash/bob');
        },
      ),
      { seed: 4, numRuns: runs(500) },
    );
  });
});

function onePool(retentionDays: number): Allocating['pools'] {
  return poolsWith(poolWith({ addresses: [address], retentionDays }));
}

/** What is recorded once somebody has had the address for a day and left it. */
function ended(pools: Allocating['pools'], today: Day, claim: ClaimWords): AllocationTable {
  return tableAfter({
    pools,
    table: tableAfter({ pools, claims: [claim], today: dayBefore(today) }),
    today,
  });
}

interface Leaving {
  readonly retain: number;
  /** Days after the first one. */
  readonly leaves: number;
}

/** What is recorded once each of the claims on one address has left on its day. */
function leaving(
  pools: Allocating['pools'],
  start: Day,
  claims: readonly Leaving[],
): AllocationTable {
  const words = claims.map(({ retain }, index) => ({ ...ann, port: 80 + index, retain }));
  let table = tableAfter({ pools, claims: words, today: start });
  for (const count of [...new Set(claims.map(({ leaves }) => leaves))].sort((l, r) => l - r)) {
    const stay = words.filter((_, index) => (claims[index]?.leaves ?? 0) > count);
    table = tableAfter({ pools, claims: stay, table, today: later(start, count) });
  }
  return table;
}

function recordOf(table: AllocationTable): Allocation {
  const record = table.get(address);
  if (!record) throw new Error('the address has no record');
  return record;
}

function later(day: Day, count: number): Day {
  return aDay(daysAfter(day, count));
}

function dayBefore(day: Day): Day {
  return later(day, -1);
}
