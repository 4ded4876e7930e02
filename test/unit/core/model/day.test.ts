import { describe, expect, test } from 'vitest';
import {
  addDays,
  dayBefore,
  daysBetween,
  laterDay,
  parseDay,
} from '../../../../src/core/model/day.ts';
import { aDay } from '../../../support/allocations/tables.ts';

/** Every day from 1970 to 2105, by the platform's calendar. */
const calendar = Array.from({ length: 49_500 }, (_, index) =>
  new Date(index * 86_400_000).toISOString().slice(0, 10),
);

test('every day of the calendar is read as it is', () => {
  expect(calendar.filter((text) => parseDay(text) !== text)).toEqual([]);
});

test('exactly the days of the calendar are days', () => {
  const known = new Set(calendar);
  const wrong: string[] = [];
  for (const year of [1970, 1999, 2000, 2001, 2004, 2024, 2026, 2100]) {
    for (let month = 0; month < 14; month += 1) {
      for (let day = 0; day < 33; day += 1) {
        const text = [year, month, day].map((part) => String(part).padStart(2, '0')).join('-');
        if ((parseDay(text) !== undefined) !== known.has(text)) wrong.push(text);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test.each([
  '',
  '2026-1-01',
  '2026-01-1',
  '26-01-01',
  '02026-01-01',
  '2026/01/01',
  '2026-01-01 ',
  ' 2026-01-01',
  '2026-01-01\n',
  '2026-01-01T00:00:00Z',
  '２026-01-01',
  '-2026-01-01',
  '1969-12-31',
])('parseDay refuses %j', (text) => {
  expect(parseDay(text)).toBeUndefined();
});

describe('addDays', () => {
  test('takes a negative count, down to 1970', () => {
    expect(addDays(aDay('2028-03-01'), -1)).toBe('2028-02-29');
    expect(addDays(aDay('2026-01-10'), -31)).toBe('2025-12-10');
    expect(addDays(aDay('1970-01-02'), -5)).toBe('1970-01-01');
  });

  test('is a step in the calendar, however long', () => {
    const wrong: string[] = [];
    for (const count of [0, 1, 2, 28, 29, 30, 31, 59, 365, 366, 1461, 36_524]) {
      for (let index = 0; index + count < calendar.length; index += 7) {
        const start = calendar[index] ?? '';
        if (addDays(aDay(start), count) !== calendar[index + count])
          wrong.push(`${start}+${count}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

test('dayBefore is the day before, but for the first of all', () => {
  const days = calendar.map((text) => dayBefore(aDay(text)));
  expect(days).toEqual(['1970-01-01', ...calendar.slice(0, -1)]);
});

test('laterDay returns the later of two days, and the first if there is no second', () => {
  const [early, late] = [aDay('2026-09-30'), aDay('2026-10-01')];
  expect(laterDay(early, late)).toBe(late);
  expect(laterDay(late, early)).toBe(late);
  expect(laterDay(early, undefined)).toBe(early);
});

test('the days between two days are counted to and fro', () => {
  const start = aDay('1999-12-31');
  const first = calendar.indexOf(start);
  const counted = calendar.map((text) => daysBetween(start, aDay(text)));
  expect(counted).toEqual(calendar.map((_, index) => index - first));
});
