import { describe, expect, test } from 'vitest';
import { occupancyOf, percentInUse } from '../../../../src/core/allocate/supply.ts';
import { aDay, aTable, poolsWith, poolWith } from '../../../support/allocations/tables.ts';

const day = aDay('2026-02-01');
const released = (freeFrom: string) => ({ released: ['2026-01-05', freeFrom] as const });

describe('the occupancy of a pool', () => {
  test('counts held, retained and free addresses', () => {
    const table = aTable(
      ['203.0.113.2', {}],
      ['203.0.113.3', { name: 'bob', ...released('2026-02-02') }],
      ['203.0.113.4', { name: 'bob', ...released('2026-02-01') }],
    );
    expect(occupancyOf(poolsWith(poolWith()), table, day).get('default')?.ipv4).toEqual({
      total: 16n,
      usable: 16n,
      held: 1,
      retained: 1,
      free: 14n,
      draining: 0n,
    });
  });

  test('leaves out reserved addresses, and counts one that is still held', () => {
    const pool = poolWith({ reserved: ['203.0.113.0/29'] });
    const table = aTable(['203.0.113.1'], ['203.0.113.9', { name: 'bob' }]);
    expect(occupancyOf(poolsWith(pool), table, day).get('default')?.ipv4).toEqual({
      total: 16n,
      usable: 8n,
      held: 2,
      retained: 0,
      free: 7n,
      draining: 0n,
    });
  });

  test('counts a released address that the pool reserves now as reserved', () => {
    const pool = poolWith({ reserved: ['203.0.113.1'] });
    const table = aTable(['203.0.113.1', { released: [day, '2099-01-01'] }]);
    const counts = { total: 16n, usable: 15n, held: 0, retained: 0, free: 15n, draining: 0n };
    expect(occupancyOf(poolsWith(pool), table, day).get('default')?.ipv4).toEqual(counts);
  });

  test('leaves out buggy addresses without listing them, and only the IPv4 ones', () => {
    const addresses = ['10.0.0.0/8', '2001:db8::/64'];
    const pool = poolWith({ addresses, avoidBuggyIPs: true, reserved: ['10.0.0.0-10.0.0.9'] });
    const counts = occupancyOf(poolsWith(pool), new Map(), day).get('default');
    expect(counts?.ipv4).toMatchObject({ total: 2n ** 24n, usable: 2n ** 16n * 254n - 9n });
    expect(counts?.ipv6).toMatchObject({ total: 2n ** 64n, usable: 2n ** 64n, free: 2n ** 64n });
  });

  test('is counted for each family', () => {
    const pool = poolWith({ addresses: ['203.0.113.0/31', '2001:db8::/64'] });
    const table = aTable(['203.0.113.0'], ['203.0.113.1', { name: 'bob' }], ['2001:db8::1']);
    const counts = occupancyOf(poolsWith(pool), table, day).get('default');
    expect(counts?.ipv4).toMatchObject({ usable: 2n, held: 2, free: 0n });
    expect(counts?.ipv6).toMatchObject({ usable: 2n ** 64n, held: 1, free: 2n ** 64n - 1n });
  });

  test('counts a record for the pool of its address, and for none where the pool shrank', () => {
    const pools = poolsWith(
      poolWith({ addresses: ['203.0.113.0/30'] }),
      poolWith({ name: 'edge', addresses: ['198.51.100.0/30'] }),
    );
    const table = aTable(
      ['198.51.100.1', { pool: 'default' }],
      ['192.0.2.1', { pool: 'default', name: 'bob' }],
      ['203.0.113.4', { pool: 'default', name: 'dan', ...released('2026-02-02') }],
      ['192.0.2.2', { pool: 'gone', name: 'carol' }],
    );
    const counts = [...occupancyOf(pools, table, day)];
    expect(counts.map(([name, { ipv4 }]) => [name, ipv4.held + ipv4.retained, ipv4.free])).toEqual([
      ['default', 0, 4n],
      ['edge', 1, 3n],
    ]);
  });

  test('has no free address in a draining pool, and tells those that are not in use apart', () => {
    const pools = poolsWith(poolWith({ addresses: ['203.0.113.0/30'], state: 'draining' }));
    const table = aTable(['203.0.113.1', { pool: 'default' }]);
    const { ipv4 } = occupancyOf(pools, table, day).get('default') ?? {};
    expect([ipv4?.held, ipv4?.free, ipv4?.draining]).toEqual([1, 0n, 3n]);
  });

  test('has the declared pools only, in the order of the file', () => {
    const pools = poolsWith(
      poolWith({ name: 'b' }),
      poolWith({ name: 'a', addresses: ['192.0.2.0/24'] }),
    );
    expect([...occupancyOf(pools, new Map(), day).keys()]).toEqual(['b', 'a']);
  });
});

describe('percentInUse', () => {
  test.each([
    [1000n, 1n, 99],
    [1000n, 0n, 100],
    [2n ** 64n, 2n ** 64n - 1n, 0],
    [0n, 0n, 0],
  ])('of %s with %s free is rounded down', (usable, free, percent) => {
    expect(percentInUse({ usable, free, draining: 0n })).toBe(percent);
    expect(percentInUse({ usable, free: 0n, draining: free })).toBe(percent);
  });
});
