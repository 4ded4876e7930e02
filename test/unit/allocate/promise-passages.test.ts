import { expect, test } from 'vitest';
import { earliestDay } from '../../../src/allocate/promise-passages.ts';
import { aDay, aTable } from '../../support/allocation-builders.ts';

test('no run is from more than a day before the commit, or before what is recorded', () => {
  const day = aDay('2026-03-01');
  expect(earliestDay(new Map(), day)).toBe('2026-02-28');
  const released = ['2026-03-05', '2026-03-10'] as const;
  expect(earliestDay(aTable(['203.0.113.7', { released }]), day)).toBe('2026-03-04');
  expect(earliestDay(aTable(['203.0.113.7', { since: '2026-03-03' }]), day)).toBe('2026-03-02');
  expect(earliestDay(aTable(['203.0.113.7', { since: '2026-01-03' }]), day)).toBe('2026-02-28');
});
