import fc from 'fast-check';
import type { Day } from '../../../src/model/day.ts';
import { daysAfter } from './naive-rules.ts';
import { aDay } from './tables.ts';

/** The last day of a month, by the platform's calendar. */
function monthEnd(year: number, month: number): Day {
  return aDay(new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10));
}

const year = fc.integer({ min: 1999, max: 2101 });

/** Days of 1999 to 2101: every second one close to the end of a month, of February or of a year. */
export const dayArbitrary: fc.Arbitrary<Day> = fc.oneof(
  fc.integer({ min: 0, max: 37_500 }).map((count) => aDay(daysAfter('1999-01-01', count))),
  fc
    .tuple(year, fc.constantFrom(1, 2, 2, 2, 4, 6, 8, 11, 12, 12), fc.integer({ min: -31, max: 2 }))
    .map(([of, month, offset]) => aDay(daysAfter(monthEnd(of, month), offset))),
  fc
    .tuple(fc.constantFrom(2000, 2024, 2028, 2096, 2100, 2001), fc.integer({ min: -31, max: 1 }))
    .map(([of, offset]) => aDay(daysAfter(monthEnd(of, 2), offset))),
);
