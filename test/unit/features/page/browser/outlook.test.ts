import { describe, expect, test } from 'vitest';
import { verdictOf } from '../../../../../src/features/page/browser/outlook.ts';
import { PictureIndex } from '../../../../../src/features/page/browser/picture-index.ts';
import type { Picture } from '../../../../../src/features/page/picture-answer.ts';
import type { FamilyForecast } from '../../../../../src/lib/forecast/forecast-answer.ts';
import { type MadePool, pictured } from '../../../../support/page/picture.ts';

const lab = { pool: 'lab', range: '203.0.113.0/26', held: 10 };
const edge = { pool: 'edge', range: '198.51.100.0/26', held: 5, reserved: ['198.51.100.0/29'] };

/** The forecast of a pool that is full on this day, or lasts. */
function forecast(pool: string, exhausted?: string): FamilyForecast {
  const own = { pool, zone: 'dc1', family: 'ipv4', free: '6', growth: '0.200' } as const;
  return exhausted === undefined
    ? { ...own, points: [], outlook: 'lasts' }
    : { ...own, points: [], outlook: 'exhausts', exhausted };
}

function told(pools: readonly MadePool[], more: Partial<Picture> = {}) {
  return verdictOf(new PictureIndex({ ...pictured(pools), forecasts: [], ...more }));
}

describe('the verdict', () => {
  test('names the pool that ends first, what is left, and the day', () => {
    const forecasts = [forecast('lab'), forecast('edge', '2026-12-25')];
    expect(told([lab, edge], { forecasts })).toEqual({
      level: 'filling',
      text: 'edge IPv4: 51 of 56 addresses left; at this growth none from 2026-12-25, in 35 days',
    });
  });

  test.each([
    ['2026-12-03', 'nearly full'],
    ['2026-12-04', 'filling'],
    ['2027-01-18', 'filling'],
    ['2027-01-19', 'ample'],
  ])('of a pool that is full on %s is %s', (day, level) => {
    expect(told([lab], { forecasts: [forecast('lab', day)] }).level).toBe(level);
  });

  test.each([
    [51, 'ample'],
    [52, 'filling'],
    [57, 'filling'],
    [58, 'nearly full'],
    [63, 'nearly full'],
  ])('of a pool with %d of 64 in use is %s, without a forecast', (held, level) => {
    expect(told([{ ...lab, held }]).level).toBe(level);
  });

  test('has no word on the forecast when the history is too short for one', () => {
    const left = '51 of 56 addresses left';
    expect(told([edge]).text).toBe(`Every pool has room. The next to fill is edge IPv4: ${left}`);
    expect(told([edge], { forecasts: [forecast('edge')] }).text).toContain(`${left}; `);
  });

  test('of a picture that is still loading is not green, and red stays red', () => {
    const partial = { partial: true as const };
    expect(told([edge], partial)).toEqual({ ...told([edge]), level: 'waits' });
    const nearlyFull = { ...lab, held: 60 };
    expect(told([nearlyFull], partial)).toEqual(told([nearlyFull]));
  });

  test('of a full pool has no day, and names the others that fill up', () => {
    const full = { pool: 'full', range: '192.0.2.0/31', held: 1, reserved: ['192.0.2.0'] };
    const { level, text } = told([lab, full], { forecasts: [forecast('lab', '2026-12-25')] });
    expect(level).toBe('full');
    expect(text).toBe('full IPv4 is full: 0 of 1 addresses left. Also filling: lab IPv4');
  });

  test('is green only if no declaration is broken and no holder waits', () => {
    expect(told([lab]).level).toBe('ample');
    expect(told([lab], { problems: 1 }).level).toBe('filling');
    expect(told([lab], { records: [] }).level).toBe('filling');
    expect(told([lab], { stale: 'since yesterday' })).toMatchObject({ level: 'waits' });
  });

  test('leaves out a pool that gives nothing, and says so when no pool gives any', () => {
    const made = pictured([{ ...lab, held: 60 }, edge]);
    const drain = (name: string) => ({
      ...made,
      forecasts: [],
      pools: made.pools.map((pool) =>
        pool.pool === name || name === 'all' ? { ...pool, state: 'draining' as const } : pool,
      ),
    });
    expect(verdictOf(new PictureIndex(drain('lab'))).text).toContain('edge IPv4');
    const other = { ...drain('lab') };
    const zones = other.pools.map((pool) => ({ ...pool, zone: pool.pool }));
    expect(verdictOf(new PictureIndex({ ...other, pools: zones }))).toMatchObject({
      level: 'filling',
      text: expect.stringMatching(
        /^Zone lab gives out no addresses: it is draining\. Every active pool has room\./,
      ),
    });
    const none = verdictOf(new PictureIndex(drain('all')));
    expect(none).toEqual({ level: 'full', text: 'No pool gives out addresses' });
    expect(told([])).toEqual({ level: 'waits', text: 'No pool is declared' });
  });
});
