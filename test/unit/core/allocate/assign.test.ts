import { describe, expect, test } from 'vitest';
import { changesOf, heldAfter, problemsOf } from '../../../support/allocations/allocation-run.ts';
import { aTable, poolsWith, poolWith } from '../../../support/allocations/tables.ts';

const kept = ['2026-03-08', '2026-03-30'] as const;
const dual = { ipFamily: 'dual' as const };
const six = { ipFamily: 'ipv6' as const };

function smallPool(name: string, v4: string, v6: string, zone = 'inet') {
  return poolWith({ name, zone, addresses: [v4, v6], strategy: 'lowest' });
}

describe('which address of a pool', () => {
  const pools = poolsWith(poolWith({ addresses: ['203.0.113.1-203.0.113.4'], strategy: 'lowest' }));

  test('lowest gives the lowest address, in the order of the holders', () => {
    const claims = [{ name: 'bob' }, { name: 'alice' }];
    expect(heldAfter({ pools, claims })).toEqual(['203.0.113.1 alice', '203.0.113.2 bob']);
  });

  test('addresses that were never held come first, then the longest free', () => {
    const table = aTable(
      ['203.0.113.1', { name: 'x', released: ['2026-03-01', '2026-03-05'] }],
      ['203.0.113.2', { name: 'y', released: ['2026-03-02', '2026-03-03'] }],
      ['203.0.113.3', { name: 'z', released: ['2026-03-01', '2026-03-11'] }],
    );
    const names = ['ann', 'ben', 'cy'].map((name) => ({ name }));
    expect(heldAfter({ pools, claims: names, table })).toEqual([
      '203.0.113.1 cy',
      '203.0.113.2 ben',
      '203.0.113.4 ann',
    ]);
    expect(problemsOf({ pools, claims: [...names, { name: 'dan' }], table })).toHaveLength(1);
    const nextDay = { pools, claims: [...names, { name: 'dan' }], table, today: '2026-03-11' };
    expect(heldAfter(nextDay)).toContain('203.0.113.3 dan');
  });

  test('a holder gets its former address, even if that is free for any holder', () => {
    const table = aTable(['203.0.113.3', { released: ['2026-03-01', '2026-03-05'] }]);
    expect(changesOf({ pools, claims: [{}], table })).toEqual(['allocated 203.0.113.3']);
  });

  test('a holder with two former addresses gets the second one if the first is pinned elsewhere', () => {
    const table = aTable(
      ['203.0.113.2', { name: 'bob', released: ['2026-02-01', '2026-02-01'] }],
      ['203.0.113.3', { name: 'bob', released: ['2026-03-01', '2026-03-05'] }],
    );
    const claims = [{ pin: '203.0.113.2' }, { name: 'bob' }];
    expect(heldAfter({ pools, claims, table })).toEqual(['203.0.113.2 alice', '203.0.113.3 bob']);
  });

  test('with spread, holders take different addresses of an empty pool', () => {
    const wide = poolsWith(poolWith({ addresses: ['10.0.0.0/20'] }));
    const claims = Array.from({ length: 30 }, (_, index) => ({ name: `owner-${index}` }));
    const alone = claims.flatMap((claim) => heldAfter({ pools: wide, claims: [claim] }));
    const together = heldAfter({ pools: wide, claims });
    expect(new Set(alone.map((line) => line.split(' ')[0])).size).toBe(30);
    expect(together).toEqual(alone.sort());
  });
});

describe('which pool', () => {
  test('the first of the zone in the order of the file, if all are equal', () => {
    const pools = poolsWith(
      smallPool('b', '198.51.100.1', 'fd00:b::1'),
      smallPool('a', '203.0.113.1', 'fd00:a::1'),
    );
    expect(heldAfter({ pools, claims: [{}] })).toEqual(['198.51.100.1 alice']);
  });

  test('one with addresses that were never held, before one with released addresses only', () => {
    const pools = poolsWith(
      smallPool('a', '203.0.113.1', 'fd00:a::1'),
      smallPool('b', '198.51.100.1', 'fd00:b::1'),
    );
    const table = aTable([
      '203.0.113.1',
      { pool: 'a', name: 'x', released: ['2026-01-01', '2026-01-01'] },
    ]);
    expect(heldAfter({ pools, claims: [{}], table })).toEqual(['198.51.100.1 alice']);
  });

  test("an active one, or a draining one that has the holder's retained address", () => {
    const pools = poolsWith(
      { ...smallPool('a', '203.0.113.1', 'fd00:a::1'), state: 'draining' },
      smallPool('b', '198.51.100.1', 'fd00:b::1'),
    );
    expect(heldAfter({ pools, claims: [{}] })).toEqual(['198.51.100.1 alice']);
    const table = aTable(['203.0.113.1', { pool: 'a', released: kept }]);
    expect(heldAfter({ pools, claims: [{}], table })).toEqual(['203.0.113.1 alice']);
    expect(heldAfter({ pools, claims: [dual], table })).toEqual([
      '198.51.100.1 alice',
      'fd00:b::1 alice',
    ]);
  });
});

