import { describe, expect, test } from 'vitest';
import type { Pool } from '../../../../../src/core/model/pools.ts';
import { declaredText } from '../../../../../src/core/run/plan/declared-changes.ts';
import type { Occupancy } from '../../../../../src/core/run/plan/plan-answer.ts';
import {
  fillingCautions,
  poolFileCautions,
  rangeCautions,
  shortCautions,
} from '../../../../../src/core/run/plan/pool-changes.ts';
import { plainBgp } from '../../../../../src/features/import/metallb/metallb-advertisement.ts';
import {
  aTable,
  type PoolWords,
  poolsWith,
  poolWith,
} from '../../../../support/allocations/tables.ts';
import { thePools } from '../../../../support/declarations/pools-and-claims.ts';
import { aChange, aDeclared, anOccupancy, aSide } from '../../../../support/plans/plan-builders.ts';

const head = aDeclared({ pools: thePools() });

test('a new cluster that announces pools of before is named with them', () => {
  const pools = thePools();
  const [first, ...others] = pools.pools;
  const closed = { ...pools, pools: [{ ...first!, clusters: ['default'] }, ...others] };
  const withWest = (of: typeof pools) => {
    const clusters = [...of.clusters, { ...of.clusters[0]!, name: 'west' }];
    return aDeclared({ pools: { ...of, clusters } });
  };
  const told = (before: typeof pools) =>
    poolFileCautions(aDeclared({ pools: before }), withWest(before))[0]?.message;
  const names = pools.pools.map(({ name }) => name);
  expect(told(pools)).toContain(
    `cluster west announces the addresses of pool ${names.join(', ')} too, unless its clusters are named`,
  );
  expect(told(closed)).not.toContain(`pool ${names[0]},`);
  // A pool whose clusters the change names says it itself.
  const named = pools.pools.map((pool) => ({ ...pool, clusters: ['default', 'west'] }));
  const after = withWest({ ...pools, pools: named });
  const [caution] = poolFileCautions(aDeclared({ pools }), after);
  expect(caution?.message).toContain('clusters unset → default, west');
  expect(caution?.message).not.toContain('too, unless its clusters are named');
});

test('what a change of the pool file does to present leases is told where it does', () => {
  const pools = thePools();
  const [first, ...others] = pools.pools;
  const told = (changes: Partial<Pool>) => {
    const changed = { ...pools, pools: [{ ...first!, ...changes }, ...others] };
    return poolFileCautions(aDeclared({ pools }), aDeclared({ pools: changed }))[0]?.message;
  };
  const advertise: Pool['advertise'] = [{ ...plainBgp, name: first!.name }];
  const [range] = first!.ranges;
  expect(told({ retentionDays: 300 })).toMatch(/retentionDays \d+ → 300$/);
  expect(told({ advertise })).toMatch(
    /; advertise also changes how the addresses of present leases are announced$/,
  );
  expect(told({ nat: [{ inside: range!, outside: range! }] })).toMatch(
    /; nat also changes the public addresses of present leases$/,
  );
});

test('a new cluster needs the objects of its engine, which are named once for all', () => {
  const pools = thePools();
  const withNew = (...names: readonly string[]) => {
    const clusters = names.map((name) => ({ ...pools.clusters[0]!, name }));
    return aDeclared({ pools: { ...pools, clusters: [...pools.clusters, ...clusters] } });
  };
  const told = (...names: readonly string[]) =>
    poolFileCautions(head, withNew(...names))[0]
      ?.message.split('; ')
      .slice(-1);
  expect(told('west')).toEqual([
    'Argo CD or Flux needs new objects for cluster west: `leasehold gitops` prints them',
  ]);
  expect(told('west', 'north')).toEqual([
    'Argo CD or Flux needs new objects for cluster west, north: `leasehold gitops` prints them',
  ]);
  expect(poolFileCautions(withNew('west'), head)[0]?.message).not.toContain('gitops');
});

describe('a pool that a pull request fills', () => {
  const isTold = (before: Occupancy | undefined, after: Occupancy | undefined): boolean => {
    const named = { pool: 'default', zone: 'inet', family: 'ipv4' } as const;
    const total = { ...named, ...(before && { before }), ...(after && { after }) };
    return fillingCautions([total], head).length > 0;
  };
  const used = (held: number, retained = 0) => anOccupancy({ usable: '100', held, retained });

  test.each<[string, Occupancy | undefined, Occupancy | undefined, boolean]>([
    ['up to 79 %', used(78), used(79), false],
    ['to 80 %', used(79), used(80), true],
    ['further', used(90), used(91), true],
    ['no further', used(90), used(90), false],
    ['less', used(90), used(89), false],
    ['with what is kept after release', used(90), used(89, 2), true],
    ['with what was held and is kept now', used(90), used(89, 1), false],
    ['from its beginning', undefined, used(81), true],
    ['until it is gone', used(90), undefined, false],
  ])('%s', (_, before, after, expected) => {
    expect(isTold(before, after)).toBe(expected);
  });

  test('is reported with its free addresses and the place of its declaration', () => {
    const total = { pool: 'default', zone: 'inet', family: 'ipv6', after: used(81) } as const;
    expect(fillingCautions([total], head)).toEqual([
      {
        code: 'POOL_FILLING',
        message: 'pool default is 81 % full: 19 of 100 IPv6 addresses are free',
        at: { side: 'head', file: 'leases/pools.yaml', line: 1 },
      },
    ]);
  });
});

