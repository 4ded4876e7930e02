import { describe, expect, test } from 'vitest';
import { allocate } from '../../../../src/core/allocate/allocate.ts';
import { startOf } from '../../../../src/core/model/problem.ts';
import {
  changesOf,
  codesOf,
  heldAfter,
  problemsOf,
} from '../../../support/allocations/allocation-run.ts';
import {
  aDay,
  aTable,
  poolsWith,
  poolWith,
  theHolders,
} from '../../../support/allocations/tables.ts';
import { anAddress } from '../../../support/declarations/pools-and-claims.ts';
import {
  type ReservationWords,
  serviceClaim,
} from '../../../support/declarations/service-claims.ts';

const a = poolWith({
  name: 'a',
  addresses: ['203.0.113.0/28', '2001:db8:a::/124'],
  reserved: ['203.0.113.1'],
});
const b = poolWith({ name: 'b', addresses: ['198.51.100.0/28', '2001:db8:b::/124'] });
const lab = poolWith({ name: 'lab', zone: 'lab', addresses: ['192.0.2.0/28'] });
const pools = poolsWith(a, b, lab);
const bobHolds = { pool: 'a', name: 'bob' };
const bobLeft = { pool: 'a', name: 'bob', released: ['2026-03-01', '2026-03-20'] as const };

test('a pinned free address is assigned', () => {
  expect(heldAfter({ pools, claims: [{ pin: '198.51.100.9' }] })).toEqual(['198.51.100.9 alice']);
});

test('a pin decides the zone when the claims name none', () => {
  expect(heldAfter({ pools, claims: [{ pin: '192.0.2.3' }] })).toEqual(['192.0.2.3 alice']);
});

test('a dual-stack claim gets its other family from the pool of its pin', () => {
  const claims = [{ pin: '2001:db8:b::7', ipFamily: 'dual' as const }];
  const [v6, v4] = heldAfter({ pools, claims }).toReversed();
  expect(v6).toBe('2001:db8:b::7 alice');
  expect(v4).toMatch(/^198\.51\.100\./);
});

test("a pin may take a free released address, and the holder's own one while it is retained", () => {
  const table = aTable(['203.0.113.7', bobLeft]);
  const free = { pools, table, today: '2026-03-20' };
  expect(changesOf({ ...free, claims: [{ pin: '203.0.113.7' }] })).toEqual([
    'allocated 203.0.113.7',
  ]);
  expect(changesOf({ pools, table, claims: [{ name: 'bob', pin: '203.0.113.7' }] })).toEqual([
    'reclaimed 203.0.113.7',
  ]);
});

