import { describe, expect, test } from 'vitest';
import type { HistoryPeriod } from '../../../../src/features/ask/history/address-history-answer.ts';
import type { WorkspaceSnapshot } from '../../../../src/features/ask/workspace-snapshot.ts';
import { pictureOf, picturePast } from '../../../../src/features/picture/picture.ts';
import { aHostnameRecord, hostnameTableOf } from '../../../support/allocations/hostname-records.ts';
import { aDay } from '../../../support/allocations/tables.ts';
import { thePools } from '../../../support/declarations/pools-and-claims.ts';
import { noHostnames } from '../../../support/trees/workspace-snapshot.ts';

function period(year: number, commit: string): HistoryPeriod {
  const at = `${year}-01-02T10:00:00Z`;
  const begun = { event: 'given', at, commit, author: 'Ann', subject: 'Lease' } as const;
  return { state: 'held', holder: `holder-of-${year}`, from: at, begun, changes: [] };
}

const histories = new Map([
  ['203.0.113.1', [period(2024, 'b'), period(2026, 'd')]],
  ['203.0.113.2', [period(2023, 'a'), period(2025, 'c')]],
  ['203.0.113.3', [period(2022, 'e')]],
]);

describe('picturePast', () => {
  test('has every period, and each commit once', () => {
    const past = picturePast(histories, false);
    expect(past).not.toHaveProperty('left');
    expect(past.addresses.map(({ periods }) => periods.length)).toEqual([2, 2, 1]);
    for (const { periods } of past.addresses) {
      for (const { holder, by } of periods) {
        expect(holder).toBe(`holder-of-${past.commits[by]?.at.slice(0, 4)}`);
      }
    }
  });

  test('omits and counts the oldest periods above the size limit, with their commits', () => {
    const whole = JSON.stringify(picturePast(histories, false)).length;
    const past = picturePast(histories, false, whole / 2);
    const left = past.left ?? 0;
    const holders = past.addresses.flatMap(({ periods }) => periods.map(({ holder }) => holder));
    expect(left).toBeGreaterThan(0);
    expect(holders.length + left).toBe(5);
    expect(holders).toContain('holder-of-2026');
    expect(holders).not.toContain('holder-of-2022');
    expect(past.commits.length).toBe(holders.length);
    expect(JSON.stringify(past).length).toBeLessThan(whole);
  });

  test('can omit every period', () => {
    expect(picturePast(histories, true, 0)).toEqual({
      shallow: true,
      left: 5,
      commits: [],
      addresses: [],
    });
  });
});

describe('pictureOf', () => {
  const empty: WorkspaceSnapshot = {
    ...noHostnames,
    pools: thePools({}),
    table: new Map(),
    claims: new Map(),
    promises: new Map(),
    problems: [],
  };
  const hostnameTable = hostnameTableOf(
    aHostnameRecord('shop.example.com'),
    aHostnameRecord('www.example.com', { released: ['2026-11-20', '2026-11-27'] }),
  );
  const named = { ...empty, hostnameTable };

  test.each([
    ['2026-11-21', ['shop.example.com', 'www.example.com']],
    ['2026-11-27', ['shop.example.com']],
  ] as const)('on %s has the hostnames that are held or kept then', (day, expected) => {
    const { hostnames } = pictureOf(named, { revision: {}, day: aDay(day) });
    expect(hostnames?.map(({ hostname }) => hostname)).toEqual(expected);
  });

  test('has no list of hostnames when there are none', () => {
    const picture = pictureOf(empty, { revision: {}, day: aDay('2026-11-21') });
    expect(picture).not.toHaveProperty('hostnames');
  });
});