test('quotas and branches are part of the pool file', () => {
  const before = thePools({
    quotas: { default: 4, owners: new Map([['core/shop', 3]]) },
    branches: [],
  });
  const after = thePools({
    quotas: { default: undefined, owners: new Map([['core/shop', 40]]) },
    branches: ['live'],
  });
  const [caution] = poolFileCautions(aDeclared({ pools: before }), aDeclared({ pools: after }));
  expect(caution?.message).toBe(
    'branches none → live; quotas.default 4 → unset; quotas.owners.core/shop 3 → 40',
  );
});

test('the order of quotas and branches does not matter', () => {
  const owners: [string, number][] = [
    ['core/shop', 3],
    ['core/web', 4],
  ];
  const branches = ['live', 'test'];
  const same = [owners, owners.toReversed()].map((own, turn) =>
    declaredText(
      thePools({
        quotas: { default: 2, owners: new Map(own) },
        branches: turn === 0 ? branches : branches.toReversed(),
      }),
    ),
  );
  expect(same[1]).toBe(same[0]);
});

test('the rules of DNS names are part of the pool file', () => {
  const before = thePools({
    dns: { ttl: 60, allowed: undefined, blocked: ['b.example', 'a.example'] },
  });
  const after = thePools({ dns: { ttl: 300, allowed: ['example.com'], blocked: [] } });
  const messages = (...sides: readonly [typeof before, typeof after]) => {
    const [base, changed] = sides.map((pools) => aDeclared({ pools }));
    return base && changed && poolFileCautions(base, changed).map(({ message }) => message);
  };

  expect(messages(before, after)).toEqual([
    'dns.allowed unset → example.com; dns.blocked a.example, b.example → none; dns.ttl 60 → 300',
  ]);
});

describe('a new range of a pool', () => {
  const side = (words: PoolWords, changes: Partial<Pool> = {}) =>
    aDeclared({ pools: poolsWith({ ...poolWith(words), ...changes }) });
  const told = (words: PoolWords, base: PoolWords = { addresses: ['192.0.2.1'] }) =>
    rangeCautions(side(base), side(words)).map(({ code, message }) => `${code} ${message}`);

  test.each<[PoolWords, readonly string[]]>([
    [
      { addresses: ['203.0.113.0/27'] },
      [
        'BLOCK_ENDS pool default assigns 203.0.113.0 and 203.0.113.31, at the ends of 203.0.113.0/27',
      ],
    ],
    [
      { addresses: ['203.0.113.0/27'], reserved: ['203.0.113.31'] },
      ['BLOCK_ENDS pool default assigns 203.0.113.0, at the end of 203.0.113.0/27'],
    ],
    [{ addresses: ['203.0.113.0/27'], reserved: ['203.0.113.0', '203.0.113.31'] }, []],
    [{ addresses: ['203.0.113.0/24'], avoidBuggyIPs: true }, []],
    [{ addresses: ['203.0.113.1-203.0.113.30'] }, []],
    [
      { addresses: ['169.254.7.1-169.254.7.9'] },
      [
        'LINK_LOCAL pool default assigns link-local addresses of 169.254.0.0/16, which routers do not forward',
      ],
    ],
  ])('%j', (words, messages) => {
    expect(told(words)).toEqual(messages);
  });

  test('is not told where the base has it, or BGP announces it', () => {
    const words = { addresses: ['203.0.113.0/27'] };
    expect(told(words, { ...words, name: 'other' })).toEqual([]);
    const advertise: Pool['advertise'] = [{ ...plainBgp, name: 'default' }];
    expect(rangeCautions(aDeclared(), side(words, { advertise }))).toEqual([]);
    expect(rangeCautions(aDeclared(), side(words))).toHaveLength(1);
  });

  test('of a split is told only with the ends that no pool gave before', () => {
    const base = { addresses: ['203.0.113.0/27'] };
    const split = { addresses: ['203.0.113.0/28', '203.0.113.64/28'] };
    expect(told(split, base)).toEqual([
      'BLOCK_ENDS pool default assigns 203.0.113.64 and 203.0.113.79, at the ends of 203.0.113.64/28',
    ]);
    expect(told(split, { ...base, reserved: ['203.0.113.15'] })).toContain(
      'BLOCK_ENDS pool default assigns 203.0.113.15, at the end of 203.0.113.0/28',
    );
  });
});

describe('an address that anyone can get on the day of its release', () => {
  const addresses = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'];
  const told = (freeFrom: string, before = aSide(), named = addresses) => {
    const released = ['2026-01-02', freeFrom] as const;
    const table = aTable(...named.map((address) => [address, { released }] as const));
    const changes = named.map((address) => aChange({ address, change: 'released', before }));
    return shortCautions(changes, aDeclared({ table })).map(({ message }) => message);
  };

  test('is told by name for three, and by number for those beyond', () => {
    expect(told('2026-01-02', aSide(), addresses.slice(0, 3))).toEqual([
      'pool default has no retention: anyone can get 10.0.0.1, 10.0.0.2, 10.0.0.3 on the day of release',
    ]);
    expect(told('2026-01-02')).toEqual([
      'pool default has no retention: anyone can get 10.0.0.1, 10.0.0.2, 10.0.0.3 and 1 more on the day of release',
    ]);
  });

  test('is not told where it is kept for a day, or was not held before', () => {
    expect(told('2026-01-03')).toEqual([]);
    expect(told('2026-01-02', aSide(undefined, '2026-01-01'))).toEqual([]);
  });

  test('is not told of an address without a record, which is a problem of its own', () => {
    const removed = aChange({ address: '10.0.0.1', change: 'released', before: aSide() });
    expect(shortCautions([removed], aDeclared())).toEqual([]);
  });
});
