import { expect, test } from 'vitest';
import { earliestDay, retentionForged } from '../../../src/transitions/days.ts';
import { aDay, aRecord, aTable } from '../../support/allocations/tables.ts';

test('earliestDay is the day before the commit, or before the newest recorded day', () => {
  const day = aDay('2026-03-01');
  expect(earliestDay(new Map(), day)).toBe('2026-02-28');
  const released = ['2026-03-05', '2026-03-10'] as const;
  expect(earliestDay(aTable(['203.0.113.7', { released }]), day)).toBe('2026-03-04');
  expect(earliestDay(aTable(['203.0.113.7', { since: '2026-03-03' }]), day)).toBe('2026-03-02');
  expect(earliestDay(aTable(['203.0.113.7', { since: '2026-01-03' }]), day)).toBe('2026-02-28');
});

test('a release keeps a longer retention of before', () => {
  const [day, earliest, target] = ['2026-03-10', '2026-03-09', '2026-03-10'].map(aDay);
  const by = {
    day: day!,
    earliest: earliest!,
    target: target!,
    longestRetention: 90,
    isLeft: false,
  };
  const before = aRecord('203.0.113.7', { retain: 2, keepUntil: '2026-03-30' });
  const releasedUntil = (freeFrom: string) =>
    aRecord('203.0.113.7', { retain: 2, released: ['2026-03-10', freeFrom] });
  expect(retentionForged(before, releasedUntil('2026-03-30'), by)).toBeUndefined();
  expect(retentionForged(before, releasedUntil('2026-03-29'), by)).toBe(
    'must be kept for default/akash/alice until 2026-03-30 at least, and is kept until 2026-03-29',
  );
});
