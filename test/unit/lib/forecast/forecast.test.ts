import { describe, expect, test } from 'vitest';
import { addDays } from '../../../../src/core/model/day.ts';
import { decimalOf, forecastsOf, growthPerDay } from '../../../../src/lib/forecast/forecast.ts';
import type { FamilyForecast } from '../../../../src/lib/forecast/forecast-answer.ts';
import type { Ledger } from '../../../../src/lib/history/address-history.ts';
import type { HistoryPeriod } from '../../../../src/lib/history/address-history-answer.ts';
import { aDay, aTable, poolsWith, poolWith } from '../../../support/allocations/tables.ts';
import { noHostnames } from '../../../support/trees/workspace-snapshot.ts';

const begun = { event: 'given', at: '', commit: '', author: '', subject: '' } as const;

/** A period in which an address was held, or, with `freeFrom`, released. */
function period(from: string, until?: string, freeFrom?: string): HistoryPeriod {
  return {
    state: freeFrom === undefined ? 'held' : 'released',
    from: `${from}T10:00:00Z`,
    ...(until === undefined ? {} : { until: `${until}T10:00:00Z` }),
    ...(freeFrom === undefined ? {} : { freeFrom }),
    begun,
    changes: [],
  };
}

function ledgerWith(histories: Readonly<Record<string, readonly HistoryPeriod[]>>): Ledger {
  const at = '2026-03-01T10:00:00Z';
  return {
    ref: 'main',
    commit: 'a',
    at,
    shallow: false,
    histories: new Map(Object.entries(histories)),
    hostnameHistories: new Map(),
    poolVersions: [],
  };
}

/** The forecast for a /28 with `held` addresses in the tree. */
function forecast(
  histories: Readonly<Record<string, readonly HistoryPeriod[]>>,
  day: string,
  held: readonly string[] = Object.keys(histories),
): FamilyForecast {
  const pools = poolsWith(poolWith());
  const table = aTable(...held.map((address) => [address, { name: address }] as const));
  const snapshot = {
    pools,
    table,
    claims: new Map(),
    promises: new Map(),
    ...noHostnames,
    problems: [],
  };
  const [item] = forecastsOf(snapshot, ledgerWith(histories), aDay(day)).items;
  if (!item) throw new Error('there is no forecast');
  return item;
}

/** One new address per day from March 1. */
const daily = Object.fromEntries(
  ['01', '02', '03', '04', '05', '06', '07', '08'].map((day) => [
    `203.0.113.${Number(day)}`,
    [period(`2026-03-${day}`)],
  ]),
);

