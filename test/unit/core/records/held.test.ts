import { describe, expect, test } from 'vitest';
import { withMove } from '../../../../src/core/model/problem.ts';
import { changesOf, codesOf, problemsOf } from '../../../support/allocations/allocation-run.ts';
import { aTable, poolsWith, poolWith } from '../../../support/allocations/tables.ts';

const a = poolWith({ name: 'a', addresses: ['203.0.113.0/28', '2001:db8:a::/124'] });
const b = poolWith({ name: 'b', addresses: ['198.51.100.0/28', '2001:db8:b::/124'] });
const lab = poolWith({ name: 'lab', zone: 'lab', addresses: ['192.0.2.0/28'] });
const pools = poolsWith(a, b, lab);
const table = aTable(['203.0.113.7', { pool: 'a' }]);

test('a held address stays, whatever better one there is', () => {
  const lowest = poolsWith({ ...a, strategy: 'lowest' });
  expect(changesOf({ pools: lowest, claims: [{}], table })).toEqual([]);
});

test('a held address stays while its pool drains', () => {
  expect(changesOf({ pools: poolsWith({ ...a, state: 'draining' }), claims: [{}], table })).toEqual(
    [],
  );
});

test('an address whose pool got another name is recorded with that name, and stays', () => {
  const renamed = poolsWith({ ...a, name: 'new' });
  expect(changesOf({ pools: renamed, claims: [{}], table })).toEqual(['updated 203.0.113.7']);
});

test('two addresses of one family are HOLDER_SPLIT, which names both files', () => {
  const two = aTable(['203.0.113.9', { pool: 'a' }], ['203.0.113.7', { pool: 'a' }]);
  const [problem, ...others] = problemsOf({ pools, claims: [{}], table: two });
  expect(others).toEqual([]);
  expect([problem?.code, problem?.at.file, problem?.also?.[0]?.file]).toEqual([
    'HOLDER_SPLIT',
    'leases/allocations/203.0.113.9.yaml',
    'leases/allocations/203.0.113.7.yaml',
  ]);
});

test('a pin that differs from the address held is PIN_MOVED', () => {
  expect(problemsOf({ pools, claims: [{ pin: '203.0.113.8', line: 6 }], table })).toEqual([
    expect.objectContaining({
      code: 'PIN_MOVED',
      at: { file: 'leases/alice-1.yaml', line: 6, column: 1 },
      also: [expect.objectContaining({ file: 'leases/allocations/203.0.113.7.yaml' })],
    }),
  ]);
  expect(codesOf({ pools, claims: [{ pin: '203.0.113.7' }], table })).toEqual([]);
});

test('a pin of an address that the pool never gives advises no move to it', () => {
  const reserving8 = poolsWith({ ...a, ...reserving('203.0.113.8') });
  const [problem] = problemsOf({ pools: reserving8, claims: [{ pin: '203.0.113.8' }], table });
  expect([problem?.code, problem?.hint]).toEqual([
    'PIN_MOVED',
    'pool a reserves it; to keep 203.0.113.7, pin it or remove the pin',
  ]);
});

test('a pin of an address that another holder keeps advises no move to it', () => {
  const both = aTable(['203.0.113.7', { pool: 'a' }], ['203.0.113.8', { pool: 'a', name: 'bob' }]);
  const claims = [{ pin: '203.0.113.8' }, { name: 'bob' }];
  const [problem] = problemsOf({ pools, claims, table: both });
  expect(problem?.code).toBe('PIN_MOVED');
  expect(problem?.hint).toMatch(
    /^203\.0\.113\.8 is held by default\/akash\/bob: pin 203\.0\.113\.7 or remove the pin; once 203\.0\.113\.8 is free, `leasehold move 203\.0\.113\.7 --to 203\.0\.113\.8` takes it$/,
  );
  expect(problem?.also?.map(({ file }) => file)).toContain('leases/allocations/203.0.113.8.yaml');
});

test('two holders that pin the addresses of each other are advised to move both', () => {
  const both = aTable(['203.0.113.7', { pool: 'a' }], ['203.0.113.8', { pool: 'a', name: 'bob' }]);
  const claims = [{ pin: '203.0.113.8' }, { name: 'bob', pin: '203.0.113.7' }];
  const [problem] = problemsOf({ pools, claims, table: both });
  expect(problem?.hint).toContain('`leasehold move 203.0.113.7 203.0.113.8`');
});

test.each([
  ['203.0.113.8', ', run `leasehold move 203.0.113.7 --to 203.0.113.8`'],
  [
    '198.18.0.8',
    ', add 198.18.0.8 to a pool and commit leases/pools.yaml, then run `leasehold move 203.0.113.7 --to 198.18.0.8`',
  ],
])('a pin of %s, from which its holder was moved, is advised to go first', (from, words) => {
  const moved = aTable(['203.0.113.7', { pool: 'a', movedFrom: from }]);
  const [problem] = problemsOf({ pools, claims: [{ pin: from }], table: moved });
  expect(problem?.hint).toContain(
    `was moved from ${from}: to keep 203.0.113.7, pin it or remove the pin; to move it back${words}`,
  );
});

