import { describe, expect, it } from 'vitest';
import type { Layout } from '../../../../src/core/model/planes.ts';
import type { Pools } from '../../../../src/core/model/pools.ts';
import {
  changesMoved,
  moved,
  moveProblems,
  notMoved,
  tableMoved,
} from '../../../support/allocations/move-run.ts';
import { aTable, poolsWith, poolWith } from '../../../support/allocations/tables.ts';

const a = poolWith({ name: 'a', addresses: ['203.0.113.0/29', '2001:db8:a::/125'] });
const b = poolWith({ name: 'b', addresses: ['198.51.100.0/29', '2001:db8:b::/125'] });
const lab = poolWith({ name: 'lab', zone: 'lab', addresses: ['192.0.2.0/29'] });
const pools = poolsWith({ ...a, strategy: 'lowest' }, { ...b, strategy: 'lowest' }, lab);
const table = aTable(['203.0.113.0', { pool: 'a', retain: 5 }]);
const both = aTable(['203.0.113.0', { pool: 'a' }], ['2001:db8:a::', { pool: 'a' }]);
const dual = [{ ipFamily: 'dual' }] as const;

describe('a move', () => {
  it('gives another address, retains the old one as promised, and records movedFrom', () => {
    expect(moved({ pools, table })).toEqual([
      '203.0.113.0 (alice) until 2026-03-15',
      '203.0.113.1 alice from 203.0.113.0',
    ]);
    expect(changesMoved({ pools, table })).toEqual([
      'released 203.0.113.0',
      'allocated 203.0.113.1',
    ]);
  });

  it('starts the new record and releases the old one today', () => {
    const after = tableMoved({ pools, table });
    expect(after.get('203.0.113.1')).toMatchObject({ since: '2026-03-10', retain: 0, pool: 'a' });
    expect(after.get('203.0.113.0')).toMatchObject({
      since: '2026-01-01',
      released: { on: '2026-03-10' },
    });
  });

  it('retains the vacated address until tomorrow at least', () => {
    const bare = aTable(['203.0.113.0', { pool: 'a' }]);
    expect(moved({ pools, table: bare })[0]).toBe('203.0.113.0 (alice) until 2026-03-11');
    const rival = [{}, { name: 'bob', pin: '203.0.113.0' }];
    expect(notMoved({ pools, table: bare, claims: rival })).toEqual([
      expect.stringMatching(/^PIN_RETAINED 203\.0\.113\.0 is kept for .*alice, which moves away/),
    ]);
  });

  it('does not advise a rename to who pins the vacated address', () => {
    const held = aTable(['203.0.113.0', { pool: 'a', name: 'alice-ip-web' }]);
    const claims = [{ name: 'alice-ip-web' }, { name: 'alice-ip-api', pin: '203.0.113.0' }];
    const words = { pools, table: held, claims, names: ['alice-ip-web'] };
    expect(moveProblems(words)).toEqual([
      expect.objectContaining({
        code: 'PIN_RETAINED',
        hint: expect.not.stringContaining('leasehold rename'),
      }),
    ]);
  });

  it('never gives the old address again, even if the pool has no other one', () => {
    const one = poolsWith(poolWith({ addresses: ['203.0.113.0/32'] }));
    const held = aTable(['203.0.113.0']);
    expect(notMoved({ pools: one, table: held })).toEqual([
      expect.stringMatching(/^POOL_EXHAUSTED/),
    ]);
  });

  it('goes to the requested address', () => {
    expect(moved({ pools, table, to: ['198.51.100.6'] })).toContain(
      '198.51.100.6 alice from 203.0.113.0',
    );
    expect(moved({ pools, table, pool: 'b' })).toContain('198.51.100.0 alice from 203.0.113.0');
  });

  it('goes to the pinned address', () => {
    const claims = [{ pin: '203.0.113.6' }];
    expect(moved({ pools, table, claims })).toContain('203.0.113.6 alice from 203.0.113.0');
    expect(moved({ pools, table, claims, to: ['203.0.113.6'] })).toContain(
      '203.0.113.6 alice from 203.0.113.0',
    );
  });

  it('goes back to an address that is still retained for its holder', () => {
    const kept = aTable(
      ['203.0.113.0', { pool: 'a' }],
      ['203.0.113.4', { pool: 'a', released: ['2026-03-09', '2026-03-19'] }],
    );
    expect(moved({ pools, table: kept })).toContain('203.0.113.4 alice from 203.0.113.0');
    expect(changesMoved({ pools, table: kept })).toContain('reclaimed 203.0.113.4');
  });

  it('moves both families into one pool', () => {
    expect(moved({ pools, table: both, claims: dual, to: ['198.51.100.3'] })).toEqual([
      '198.51.100.3 alice from 203.0.113.0',
      '2001:db8:a:: (alice) until 2026-03-11',
      '2001:db8:b:: alice from 2001:db8:a::',
      '203.0.113.0 (alice) until 2026-03-11',
    ]);
  });

  it('moves a single-stack holder to a pool where it becomes dual-stack', () => {
    const words = { pools, table, claims: [{ pool: 'b', ipFamily: 'dual' }] } as const;
    expect(moved(words)).toEqual([
      '198.51.100.0 alice from 203.0.113.0',
      '2001:db8:b:: alice',
      '203.0.113.0 (alice) until 2026-03-15',
    ]);
  });

  it('moves one family of a holder that gives up the other', () => {
    expect(moved({ pools, table: both, families: ['ipv4'] })).toEqual([
      '2001:db8:a:: (alice) until 2026-03-10',
      '203.0.113.0 (alice) until 2026-03-11',
      '203.0.113.1 alice from 203.0.113.0',
    ]);
  });

  it('moves the second family alone, within its pool', () => {
    const words = { pools, table: both, claims: dual, families: ['ipv6'] } as const;
    expect(moved(words)).toEqual([
      '2001:db8:a:: (alice) until 2026-03-11',
      '2001:db8:a::1 alice from 2001:db8:a::',
      '203.0.113.0 alice',
    ]);
    expect(notMoved({ ...words, pool: 'b' })).toEqual([
      expect.stringMatching(/^MOVE_REFUSED .* keeps 203\.0\.113\.0 of pool a/),
    ]);
  });

  it('moves several holders at once, and no others', () => {
    const three = aTable(
      ['203.0.113.0', { pool: 'a' }],
      ['203.0.113.1', { pool: 'a', name: 'bob' }],
      ['203.0.113.2', { pool: 'a', name: 'carol' }],
    );
    const claims = [{}, { name: 'bob' }, { name: 'carol' }];
    expect(moved({ pools, table: three, claims, names: ['alice', 'bob'] })).toEqual([
      '203.0.113.0 (alice) until 2026-03-11',
      '203.0.113.1 (bob) until 2026-03-11',
      '203.0.113.2 carol',
      '203.0.113.3 alice from 203.0.113.0',
      '203.0.113.4 bob from 203.0.113.1',
    ]);
  });
});