describe('all requests are met', () => {
  const pools = poolsWith(
    poolWith({ name: 'a', addresses: ['203.0.113.1', 'fd00:a::1'] }),
    poolWith({ name: 'b', addresses: ['198.51.100.1'] }),
  );

  test('when a dual-stack claim comes last and a single-stack one could take its only pool', () => {
    const claims = [{ name: 'ann' }, { name: 'zoe', ...dual }];
    expect(heldAfter({ pools, claims })).toEqual([
      '198.51.100.1 ann',
      '203.0.113.1 zoe',
      'fd00:a::1 zoe',
    ]);
  });

  test('when a claim names a pool that a claim on the zone could take', () => {
    const claims = [{ name: 'ann' }, { name: 'zoe', pool: 'a' }];
    expect(heldAfter({ pools, claims })).toEqual(['198.51.100.1 ann', '203.0.113.1 zoe']);
  });

  test('when a pin takes the address that another claim would have got', () => {
    const claims = [
      { name: 'ann', pool: 'a' },
      { name: 'zoe', pin: '203.0.113.1' },
    ];
    const wide = poolsWith(
      poolWith({ name: 'a', addresses: ['203.0.113.1-203.0.113.2'], strategy: 'lowest' }),
    );
    expect(heldAfter({ pools: wide, claims })).toEqual(['203.0.113.1 zoe', '203.0.113.2 ann']);
  });

  test('when a dual-stack holder can return to two pools and another claim needs one of them', () => {
    const two = poolsWith(
      poolWith({ name: 'a', addresses: ['203.0.113.1', 'fd00:a::1'] }),
      poolWith({ name: 'b', addresses: ['198.51.100.1', 'fd00:b::1'] }),
    );
    const table = aTable(
      ['203.0.113.1', { pool: 'a', released: kept }],
      ['fd00:b::1', { pool: 'b', released: kept }],
    );
    expect(heldAfter({ pools: two, claims: [dual, { name: 'zoe', ...six }], table })).toEqual([
      '198.51.100.1 alice',
      'fd00:a::1 zoe',
      'fd00:b::1 alice',
    ]);
    expect(heldAfter({ pools: two, claims: [dual, { name: 'zoe' }], table })).toEqual([
      '198.51.100.1 zoe',
      '203.0.113.1 alice',
      'fd00:a::1 alice',
    ]);
  });

  test('when 6,000 dual-stack holders can each return to two pools', { tags: 'slow' }, () => {
    const size = 6_000;
    const place = (index: number) => `${index >> 8}.${index & 255}`;
    const end = (start: string) => `${start}-${start}${(size - 1).toString(16)}`;
    const two = poolsWith(
      poolWith({ name: 'a', addresses: [`10.1.0.0-10.1.${place(size - 1)}`, end('fd00:a::')] }),
      poolWith({ name: 'b', addresses: [`10.2.0.0-10.2.${place(size - 1)}`, end('fd00:b::')] }),
    );
    const names = Array.from({ length: size }, (_, index) => `h${index}`);
    const table = aTable(
      ...names.map((name, index) => {
        return [`10.1.${place(index)}`, { pool: 'a', name, released: kept }] as const;
      }),
      ...names.map((name, index) => {
        const address = index === 0 ? 'fd00:b::' : `fd00:b::${index.toString(16)}`;
        return [address, { pool: 'b', name, released: kept }] as const;
      }),
    );
    const claims = names.map((name) => ({ name, ...dual }));
    const changes = changesOf({ pools: two, claims, table });
    const reclaimed = changes.filter((change) => change.startsWith('reclaimed 10.1.'));
    expect([reclaimed.length, changes.length]).toEqual([size, 2 * size]);
  });

  test('in each zone, when holders of two zones can return to several pools', () => {
    const zones = ['inet', 'lab'].flatMap((zone, index) => [
      smallPool(`${zone}-a`, `10.${index}.0.1`, `fd00:${zone === 'lab' ? 1 : 'e'}:a::1`, zone),
      smallPool(`${zone}-b`, `10.${index}.1.1`, `fd00:${zone === 'lab' ? 1 : 'e'}:b::1`, zone),
    ]);
    const table = aTable(
      ['10.0.0.1', { pool: 'inet-a', released: kept }],
      ['fd00:e:b::1', { pool: 'inet-b', released: kept }],
      ['10.1.0.1', { pool: 'lab-a', name: 'bob', released: kept }],
      ['fd00:1:b::1', { pool: 'lab-b', name: 'bob', released: kept }],
    );
    const claims = [
      dual,
      { name: 'bob', zone: 'lab', ...dual },
      { name: 'x', ...six },
      { name: 'y', zone: 'lab' },
    ];
    expect(heldAfter({ pools: poolsWith(...zones), claims, table })).toHaveLength(6);
  });
});

