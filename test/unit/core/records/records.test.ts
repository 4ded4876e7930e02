import { describe, expect, test } from 'vitest';
import {
  changesOf,
  codesOf,
  problemsOf,
  tableAfter,
} from '../../../support/allocations/allocation-run.ts';
import { aTable, poolsWith, poolWith } from '../../../support/allocations/tables.ts';

const pools = poolsWith(poolWith({ retentionDays: 1 }));
const address = '203.0.113.7';
const held = aTable([address, { since: '2026-02-01', retain: 10 }]);

function recordAfter(words: Parameters<typeof tableAfter>[0]) {
  return tableAfter(words).get(address);
}

describe('what is recorded of a held address', () => {
  test('retain is the longest retention of the claims and the pool', () => {
    const retains = [[0], [1], [3, 7, 0]].map((days) => {
      const claims = days.map((retain, index) => ({ port: index + 1, retain }));
      return [...tableAfter({ pools, claims }).values()].map(({ retain }) => retain);
    });
    expect(retains).toEqual([[1], [1], [7]]);
  });

  test('a longer retention is recorded, and since stays', () => {
    expect(recordAfter({ pools, claims: [{ retain: 12 }], table: held })).toMatchObject({
      since: '2026-02-01',
      retain: 12,
      keepUntil: undefined,
    });
  });

  test('a shorter retention leaves the longer one in keepUntil', () => {
    expect(recordAfter({ pools, claims: [{ retain: 2 }], table: held })).toMatchObject({
      retain: 2,
      keepUntil: '2026-03-20',
      released: undefined,
    });
  });

  test('keepUntil never gets earlier', () => {
    const table = aTable([address, { retain: 5, keepUntil: '2026-04-30' }]);
    expect(recordAfter({ pools, claims: [{ retain: 2 }], table })?.keepUntil).toBe('2026-04-30');
    const soon = aTable([address, { retain: 5, keepUntil: '2026-03-11' }]);
    expect(recordAfter({ pools, claims: [{ retain: 2 }], table: soon })?.keepUntil).toBe(
      '2026-03-15',
    );
  });

  test('a shorter retention shortens no retention of before', () => {
    const table = aTable([address, { retain: 3 }]);
    expect(recordAfter({ pools, claims: [{}], table })).toMatchObject({
      retain: 1,
      keepUntil: '2026-03-13',
    });
  });
});

describe('a release', () => {
  test.each([
    ['as long as the retention says', {}, '2026-03-20'],
    ['until keepUntil when that is later', { keepUntil: '2026-03-25' }, '2026-03-25'],
    [
      'as long as the retention says when keepUntil is earlier',
      { keepUntil: '2026-03-12' },
      '2026-03-20',
    ],
  ])('keeps the address %s', (_, words, freeFrom) => {
    const table = aTable([address, { since: '2026-02-01', retain: 10, ...words }]);
    expect(recordAfter({ pools, table })).toMatchObject({
      holder: 'default/akash/alice',
      since: '2026-02-01',
      keepUntil: undefined,
      released: { on: '2026-03-10', freeFrom },
    });
  });

  test('releases only the family that is no longer requested', () => {
    const both = poolsWith(poolWith({ addresses: ['203.0.113.0/28', '2001:db8::/124'] }));
    const table = aTable([address], ['2001:db8::7']);
    expect(changesOf({ pools: both, claims: [{ ipFamily: 'ipv6' }], table })).toEqual([
      `released ${address}`,
    ]);
  });

  test('without a retention lets the next run give the address, not the same one', () => {
    const one = poolsWith(poolWith({ addresses: [address] }));
    const table = aTable([address]);
    const claims = [{ name: 'bob' }];
    expect(codesOf({ pools: one, claims, table })).toEqual(['POOL_EXHAUSTED']);
    const after = tableAfter({ pools: one, table });
    expect(changesOf({ pools: one, claims, table: after })).toEqual([`allocated ${address}`]);
  });
});

