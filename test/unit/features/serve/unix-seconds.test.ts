import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unixSeconds } from '../../../../src/features/serve/unix-seconds.ts';

describe('unixSeconds', () => {
  test('is what Date says, of every second of four year digits from 1970', () => {
    const last = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: last }), (seconds) => {
        const time = `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
        expect(unixSeconds(time)).toBe(seconds);
      }),
    );
  });

  test.each(['1970-01-01T00:00:00Z', '2000-02-29T23:59:59Z', '2100-03-01T00:00:00Z'])(
    'knows %s',
    (time) => {
      expect(unixSeconds(time)).toBe(Date.parse(time) / 1000);
    },
  );

  test.each(['', '2026-01-01', '2026-01-01T00:00:00+01:00', ' 2026-01-01T00:00:00Z'])(
    'takes %j for no time',
    (text) => {
      expect(unixSeconds(text)).toBeUndefined();
    },
  );
});