describe('a shortage', () => {
  const pools = poolsWith(
    poolWith({ addresses: ['203.0.113.1-203.0.113.6'], reserved: ['203.0.113.1-203.0.113.2'] }),
  );

  test('names the pool, the request, and the counts before this run', () => {
    const table = aTable(
      ['203.0.113.3', { name: 'old' }],
      ['203.0.113.4', { name: 'x', released: kept }],
    );
    const claims = ['ann', 'ben', 'cy', 'dan'].map((name) => ({ name }));
    const problems = problemsOf({ pools, claims: [...claims, { name: 'old' }], table });
    expect(problems.map(({ code, at }) => `${code} ${at.file}`)).toEqual([
      'POOL_EXHAUSTED leases/cy-1.yaml',
      'POOL_EXHAUSTED leases/dan-1.yaml',
    ]);
    expect(problems[0]?.message).toBe(
      'web 80/TCP wants a new IPv4 address and none is left (2 holders short): ' +
        'pool default has 2 of 6 IPv4 addresses free and 4 needed: 1 held, 1 kept after release, 2 reserved',
    );
    expect(problems[0]?.hint).toBe(
      'widen the pool in leases/pools.yaml, or end a lease and wait until its retention ends, or wait until 2026-03-30, when a retention ends',
    );
  });

  const full = poolsWith(poolWith({ addresses: ['203.0.113.1/32'], retentionDays: 3 }));

  test.each([
    [
      'was released today',
      { released: ['2026-03-10', '2026-03-13'] as const },
      ['widen', 'wait until 2026-03-13, when a retention ends'],
    ],
    [
      'the run releases',
      {},
      [
        'widen',
        'release in a run without new claims, and add them on 2026-03-13, when that is free',
      ],
    ],
  ])('names the day on which an address is free that %s', (_, state, ways) => {
    const table = aTable(['203.0.113.1', { name: 'old', retain: 3, ...state }]);
    const [problem] = problemsOf({ pools: full, claims: [{ name: 'ann' }], table });
    const [first, ...more] = problem?.hint?.split(', or ') ?? [];
    expect([first?.split(' ')[0], ...more]).toEqual(ways);
  });

  test('counts avoided addresses as reserved, and names a draining pool', () => {
    const some = poolsWith(
      poolWith({ name: 'a', addresses: ['203.0.113.254-203.0.114.0'], avoidBuggyIPs: true }),
      poolWith({ name: 'b', addresses: ['198.51.100.0/28'], state: 'draining' }),
    );
    const [problem] = problemsOf({ pools: some, claims: [{ name: 'ann' }, { name: 'ben' }] });
    expect(problem?.message).toMatch(
      /pool a has 1 of 3 IPv4 addresses free and 2 needed: 0 held, 0 kept after release, 2 reserved; pool b is draining$/,
    );
  });

  test('of a dual-stack claim states that no pool has both', () => {
    const apart = poolsWith(
      poolWith({ name: 'a', addresses: ['203.0.113.1', 'fd00:a::1'], reserved: ['fd00:a::1'] }),
      poolWith({ name: 'b', addresses: ['fd00:b::1'] }),
    );
    const [problem] = problemsOf({ pools: apart, claims: [dual] });
    expect(problem?.code).toBe('POOL_EXHAUSTED');
    expect(problem?.message).toContain('no pool has both left (1 holder short)');
    expect(problem?.message).toContain('0 of 1 IPv6 addresses free and 1 needed');
  });

  test('is POOL_DRAINING if all pools are draining', () => {
    const drained = poolsWith(poolWith({ state: 'draining' }));
    expect(problemsOf({ pools: drained, claims: [{}] })).toEqual([
      expect.objectContaining({
        code: 'POOL_DRAINING',
        message: expect.stringContaining('default'),
      }),
    ]);
  });

  test('names at most five pools', () => {
    const many = Array.from({ length: 8 }, (_, index) =>
      poolWith({
        name: `p${index}`,
        addresses: [`10.0.0.${index}`],
        reserved: [`10.0.0.${index}`],
      }),
    );
    const [problem] = problemsOf({ pools: poolsWith(...many), claims: [{}] });
    expect(problem?.message).toContain('pool p4 has');
    expect(problem?.message).toMatch(/; and 3 more pools$/);
  });
});

test('5,000 holders get addresses of a /12 and a /64 in one run', { tags: 'slow' }, () => {
  const pools = poolsWith(poolWith({ addresses: ['10.16.0.0/12', 'fd00::/64'] }));
  const claims = Array.from({ length: 5_000 }, (_, index) => ({ name: `owner-${index}`, ...dual }));
  expect(changesOf({ pools, claims })).toHaveLength(10_000);
});
