import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goTime, httpDate } from '../../../../../src/features/serve/routes/http-date.ts';

test('a time is written as HTTP does, whatever the day', () => {
  const seconds = fc.integer({ min: 0, max: 253_402_300_799 });
  fc.assert(
    fc.property(seconds, (second) => {
      const date = new Date(second * 1000);
      expect(httpDate(`${date.toISOString().slice(0, 19)}Z`)).toBe(date.toUTCString());
    }),
  );
});

test('a time is written as Go does', () => {
  expect(goTime('2026-01-02T10:00:07Z')).toBe('2026-01-02 10:00:07 +0000 UTC');
});
