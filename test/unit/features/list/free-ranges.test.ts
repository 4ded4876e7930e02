import { describe, expect, test } from 'vitest';
import type { Pool } from '../../../../src/core/model/pools.ts';
import { freeRanges, freeRangesCsv } from '../../../../src/features/list/free-ranges.ts';
import { aDay, aTable, poolsWith, poolWith } from '../../../support/allocations/tables.ts';
import { alice } from '../../../support/declarations/pools-and-claims.ts';

const day = aDay('2026-03-10');
const rangesOf = (pool: Pool, table = aTable(), family?: 'ipv4' | 'ipv6') =>
  freeRanges(poolsWith(pool).pools, table, { day, family }).items.map(
    ({ range, addresses }) => `${range} ${addresses}`,
  );

describe('freeRanges', () => {
  test('leaves out what is held, retained or reserved, and has what is free again', () => {
    const table = aTable(
      ['203.0.113.2', { name: `${alice}-ip-web` }],
      ['203.0.113.5', { name: `${alice}-ip-old`, released: ['2026-03-01', '2026-03-11'] }],
      ['203.0.113.6', { name: `${alice}-ip-older`, released: ['2026-03-01', '2026-03-10'] }],
    );
    const pool = poolWith({ addresses: ['203.0.113.0/28'], reserved: ['203.0.113.15'] });
    expect(rangesOf(pool, table)).toEqual([
      '203.0.113.0/31 2',
      '203.0.113.3-203.0.113.4 2',
      '203.0.113.6-203.0.113.14 9',
    ]);
  });

  test('leaves out the ends of each /24 of a pool that avoids buggy addresses', () => {
    const pool = poolWith({ addresses: ['203.0.112.254-203.0.114.1'], avoidBuggyIPs: true });
    expect(rangesOf(pool)).toEqual([
      '203.0.112.254 1',
      '203.0.113.1-203.0.113.254 254',
      '203.0.114.1 1',
    ]);
    const ends = poolWith({ addresses: ['203.0.112.255-203.0.113.0'], avoidBuggyIPs: true });
    expect(rangesOf(ends)).toEqual([]);
  });

  test('counts a /64 in all digits, and can be limited to a family', () => {
    const pool = poolWith({ addresses: ['203.0.113.0/31', '2001:db8::/64'] });
    expect(rangesOf(pool)).toEqual(['203.0.113.0/31 2', '2001:db8::/64 18446744073709551616']);
    expect(rangesOf(pool, aTable(), 'ipv4')).toEqual(['203.0.113.0/31 2']);
  });

  test('has nothing of a draining pool', () => {
    expect(rangesOf(poolWith({ addresses: ['203.0.113.0/28'], state: 'draining' }))).toEqual([]);
  });

  test('is CSV with a line per range', () => {
    const pool = poolWith({ addresses: ['2001:db8::/64'] });
    const answer = freeRanges([pool], aTable(), { day, family: undefined });
    expect(freeRangesCsv(answer)).toBe(
      `range,addresses,pool,zone,family\n2001:db8::/64,18446744073709551616,${pool.name},${pool.zone},ipv6\n`,
    );
  });
});