describe('a move solves the problem of an address that', () => {
  it.each([
    ['is in no pool any more', poolsWith(b), [{}]],
    ['is reserved by now', poolsWith({ ...a, ...reserving('203.0.113.0') }, b), [{}]],
    ['lies in another zone than its claims want', pools, [{ zone: 'lab' }]],
    ['lies in another pool than its claims want', pools, [{ pool: 'b' }]],
    ['lies in a pool that drains', poolsWith({ ...a, state: 'draining' }, b), [{}]],
  ])('%s', (_, changed, claims) => {
    const after = moved({ pools: changed, table, claims });
    expect(after).toHaveLength(2);
    expect(after).toContain('203.0.113.0 (alice) until 2026-03-15');
    expect(after).toContainEqual(expect.stringMatching(/ alice from 203\.0\.113\.0$/));
  });

  it('lies in another pool than that of the other family', () => {
    const apart = aTable(['203.0.113.0', { pool: 'a' }], ['2001:db8:b::', { pool: 'a' }]);
    expect(moved({ pools, table: apart, claims: dual })).toHaveLength(4);
  });
});

describe('a move out of a block', () => {
  const perPool = withLayout(pools, 'pool');
  const low = ['203.0.113.0/30'];

  it('gives no address of the block, neither to who moves nor to others', () => {
    const claims = [{}, { name: 'bob' }];
    expect(moved({ pools, table, claims, outOf: low })).toEqual([
      '203.0.113.0 (alice) until 2026-03-15',
      '203.0.113.4 alice from 203.0.113.0',
      '203.0.113.5 bob',
    ]);
  });

  it('leads over two pools to a third', () => {
    const three = poolsWith(
      { ...a, strategy: 'lowest' },
      b,
      poolWith({ addresses: ['192.0.2.0/31'] }),
    );
    const two = aTable(
      ['203.0.113.0', { pool: 'a' }],
      ['198.51.100.0', { pool: 'b', name: 'bob' }],
    );
    const words = { claims: [{}, { name: 'bob' }], names: ['alice', 'bob'] };
    const outOf = ['198.51.100.0-203.0.113.255'];
    const after = moved({ pools: three, table: two, ...words, outOf });
    expect(after.filter((line) => line.includes(' from '))).toEqual(
      [
        expect.stringMatching(/^192\.0\.2\.[01] alice from 203\.0\.113\.0$/),
        expect.stringMatching(/^192\.0\.2\.[01] bob from 198\.51\.100\.0$/),
      ].sort(),
    );
  });

  it('does not return to an address of the block, which stays retained', () => {
    const kept = aTable(
      ['203.0.113.0', { pool: 'a' }],
      ['203.0.113.2', { pool: 'a', released: ['2026-03-09', '2026-03-19'] }],
    );
    expect(moved({ pools, table: kept, outOf: low })).toEqual([
      '203.0.113.0 (alice) until 2026-03-11',
      '203.0.113.2 (alice) until 2026-03-19',
      '203.0.113.4 alice from 203.0.113.0',
    ]);
  });

  it('lets another holder return to its address in the block, or pin one', () => {
    const kept = aTable(
      ['203.0.113.0', { pool: 'a' }],
      ['203.0.113.2', { pool: 'a', name: 'bob', released: ['2026-03-09', '2026-03-19'] }],
    );
    const claims = [{}, { name: 'bob' }, { name: 'carol', pin: '203.0.113.3' }];
    expect(moved({ pools, table: kept, claims, outOf: low })).toEqual([
      '203.0.113.0 (alice) until 2026-03-11',
      '203.0.113.2 bob',
      '203.0.113.3 carol',
      '203.0.113.4 alice from 203.0.113.0',
    ]);
  });

  it('takes no new address of an IPv6 block of any size', () => {
    const large = poolWith({ name: 'a', addresses: ['203.0.113.0/29', '2001:db8:a::/64'] });
    const words = {
      table: both,
      claims: dual,
      families: ['ipv6'],
      outOf: ['2001:db8:a::/65'],
    } as const;
    expect(moved({ pools: poolsWith({ ...large, strategy: 'lowest' }), ...words })).toEqual([
      '2001:db8:a:0:8000:: alice from 2001:db8:a::',
      '2001:db8:a:: (alice) until 2026-03-11',
      '203.0.113.0 alice',
    ]);
  });

  it('is refused without room elsewhere, with the counts of the block', () => {
    const only = poolsWith(a);
    const [problem] = moveProblems({ pools: only, table, outOf: ['203.0.113.0/29'] });
    expect(problem?.code).toBe('POOL_EXHAUSTED');
    expect(problem?.message).toContain(
      '0 of 8 IPv4 addresses free and 1 needed: 0 held, 1 kept after release, 0 reserved, 8 in the moved ranges',
    );
    expect(problem?.hint).not.toContain('--family');
  });

  it.each([
    ['without room', perPool, ['203.0.113.0/29'], /^POOL_EXHAUSTED/],
    [
      'that is in no pool now',
      withLayout(poolsWith(poolWith({ name: 'a', addresses: ['2001:db8:a::/125'] }), b), 'pool'),
      [],
      /^ZONE_FAMILY/,
    ],
    [
      'that drains',
      withLayout(poolsWith({ ...a, state: 'draining' }, b), 'pool'),
      [],
      /^POOL_DRAINING/,
    ],
  ] as const)(
    'names the way to another pool for one address of two, in a pool %s',
    (_, from, outOf, problem) => {
      const words = { pools: from, table: both, claims: dual, outOf };
      const [found, ...others] = moveProblems({ ...words, families: ['ipv4'] });
      expect([`${found?.code} ${found?.message}`, others]).toEqual([
        expect.stringMatching(problem),
        [],
      ]);
      expect(found?.hint).toContain('name both addresses of the holder');
      expect(moved(words)).toContainEqual(
        expect.stringMatching(/^198\.51\.100\.\d alice from 203\.0\.113\.0$/),
      );
    },
  );

  it.each([
    ['asked for', { to: ['203.0.113.3'] }, 'name another address with --to'],
    [
      'pinned',
      { claims: [{ pin: '203.0.113.3' }] },
      'or name 203.0.113.0 instead of 203.0.113.0/30',
    ],
  ] as const)('is refused to an address in it that is %s', (_, words, hint) => {
    const [problem] = moveProblems({ pools, table, outOf: low, ...words });
    expect(problem).toMatchObject({
      code: 'MOVE_REFUSED',
      message: expect.stringMatching(
        /moves out of 203\.0\.113\.0\/30, and 203\.0\.113\.3 lies in it$/,
      ),
      hint: expect.stringContaining(hint),
    });
  });
});