describe('a pin is refused', () => {
  test.each([
    ['PIN_OUTSIDE', 'in no pool', { pin: '10.0.0.1' }],
    ['PIN_OUTSIDE', 'in another pool than its claims name', { pin: '203.0.113.7', pool: 'b' }],
    ['PIN_OUTSIDE', 'in another zone', { pin: '203.0.113.7', zone: 'lab' }],
    ['PIN_RESERVED', 'reserved', { pin: '203.0.113.1' }],
  ])('%s: %s', (code, _, claim) => {
    expect(problemsOf({ pools, claims: [{ ...claim, line: 12 }] })).toEqual([
      expect.objectContaining({ code, at: { file: 'leases/alice-1.yaml', line: 12, column: 1 } }),
    ]);
  });

  test('PIN_OUTSIDE: the pins of the two families lie in two pools', () => {
    const claims = [
      { port: 1, pin: '203.0.113.7' },
      { port: 2, pin: '2001:db8:b::7', ipFamily: 'ipv6' as const },
    ];
    expect(codesOf({ pools, claims })).toEqual(['PIN_OUTSIDE']);
  });

  test('PIN_OUTSIDE: the other family is held in another pool', () => {
    const table = aTable(['203.0.113.7', { pool: 'a' }]);
    const claims = [{ ipFamily: 'dual' as const, pin: '2001:db8:b::7' }];
    expect(codesOf({ pools, claims, table })).toEqual(['PIN_OUTSIDE']);
  });

  test('PIN_RESERVED: it ends in .0 or .255 and the pool avoids those', () => {
    const careful = poolsWith(poolWith({ addresses: ['203.0.113.0/24'], avoidBuggyIPs: true }));
    expect(codesOf({ pools: careful, claims: [{ pin: '203.0.113.0' }] })).toEqual(['PIN_RESERVED']);
    expect(codesOf({ pools: careful, claims: [{ pin: '203.0.113.255' }] })).toEqual([
      'PIN_RESERVED',
    ]);
    expect(codesOf({ pools: careful, claims: [{ pin: '203.0.113.254' }] })).toEqual([]);
  });

  test('PIN_TAKEN: it is held, and the record is named', () => {
    const claims = [{ pin: '203.0.113.7' }, { name: 'bob', pool: 'a' }];
    const table = aTable(['203.0.113.7', bobHolds]);
    expect(problemsOf({ pools, claims, table })).toEqual([
      expect.objectContaining({
        code: 'PIN_TAKEN',
        also: [
          expect.objectContaining({ file: 'leases/bob-1.yaml' }),
          expect.objectContaining({ file: 'leases/allocations/203.0.113.7.yaml' }),
        ],
      }),
    ]);
  });

  test('PIN_TAKEN: it is released in the same run, and is available in the next run', () => {
    const table = aTable(['203.0.113.7', bobHolds]);
    expect(codesOf({ pools, claims: [{ pin: '203.0.113.7' }], table })).toEqual(['PIN_TAKEN']);
  });

  test('PIN_TAKEN: two holders pin it', () => {
    const claims = [{ pin: '203.0.113.7' }, { name: 'bob', pin: '203.0.113.7' }];
    expect(problemsOf({ pools, claims })).toEqual([
      expect.objectContaining({
        code: 'PIN_TAKEN',
        at: expect.objectContaining({ file: 'leases/bob-1.yaml' }),
        also: [expect.objectContaining({ file: 'leases/alice-1.yaml' })],
      }),
    ]);
  });

  test('PIN_RETAINED: it is retained for its last holder, and the message has the day', () => {
    const table = aTable(['203.0.113.7', bobLeft]);
    expect(problemsOf({ pools, claims: [{ pin: '203.0.113.7' }], table })).toEqual([
      expect.objectContaining({
        code: 'PIN_RETAINED',
        message: expect.stringContaining('2026-03-20'),
      }),
    ]);
  });

  test('POOL_DRAINING: its pool gives no new addresses, even to its last holder once it is free', () => {
    const draining = poolsWith({ ...a, state: 'draining' });
    const table = aTable(['203.0.113.7', bobLeft]);
    const claims = [{ name: 'bob', pin: '203.0.113.7' }];
    expect(codesOf({ pools: draining, claims: [{ pin: '203.0.113.8' }] })).toEqual([
      'POOL_DRAINING',
    ]);
    expect(codesOf({ pools: draining, claims, table })).toEqual([]);
    expect(codesOf({ pools: draining, claims, table, today: '2026-03-20' })).toEqual([
      'POOL_DRAINING',
    ]);
  });
});