describe('a holder that comes back', () => {
  const left = aTable([
    address,
    { since: '2026-02-01', retain: 10, released: ['2026-03-01', '2026-03-30'] },
  ]);

  test('has its address again, as of today, with a longer retention in keepUntil', () => {
    expect(recordAfter({ pools, claims: [{ retain: 4 }], table: left })).toMatchObject({
      since: '2026-03-10',
      retain: 4,
      keepUntil: '2026-03-30',
      released: undefined,
    });
  });

  test('and leaves again at once loses nothing of the first retention', () => {
    const back = tableAfter({ pools, claims: [{}], table: left });
    expect(recordAfter({ pools, table: back })?.released?.freeFrom).toBe('2026-03-30');
  });

  test('with a retention as long has no keepUntil', () => {
    const words = { pools, claims: [{ retain: 30 }], table: left };
    expect(recordAfter(words)?.keepUntil).toBeUndefined();
  });

  test('gets the address it left last when two are kept for it, whatever their order', () => {
    const records = [
      ['203.0.113.3', { released: ['2026-03-02', '2026-03-30'] }],
      ['203.0.113.4', { released: ['2026-03-05', '2026-03-30'] }],
      ['203.0.113.5', { released: ['2026-03-04', '2026-03-30'] }],
    ] as const;
    for (const order of [records, records.toReversed()]) {
      const changes = changesOf({ pools, claims: [{}], table: aTable(...order) });
      expect(changes).toEqual(['reclaimed 203.0.113.4']);
    }
  });

  test('gets another address when the one kept for it is reserved by now', () => {
    const reserving = poolsWith(poolWith({ reserved: ['203.0.113.4'] }));
    const table = aTable(
      ['203.0.113.4', { released: ['2026-03-05', '2026-03-30'] }],
      ['203.0.113.5', { released: ['2026-03-04', '2026-03-30'] }],
    );
    expect(changesOf({ pools: reserving, claims: [{}], table })).toEqual(['reclaimed 203.0.113.5']);
  });
});

describe('DATE_EARLIER', () => {
  const table = aTable(
    ['203.0.113.3', { since: '2026-03-11' }],
    ['203.0.113.2', { since: '2026-02-01', released: ['2026-03-12', '2026-03-12'] }],
    ['203.0.113.1', { since: '2026-03-12', name: 'bob' }],
  );

  test('stands at the newest recorded day, of several at the lowest address', () => {
    const claims = [{}, { name: 'bob' }, { name: 'cy' }, { name: 'dan' }];
    const more = [...table, ...aTable(['203.0.113.0', { since: '2026-03-11', name: 'dan' }])];
    for (const records of [new Map(more), new Map(more.reverse())]) {
      const words = { pools, claims, table: records, today: '2026-03-10' };
      expect(problemsOf(words)).toEqual([
        expect.objectContaining({
          code: 'DATE_EARLIER',
          message: expect.stringContaining('2026-03-12'),
          at: expect.objectContaining({ file: 'leases/allocations/203.0.113.1.yaml' }),
        }),
      ]);
    }
  });

  test('is not reported when nothing has to be recorded, or on the same day', () => {
    const up = poolsWith(poolWith());
    const claims = [{}, { name: 'bob' }];
    expect(codesOf({ pools: up, claims, table, today: '2026-01-01' })).toEqual([]);
    expect(codesOf({ pools: up, claims: [{}], table, today: '2026-03-12' })).toEqual([]);
    expect(codesOf({ pools: up, claims: [{}], table, today: '2026-03-11' })).toEqual([
      'DATE_EARLIER',
    ]);
  });

  test('is told beside other problems', () => {
    const claims = [{ pool: 'default', pin: '203.0.113.9' }, { name: 'bob' }, { name: 'cy' }];
    const codes = codesOf({ pools, claims, table, today: '2026-03-11' });
    expect([...codes].sort()).toEqual(['DATE_EARLIER', 'PIN_MOVED']);
  });

  test('is found in records without a file too', () => {
    const made = new Map([...table].map(([text, record]) => [text, { ...record, at: undefined }]));
    expect(codesOf({ pools, claims: [], table: made, today: '2026-03-11' })).toEqual([
      'DATE_EARLIER',
    ]);
  });
});

test('changes are told by address, and each once', () => {
  const table = aTable(['203.0.113.10'], ['203.0.113.9', { name: 'bob' }]);
  const claims = [
    { name: 'bob', retain: 3 },
    { name: 'cy', pin: '203.0.113.2' },
  ];
  expect(changesOf({ pools, claims, table })).toEqual([
    'allocated 203.0.113.2',
    'updated 203.0.113.9',
    'released 203.0.113.10',
  ]);
});
