import { expect, test } from 'vitest';
import { dateAhead, dateBehind, retentionForged } from '../../../../src/core/transitions/days.ts';
import { aDay, aRecord } from '../../../support/allocations/tables.ts';

const by = {
  day: aDay('2026-03-10'),
  target: aDay('2026-03-10'),
  longestRetention: 90,
  endsSharing: false,
};

test('a lease and a release may be a year older than the target', () => {
  const since = (day: string) => dateBehind(undefined, aRecord('203.0.113.7', { since: day }), by);
  expect(since('2025-03-10')).toBeUndefined();
  expect(since('2025-03-09')).toBe(
    'is held since 2025-03-09, more than 365 days before 2026-03-10',
  );
  const before = aRecord('203.0.113.7');
  const released = (on: string, freeFrom: string) =>
    dateBehind(before, aRecord('203.0.113.7', { released: [on, freeFrom] }), by);
  expect(released('2025-03-10', '2026-03-11')).toBeUndefined();
  expect(released('2025-03-09', '2026-03-11')).toBe(
    'was released on 2025-03-09, more than 365 days before 2026-03-10',
  );
});

test('a retention that has ended on the day of the target is too old, with a day for clock skew', () => {
  const before = aRecord('203.0.113.7', { retain: 2 });
  const released = (on: string, freeFrom: string) =>
    dateBehind(before, aRecord('203.0.113.7', { retain: 2, released: [on, freeFrom] }), by);
  expect(released('2026-03-09', '2026-03-10')).toBeUndefined();
  expect(released('2026-03-09', '2026-03-11')).toBeUndefined();
  expect(released('2026-03-08', '2026-03-10')).toBe(
    'was released on 2026-03-08, and its retention until 2026-03-10 is over on 2026-03-10, before the merge',
  );
});

test('a shorter retention of a held address counts from the target, less a day', () => {
  const before = aRecord('203.0.113.7', { retain: 14 });
  const shortened = (keepUntil: string) =>
    dateBehind(before, aRecord('203.0.113.7', { retain: 0, keepUntil }), by);
  expect(shortened('2026-03-23')).toBeUndefined();
  expect(shortened('2026-03-22')).toBe(
    'is kept until 2026-03-22, and its retention for default/akash/alice is 14 days from 2026-03-10 on',
  );
});

test('the day of clock skew is not one of a retention', () => {
  const before = aRecord('203.0.113.7', { released: ['2026-03-01', '2026-03-11'] });
  const given = (name: string, day: string) =>
    dateAhead(aRecord('203.0.113.7', { name, since: '2026-03-11' }), before, {
      ...by,
      day: aDay(day),
    });
  expect(given('bob', '2026-03-11')).toBeUndefined();
  expect(given('bob', '2026-03-10')).toBe(
    'is held since 2026-03-11; it is free for others from 2026-03-11 on, and the commit is of 2026-03-10',
  );
  expect(given('alice', '2026-03-10')).toBeUndefined();
});

test('a release keeps a longer retention of before', () => {
  const before = aRecord('203.0.113.7', { retain: 2, keepUntil: '2026-03-30' });
  const releasedUntil = (freeFrom: string) =>
    aRecord('203.0.113.7', { retain: 2, released: ['2026-03-10', freeFrom] });
  expect(retentionForged(before, releasedUntil('2026-03-30'), by)).toBeUndefined();
  expect(retentionForged(before, releasedUntil('2026-03-29'), by)).toBe(
    'must be kept for default/akash/alice until 2026-03-30 at least, and is kept until 2026-03-29',
  );
});