describe('the hint of a refused pin', () => {
  const hintOf = (input: Parameters<typeof problemsOf>[0]) => problemsOf(input)[0]?.hint;
  const inA = 'pin another address of pool a (203.0.113.0/28)';
  const map = '`leasehold map a` shows which are free';

  test.each([
    [
      'in no pool',
      { pin: '10.0.0.1' },
      'pin an address of one of the pools a (203.0.113.0/28), b (198.51.100.0/28), or add it to a pool in leases/pools.yaml',
    ],
    [
      'in no pool, where none has addresses of its family',
      { pin: '2001:db8::1', ipFamily: 'ipv6' as const, zone: 'lab' },
      'add it to a pool in leases/pools.yaml',
    ],
    [
      'in another pool',
      { pin: '203.0.113.7', pool: 'b' },
      'pin an address of pool b (198.51.100.0/28), or ask for pool a',
    ],
    [
      'in another zone',
      { pin: '203.0.113.7', zone: 'lab' },
      'pin an address of pool lab (192.0.2.0/28), or ask for zone inet',
    ],
    ['reserved', { pin: '203.0.113.1' }, `${inA}, or remove it from reserved of the pool; ${map}`],
  ])('%s', (_, claim, hint) => {
    expect(hintOf({ pools, claims: [claim] })).toBe(hint);
  });

  test('names the first three ranges of a pool', () => {
    const many = poolsWith(
      poolWith({ addresses: ['3', '1', '7', '5', '9'].map((last) => `203.0.113.${last}`) }),
    );
    expect(hintOf({ pools: many, claims: [{ pin: '10.0.0.1' }] })).toContain(
      '(203.0.113.1, 203.0.113.3, 203.0.113.5 and 2 more)',
    );
  });

  test('the message has the whole reserved range, and the pool as a second place', () => {
    const reserved = poolWith({ addresses: ['203.0.113.0/28'], reserved: ['203.0.113.0/30'] });
    expect(problemsOf({ pools: poolsWith(reserved), claims: [{ pin: '203.0.113.1' }] })).toEqual([
      expect.objectContaining({
        message: expect.stringContaining('with all of 203.0.113.0/30'),
        also: [reserved.at],
      }),
    ]);
  });

  test('for a held, retained, draining and twice pinned address', () => {
    const claims = [{ pin: '203.0.113.7' }];
    const held = aTable(['203.0.113.7', bobHolds]);
    expect(hintOf({ pools, claims, table: held })).toMatch(
      new RegExp(
        `^to go on with its address .* \`leasehold rename \\S+ \\S+\`; else ${inA.replace(/[()]/g, '.')}, or remove the pin; ${map}$`,
      ),
    );
    const kept = aTable(['203.0.113.7', bobLeft]);
    expect(hintOf({ pools, claims, table: kept })).toBe(
      `${inA}, or remove the pin, or wait until 2026-03-20; ${map}`,
    );
    const draining = poolsWith({ ...a, state: 'draining' }, b);
    expect(hintOf({ pools: draining, claims })).toBe(
      'pin an address of pool b (198.51.100.0/28), or set state: active for the pool',
    );
    expect(hintOf({ pools, claims: [...claims, { name: 'bob', pin: '203.0.113.7' }] })).toBe(
      `${inA}, or remove this pin; ${map}`,
    );
  });
});

test('the hint suggests sharing only with a Service of the same namespace', () => {
  const pins = [{ address: anAddress('203.0.113.7'), at: startOf('leases/web.yaml') }];
  const hintWith = (other: ReservationWords) => {
    const holders = theHolders(
      pools,
      serviceClaim({ name: 'api', pins }),
      serviceClaim({ name: 'web', pins, ...other }),
    );
    const outcome = allocate(pools, holders, aTable(), { today: aDay('2026-03-10') });
    return outcome.ok ? undefined : outcome.problems[0]?.hint;
  };
  expect(hintWith({})).toContain('share the address with the same sharing key');
  expect(hintWith({ namespace: 'shop2' })).not.toContain('sharing key');
  expect(hintWith({ cluster: 'east' })).not.toContain('sharing key');
});

test('a shortage is reported beside a pin problem', () => {
  const small = poolsWith(poolWith({ addresses: ['203.0.113.1'] }));
  const claims = [{ name: 'ann' }, { name: 'ben' }, { name: 'cy', pin: '10.0.0.1' }];
  expect([...codesOf({ pools: small, claims })].sort()).toEqual(['PIN_OUTSIDE', 'POOL_EXHAUSTED']);
});
