import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { goTime, httpDate, unixSeconds } from '../../../../src/features/serve/time-formats.ts';

describe('unixSeconds', () => {
  test('equals Date from 1970 to 9999', () => {
    const last = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: last }), (seconds) => {
        const time = `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
        expect(unixSeconds(time)).toBe(seconds);
      }),
      { seed: 908 },
    );
  });

  test.each(['1970-01-01T00:00:00Z', '2000-02-29T23:59:59Z', '2100-03-01T00:00:00Z'])(
    'parses %s',
    (time) => {
      expect(unixSeconds(time)).toBe(Date.parse(time) / 1000);
    },
  );

  test.each(['', '2026-01-01', '2026-01-01T00:00:00+01:00', ' 2026-01-01T00:00:00Z'])(
    'rejects %j',
    (text) => {
      expect(unixSeconds(text)).toBeUndefined();
    },
  );
});

test('httpDate equals Date.toUTCString', () => {
  const seconds = fc.integer({ min: 0, max: 253_402_300_799 });
  fc.assert(
    fc.property(seconds, (second) => {
      const date = new Date(second * 1000);
      expect(httpDate(`${date.toISOString().slice(0, 19)}Z`)).toBe(date.toUTCString());
    }),
    { seed: 909 },
  );
});

test('goTime formats as Go does', () => {
  expect(goTime('2026-01-02T10:00:07Z')).toBe('2026-01-02 10:00:07 +0000 UTC');
});