describe('forecastsOf', () => {
  test('counts held and retained addresses at the end of each day', () => {
    const { points } = forecast(
      {
        '203.0.113.1': [
          period('2026-01-02', '2026-01-10'),
          period('2026-01-10', '2026-02-01', '2026-01-17'),
          period('2026-02-01'),
        ],
        '203.0.113.2': [
          period('2026-01-10', '2026-01-12'),
          period('2026-01-12', undefined, '2026-03-01'),
        ],
        // Allocated and pruned on one day, and in no pool.
        '203.0.113.3': [
          period('2026-01-05', '2026-01-05'),
          { ...period('2026-01-05'), state: 'none' },
        ],
        '198.51.100.1': [period('2026-01-03')],
      },
      '2026-02-10',
    );
    expect(points).toEqual([
      { day: '2026-01-02', held: '1', retained: '0' },
      { day: '2026-01-10', held: '1', retained: '1' },
      { day: '2026-01-12', held: '0', retained: '2' },
      { day: '2026-01-17', held: '0', retained: '1' },
      { day: '2026-02-01', held: '1', retained: '1' },
    ]);
  });

  test('returns the day of exhaustion at constant growth', () => {
    const { points, ...rest } = forecast(daily, '2026-03-08');
    expect(points).toHaveLength(8);
    expect(rest).toEqual({
      pool: 'default',
      zone: 'inet',
      family: 'ipv4',
      free: '8',
      window: { from: '2026-03-01', to: '2026-03-08' },
      growth: '1.000',
      outlook: 'exhausts',
      exhausted: '2026-03-16',
    });
  });

  test('measures growth over at most 90 days', () => {
    const old = { '203.0.113.9': [period('2025-06-01')] };
    const { window, growth, outlook } = forecast({ ...daily, ...old }, '2026-06-30');
    expect([window, growth, outlook]).toEqual([
      { from: '2026-04-02', to: '2026-06-30' },
      undefined,
      'unknown',
    ]);
  });

  test('measures growth after the last import', () => {
    const imported = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`203.0.113.${index + 4}`, [period('2026-03-02')]]),
    );
    const slow = Object.fromEntries(
      ['2026-02-20', '2026-03-10', '2026-03-20', '2026-03-30'].map((day, index) => [
        `203.0.113.${index}`,
        [period(day)],
      ]),
    );
    expect(forecast({ ...slow, ...imported }, '2026-03-31')).toMatchObject({
      window: { from: '2026-03-02', to: '2026-03-31' },
      growth: '0.100',
      outlook: 'exhausts',
    });
    const early = forecast({ ...slow, ...imported }, '2026-03-05');
    expect(early.reason).toMatch(/^4 days of history with 1 change since a jump in one/);
  });

  test.each([
    [7, 3, '2026-02-01'],
    [8, 3, '2026-03-10'],
    [8, 24, '2026-03-10'],
    [8, 25, '2026-02-01'],
  ])(
    'measures from the right day with %i addresses in one day and %i other changes: %s',
    (count, others, from) => {
      const come = Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `203.0.113.${index + 1}`,
          [period('2026-03-10')],
        ]),
      );
      const comesAndGoes = Array.from({ length: others + 1 }, (_, index) => ({
        ...period(addDays(aDay('2026-02-01'), index)),
        state: index % 2 === 0 ? ('held' as const) : ('none' as const),
      }));
      const { window } = forecast({ '203.0.113.0': comesAndGoes, ...come }, '2026-03-31');
      expect(window).toEqual({ from, to: '2026-03-31' });
    },
  );

  test('is unknown in a shallow clone, with a hint to fetch older commits', () => {
    const snapshot = {
      pools: poolsWith(poolWith()),
      table: aTable(),
      claims: new Map(),
      promises: new Map(),
      ...noHostnames,
      problems: [],
    };
    const shallow = { ...ledgerWith(daily), shallow: true };
    const [item] = forecastsOf(snapshot, shallow, aDay('2026-03-08')).items;
    expect(item).toMatchObject({
      outlook: 'unknown',
      reason: expect.stringMatching(/git fetch --unshallow/),
    });
    expect(item).not.toHaveProperty('growth');
  });

  test('is unknown with little history, and the reason names its length', () => {
    expect(forecast({}, '2026-03-08')).toMatchObject({
      outlook: 'unknown',
      reason: 'nothing was ever allocated',
      points: [],
    });
    expect(forecast(daily, '2026-03-06')).toMatchObject({
      outlook: 'unknown',
      reason: '6 days of history with 6 changes; a forecast needs 7 days with 3',
    });
    const one = { '203.0.113.1': [period('2026-01-01')] };
    expect(forecast(one, '2026-03-06').reason).toMatch(/^65 days of history with 1 change;/);
  });

  test('has no day of exhaustion when use shrinks', () => {
    const shrinking = Object.fromEntries(
      Object.keys(daily).map((address, index) => {
        const end = `2026-03-0${index + 1}`;
        return [address, [period('2026-02-01', end), { ...period(end), state: 'none' as const }]];
      }),
    );
    expect(forecast(shrinking, '2026-03-08')).toMatchObject({
      outlook: 'lasts',
      reason: 'use does not grow',
    });
  });

  test('lasts for a draining pool, whatever its growth', () => {
    const pools = poolsWith({ ...poolWith(), state: 'draining' });
    const snapshot = {
      pools,
      table: aTable(),
      claims: new Map(),
      promises: new Map(),
      ...noHostnames,
      problems: [],
    };
    const [item] = forecastsOf(snapshot, ledgerWith(daily), aDay('2026-03-08')).items;
    expect(item).toMatchObject({
      outlook: 'lasts',
      reason: 'the pool is draining and makes no new allocations',
    });
    expect(item).not.toHaveProperty('exhausted');
    expect(item?.points).toHaveLength(8);
  });

  test('handles a leap day, and a clock behind the first allocation', () => {
    const leap = Object.fromEntries(
      ['2028-02-25', '2028-02-27', '2028-02-29', '2028-03-02'].map((day, index) => [
        `203.0.113.${index}`,
        [period(day)],
      ]),
    );
    expect(forecast(leap, '2028-03-03')).toMatchObject({
      window: { from: '2028-02-25', to: '2028-03-03' },
      growth: '0.476',
      exhausted: '2028-03-29',
    });
    expect(forecast(leap, '2028-02-24')).toMatchObject({ points: [], outlook: 'unknown' });
  });

  test('is exhausted when nothing is free in the tree', () => {
    const all = Array.from({ length: 16 }, (_, index) => `203.0.113.${index}`);
    expect(forecast(daily, '2026-03-08', all)).toMatchObject({ free: '0', outlook: 'exhausted' });
    expect(forecast({}, '2026-03-08', all)).toMatchObject({ free: '0', outlook: 'exhausted' });
  });

  test('accepts commit dates that go backwards', () => {
    const { points } = forecast(
      {
        '203.0.113.1': [
          period('2026-01-05', '2026-01-03'),
          { ...period('2026-01-03'), state: 'none' },
        ],
      },
      '2026-02-10',
    );
    expect(points).toEqual([]);
  });
});

describe('growthPerDay', () => {
  test.each([
    [[], '0.000'],
    [[5], '0.000'],
    [[5, 5, 5], '0.000'],
    [[0, 1, 2, 3], '1.000'],
    [[3, 2, 1, 0], '-1.000'],
    [[0, 0, 1], '0.500'],
    // Numpy's polyfit([0..5], [0, 4, 3, 9, 7, 20], 1) returns 3.2857….
    [[0, 4, 3, 9, 7, 20], '3.286'],
  ])('of %j is the slope of the least-squares line', (counts, growth) => {
    expect(decimalOf(growthPerDay(counts), 3)).toBe(growth);
  });

  test.each([
    [1n, 8n, '0.13'],
    [-1n, 8n, '-0.13'],
    [1n, 3n, '0.33'],
    [-1n, 1000n, '0.00'],
    [1999n, 1000n, '2.00'],
    [12345n, 1n, '12345.00'],
  ])('formats %i / %i as %s', (over, under, text) => {
    expect(decimalOf({ over, under }, 2)).toBe(text);
  });
});