describe('a move is refused', () => {
  it.each([
    ['to the address held', { to: ['203.0.113.0'] }, /^MOVE_REFUSED .* already has 203\.0\.113\.0/],
    ['outside all pools', { to: ['192.0.2.99'] }, /^PIN_OUTSIDE .*no pool has/],
    ['to another zone', { to: ['192.0.2.1'] }, /^PIN_OUTSIDE .* want zone inet/],
    ['to a pool of another zone', { pool: 'lab' }, /^MOVE_REFUSED pool lab lies in zone lab/],
    [
      'to another pool than its claims name',
      { pool: 'b', claims: [{ pool: 'a' }] },
      /^MOVE_REFUSED pool b .* want pool a/,
    ],
    [
      'while its address is pinned',
      { claims: [{ pin: '203.0.113.0' }] },
      /^PIN_MOVED 203\.0\.113\.0 is pinned here/,
    ],
    [
      'while another address is pinned than the requested one',
      { claims: [{ pin: '203.0.113.3' }], to: ['203.0.113.4'] },
      /^PIN_MOVED 203\.0\.113\.3 is pinned here/,
    ],
  ] as const)('%s', (_, words, expected) => {
    expect(notMoved({ pools, table, ...words })[0]).toMatch(expected);
  });

  it.each([
    ['taken', [{}, { name: 'bob' }], {}, 'PIN_TAKEN'],
    [
      'retained for another holder',
      [{}],
      { released: ['2026-03-01', '2026-04-01'] },
      'PIN_RETAINED',
    ],
  ] as const)('when the target is %s', (_, claims, words, code) => {
    const other = aTable(
      ['203.0.113.0', { pool: 'a' }],
      ['203.0.113.5', { pool: 'a', name: 'bob', ...words }],
    );
    expect(notMoved({ pools, table: other, claims, to: ['203.0.113.5'] })).toEqual([
      expect.stringMatching(code),
    ]);
  });

  it.each([
    ['taken', ['203.0.113.5'], 'PIN_TAKEN'],
    ['reserved', ['203.0.113.6'], 'PIN_RESERVED'],
    ['in no pool', ['192.0.2.99'], 'PIN_OUTSIDE'],
    ['in a draining pool', ['198.51.100.1'], 'POOL_DRAINING'],
  ] as const)('with a hint for --to when the target is %s', (_, to, code) => {
    const changed = poolsWith({ ...a, ...reserving('203.0.113.6') }, { ...b, state: 'draining' });
    const other = aTable(
      ['203.0.113.0', { pool: 'a' }],
      ['203.0.113.5', { pool: 'a', name: 'bob' }],
    );
    const claims = [{}, { name: 'bob' }];
    const [problem, ...others] = moveProblems({ pools: changed, table: other, claims, to });
    expect(others).toEqual([]);
    expect(problem).toMatchObject({
      code,
      message: expect.not.stringContaining('pinned'),
      hint: `${code === 'PIN_OUTSIDE' ? 'add it to a pool in leases/pools.yaml, or ' : ''}name another address with --to; \`leasehold list --free\` shows them`,
    });
  });

  it('to a reserved address, and to one of a draining pool', () => {
    const changed = poolsWith({ ...a, ...reserving('203.0.113.5') }, { ...b, state: 'draining' });
    expect(notMoved({ pools: changed, table, to: ['203.0.113.5'] })).toEqual([
      expect.stringMatching(/^PIN_RESERVED/),
    ]);
    expect(notMoved({ pools: changed, table, to: ['198.51.100.1'] })).toEqual([
      expect.stringMatching(/^POOL_DRAINING/),
    ]);
  });

  it('for the first family alone if it names the IPAddressPool', () => {
    const words = { table: both, claims: dual, families: ['ipv4'] } as const;
    expect(notMoved({ pools, ...words })).toEqual([
      expect.stringMatching(/^MOVE_REFUSED 203\.0\.113\.0 names the IPAddressPool/),
    ]);
    expect(moved({ pools: withLayout(pools, 'pool'), ...words })).toContain(
      '203.0.113.1 alice from 203.0.113.0',
    );
  });

  it('when the owner is at its quota and an address that it vacated is retained', () => {
    const limited = { ...pools, quotas: { default: 1, owners: new Map() } };
    const once = tableMoved({ pools: limited, table });
    expect([...once.values()].map(({ released }) => released?.freeFrom).sort()).toEqual([
      '2026-03-15',
      undefined,
    ]);
    expect(notMoved({ pools: limited, table: once, to: ['203.0.113.5'] })).toEqual([
      expect.stringMatching(/^QUOTA_EXCEEDED alice needs 2 addresses \(1 held and 1 kept/),
    ]);
    expect(tableMoved({ pools: limited, table: once, today: '2026-03-15' }).size).toBe(2);
  });

  it('while another holder has a problem', () => {
    const claims = [{}, { name: 'bob' }];
    const gone = aTable(['192.0.2.90', { name: 'bob' }], ['203.0.113.0', { pool: 'a' }]);
    expect(notMoved({ pools, table: gone, claims })).toEqual([
      expect.stringMatching(/^ADDRESS_STRANDED 192\.0\.2\.90/),
    ]);
  });
});

function withLayout(own: Pools, layout: Layout): Pools {
  const clusters = own.clusters.map((one) => ({
    ...one,
    plane: { ...one.plane, kind: 'metallb' as const, layout },
  }));
  return { ...own, clusters };
}

function reserving(address: string) {
  return { reserved: poolWith({ reserved: [address] }).reserved };
}