describe('the hint of a pin that differs from the address', () => {
  const keeping = 'to keep 203.0.113.7, pin it or remove the pin';
  const merge = 'on the branch, run `git merge main`, then ';
  const inMove = (pin: string, place: Parameters<typeof withMove>[1], movedFrom?: string) => {
    const held = aTable(['203.0.113.7', { pool: 'a', ...(movedFrom && { movedFrom }) }]);
    return problemsOf({ pools, claims: [{ pin }], table: held }).map(
      (problem) => withMove(problem, place).hint,
    );
  };

  test.each([
    ['203.0.113.8', undefined],
    ['198.18.0.8', undefined],
    ['203.0.113.8', '203.0.113.8'],
    ['198.18.0.8', '198.18.0.8'],
  ])('moves nothing while a merge is in progress: %s of %s', (pin, movedFrom) => {
    expect(inMove(pin, { merge: '' }, movedFrom)).toEqual([keeping]);
  });

  test('moves after a merge, which moves nothing to a pin', () => {
    expect(inMove('203.0.113.8', { merge })).toEqual([
      `an address never moves by an edit: ${merge}\`leasehold move 203.0.113.7 --to 203.0.113.8\`; ${keeping}`,
    ]);
    expect(inMove('198.18.0.8', { merge })).toEqual(inMove('198.18.0.8', {}));
  });

  test('moves with the option of the run', () => {
    expect(inMove('203.0.113.8', { option: ' --base main' })).toEqual([
      `an address never moves by an edit: run \`leasehold move 203.0.113.7 --to 203.0.113.8 --base main\`; ${keeping}`,
    ]);
  });
});

describe('a held address is ADDRESS_STRANDED', () => {
  test.each([
    ['no pool has it', poolsWith(b, lab), {}, 'no longer in a pool'],
    [
      'the pool shrank',
      poolsWith(poolWith({ name: 'a', addresses: ['203.0.113.8/29'] })),
      {},
      'no longer in a pool',
    ],
    ['it is reserved', poolsWith({ ...a, ...reserving('203.0.113.7') }), {}, 'reserves it'],
    ['its claims name another pool', pools, { pool: 'b' }, 'pool b'],
    ['its claims name another zone', pools, { zone: 'lab' }, 'zone lab'],
    ['its pool is in another zone', poolsWith(b, { ...a, zone: 'lab' }), {}, 'zone inet'],
  ])('when %s', (_, now, claim, words) => {
    const problems = problemsOf({ pools: now, claims: [claim], table });
    expect(problems).toEqual([
      expect.objectContaining({
        code: 'ADDRESS_STRANDED',
        message: expect.stringContaining(words),
        at: expect.objectContaining({ file: 'leases/allocations/203.0.113.7.yaml' }),
        also: [expect.objectContaining({ file: 'leases/alice-1.yaml' })],
      }),
    ]);
    const frozen = problemsOf({ pools: now, claims: [claim], table, today: undefined });
    expect(frozen).toEqual(problems);
  });

  test('when its pool avoids addresses that end in .0 or .255', () => {
    const words = { addresses: ['203.0.113.0/24'], avoidBuggyIPs: true };
    const careful = poolsWith(poolWith({ name: 'a', ...words }));
    const buggy = aTable(['203.0.113.255', { pool: 'a' }]);
    expect(codesOf({ pools: careful, claims: [{}], table: buggy })).toEqual(['ADDRESS_STRANDED']);
  });

  test('when it lies in another pool than the same holder has the other family in', () => {
    const apart = aTable(['203.0.113.7', { pool: 'a' }], ['2001:db8:b::7', { pool: 'b' }]);
    const claims = [{ ipFamily: 'dual' as const }];
    expect(codesOf({ pools, claims, table: apart })).toEqual(['ADDRESS_STRANDED']);
  });
});

test('the hint of more than eight moves ranges that contain no other held address', () => {
  const lasts = [0, 1, 2, 4, 5, 7, 8, 9, 10, 11, 12];
  const rows = lasts.map((last) => [`203.0.113.${last}`, { pool: 'a', name: `t${last}` }] as const);
  const claims = lasts.map((last) => ({ name: `t${last}` }));
  // Only 203.0.113.7 is left of the pool.
  const now = poolsWith(b, lab, poolWith({ name: 'a', addresses: ['203.0.113.7/32'] }));
  const problems = problemsOf({ pools: now, claims, table: aTable(...rows) });
  expect(problems.map(({ code }) => code)).toEqual(Array(10).fill('ADDRESS_STRANDED'));
  expect(new Set(problems.map(({ hint }) => hint))).toEqual(
    new Set([
      'undo the change, or give them other addresses: `leasehold move 203.0.113.0-203.0.113.5 203.0.113.8-203.0.113.12`',
    ]),
  );
});

test('problems of several holders come together, by place', () => {
  const both = aTable(['203.0.113.7', { pool: 'a' }], ['203.0.113.8', { pool: 'a', name: 'bob' }]);
  const claims = [{ pool: 'b' }, { name: 'bob', zone: 'lab' }, { name: 'cy', pin: '10.0.0.1' }];
  expect(codesOf({ pools, claims, table: both })).toEqual([
    'ADDRESS_STRANDED',
    'ADDRESS_STRANDED',
    'PIN_OUTSIDE',
  ]);
});

test('a frozen run reports stale records: not allocated, not released, or not updated', () => {
  const kept = aTable(['203.0.113.7', { pool: 'a' }], ['203.0.113.8', { pool: 'a', name: 'bob' }]);
  const claims = [{ retain: 4 }, { name: 'cy' }];
  const problems = problemsOf({ pools, claims, table: kept, today: undefined });
  expect(problems.map(({ code, at }) => [code, at.file])).toEqual([
    ['STALE', 'leases/allocations/203.0.113.7.yaml'],
    ['STALE', 'leases/allocations/203.0.113.8.yaml'],
    ['STALE', 'leases/cy-1.yaml'],
  ]);
});

function reserving(text: string) {
  return { reserved: poolWith({ reserved: [text] }).reserved };
}
