import { describe, expect, it } from 'vitest';
import { mergeTables } from '../../../../src/core/transitions/merge-tables.ts';
import {
  aDay,
  aTable,
  type ClaimWords,
  claimWith,
  poolsWith,
  poolWith,
  type RecordWords,
  theHolders,
} from '../../../support/allocations/tables.ts';

const inet = poolWith({ name: 'default', addresses: ['203.0.113.0/28'] });
const edge = poolWith({ name: 'edge', zone: 'edge', addresses: ['192.0.2.0/28', '2001:db8::/64'] });
const rim = poolWith({
  name: 'rim',
  zone: 'edge',
  addresses: ['198.51.100.0/28', '2001:db8:1::/64'],
});
const pools = poolsWith(inet, edge, rim);
const today = aDay('2026-03-10');

type Records = readonly (readonly [string, RecordWords?])[];

interface Case {
  readonly base?: Records;
  readonly kept?: Records;
  readonly other?: Records;
  readonly claims?: readonly ClaimWords[];
  readonly poolFile?: typeof pools;
}

/** The merged table in one line an address: `203.0.113.1 alice`, or `203.0.113.1 (alice)` once released. */
function merged({ base = [], kept = base, other = base, claims = [], poolFile = pools }: Case) {
  const sides = { base: aTable(...base), kept: aTable(...kept), other: aTable(...other) };
  const holders = theHolders(poolFile, ...claims.map(claimWith));
  const table = mergeTables(sides, poolFile, holders, today);
  return [...table].sort().map(([address, { holder, released, retain }]) => {
    const name = holder.split('/').at(-1);
    const text = released ? `(${name})` : name;
    return `${address} ${text}${retain > 0 ? ` ${retain}` : ''}`;
  });
}

const released: RecordWords = { released: ['2026-03-01', '2026-03-02'] };
const retained: RecordWords = { released: ['2026-03-01', '2026-04-01'] };

describe('an address that the kept side holds', () => {
  const base: Records = [['203.0.113.1']];

  it('stays as it is if neither side changed it', () => {
    expect(merged({ base })).toEqual(['203.0.113.1 alice']);
  });

  it('takes over a retention that only the other side changed', () => {
    expect(merged({ base, other: [['203.0.113.1', { retain: 9 }]] })).toEqual([
      '203.0.113.1 alice 9',
    ]);
  });

  it('keeps the retention of the kept side if both changed it', () => {
    const kept: Records = [['203.0.113.1', { retain: 5 }]];
    expect(merged({ base, kept, other: [['203.0.113.1', { retain: 9 }]] })).toEqual([
      '203.0.113.1 alice 5',
    ]);
  });

  it('is released as on the other side if no claim is left', () => {
    expect(merged({ base, other: [['203.0.113.1', retained]] })).toEqual(['203.0.113.1 (alice)']);
  });

  it('stays held if a claim is left, although the other side released it', () => {
    const other: Records = [['203.0.113.1', retained]];
    expect(merged({ base, other, claims: [{}] })).toEqual(['203.0.113.1 alice']);
  });

  it('stays with its holder if the other side removed the record or gave the address away', () => {
    expect(merged({ base, other: [] })).toEqual(['203.0.113.1 alice']);
    const other: Records = [['203.0.113.1', { name: 'bob' }]];
    expect(merged({ base, other, claims: [{ name: 'bob' }] })).toEqual(['203.0.113.1 alice']);
  });

  it('keeps its first day if the other side released it and took it again', () => {
    const other: Records = [['203.0.113.1', { since: '2026-03-01', retain: 3 }]];
    expect(merged({ base, other, claims: [{}] })).toEqual(['203.0.113.1 alice']);
  });
});

describe('an address that is not held on the kept side', () => {
  it('goes to the holder that got it on the other side', () => {
    const other: Records = [['203.0.113.1', { name: 'bob' }]];
    expect(merged({ other, claims: [{ name: 'bob' }] })).toEqual(['203.0.113.1 bob']);
  });

  it('stays with the kept side if both sides gave it', () => {
    const kept: Records = [['203.0.113.1', {}]];
    const other: Records = [['203.0.113.1', { name: 'bob' }]];
    expect(merged({ kept, other, claims: [{}, { name: 'bob' }] })).toEqual(['203.0.113.1 alice']);
  });

  it('counts as never given if its holder has another one on the kept side', () => {
    const kept: Records = [['203.0.113.1', {}]];
    const other: Records = [['203.0.113.2', {}]];
    expect(merged({ kept, other, claims: [{}] })).toEqual(['203.0.113.1 alice']);
  });

  it('is as before the merge if the holder on the other side may not have it', () => {
    const base: Records = [['203.0.113.1', released]];
    const other: Records = [['203.0.113.1', { name: 'bob' }]];
    const claims = [{ name: 'bob', zone: 'edge' }];
    expect(merged({ base, other, claims })).toEqual(['203.0.113.1 (alice)']);
  });

  it.each([
    ['its claims are gone', [], pools],
    ['its claims need no such family', [{ ipFamily: 'ipv6' }], pools],
    ['it pins another one', [{ pin: '203.0.113.9' }], pools],
    ['another holder pins it', [{}, { name: 'bob', pin: '203.0.113.1' }], pools],
    ['no pool has it', [{}], poolsWith(poolWith({ addresses: ['203.0.113.8/29'] }))],
    ['its pool reserves it', [{}], poolsWith(poolWith({ reserved: ['203.0.113.1'] }))],
  ] as const)('is not given when %s', (_, claims, poolFile) => {
    expect(merged({ other: [['203.0.113.1']], claims, poolFile })).toEqual([]);
  });

  it('is not given if its pool avoids such addresses', () => {
    const poolFile = poolsWith(poolWith({ avoidBuggyIPs: true }));
    expect(merged({ other: [['203.0.113.0']], claims: [{}], poolFile })).toEqual([]);
  });

  it('is the earlier of two that a holder got on the other side', () => {
    const other: Records = [
      ['203.0.113.1', { since: '2026-02-02' }],
      ['203.0.113.2', { since: '2026-02-01' }],
    ];
    expect(merged({ other, claims: [{}] })).toEqual(['203.0.113.2 alice']);
  });

  it('is the lower of two that a holder got on one day, whatever the order of the records', () => {
    const other: Records = [['203.0.113.2'], ['203.0.113.1']];
    expect(merged({ other, claims: [{}] })).toEqual(['203.0.113.1 alice']);
  });

  it('is dropped with the other family, so that both come from one pool', () => {
    const kept: Records = [['192.0.2.1', { name: 'bob', pool: 'edge' }]];
    const other: Records = [
      ['192.0.2.1', { pool: 'edge' }],
      ['2001:db8::1', { pool: 'edge' }],
    ];
    const claims: ClaimWords[] = [
      { zone: 'edge', ipFamily: 'dual' },
      { name: 'bob', zone: 'edge' },
    ];
    expect(merged({ kept, other, claims })).toEqual(['192.0.2.1 bob']);
  });

  it("is given beside the holder's other family only from the same pool", () => {
    const base: Records = [['192.0.2.1', { pool: 'edge' }]];
    const claims: ClaimWords[] = [{ zone: 'edge', ipFamily: 'dual' }];
    const same: Records = [...base, ['2001:db8::1', { pool: 'edge' }]];
    expect(merged({ base, other: same, claims })).toEqual(['192.0.2.1 alice', '2001:db8::1 alice']);
    const another: Records = [...base, ['2001:db8:1::1', { pool: 'rim' }]];
    expect(merged({ base, other: another, claims })).toEqual(['192.0.2.1 alice']);
  });
});

describe('the record of a released address', () => {
  const base: Records = [['203.0.113.1', released]];

  it('stays removed if either side removed it', () => {
    expect(merged({ base, kept: [] })).toEqual([]);
    expect(merged({ base, other: [] })).toEqual([]);
  });

  it('stays if it was removed while the address is retained', () => {
    expect(merged({ base: [['203.0.113.1', retained]], other: [] })).toEqual([
      '203.0.113.1 (alice)',
    ]);
  });

  it('is taken over if the other side gave and released the address', () => {
    expect(merged({ base: [], other: base })).toEqual(['203.0.113.1 (alice)']);
  });

  it('is not taken over if the kept side gave the address again', () => {
    const kept: Records = [['203.0.113.1', { name: 'bob' }]];
    expect(merged({ base, kept, other: [['203.0.113.1', { name: 'carol' }]] })).toEqual([
      '203.0.113.1 bob',
    ]);
  });
});

describe('a move of the other side', () => {
  const [from, to] = ['203.0.113.1', '203.0.113.5'] as const;
  const base: Records = [[from]];
  const other: Records = [
    [from, retained],
    [to, { since: '2026-03-01', movedFrom: from }],
  ];

  it('is taken over with both of its records', () => {
    expect(merged({ base, other, claims: [{}] })).toEqual([`${from} (alice)`, `${to} alice`]);
  });

  it('is dropped with both if the new address is taken or no longer allowed', () => {
    const kept: Records = [[from], [to, { name: 'bob' }]];
    expect(merged({ base, kept, other, claims: [{}, { name: 'bob', port: 81 }] })).toEqual([
      `${from} alice`,
      `${to} bob`,
    ]);
    const poolFile = poolsWith(poolWith({ addresses: ['203.0.113.0/30'] }));
    expect(merged({ base, other, claims: [{}], poolFile })).toEqual([`${from} alice`]);
  });

  it('is dropped if the kept side has moved its holder too', () => {
    const kept: Records = [
      [from, retained],
      ['203.0.113.7', { since: '2026-03-02', movedFrom: from }],
    ];
    expect(merged({ base, kept, other, claims: [{}] })).toEqual([
      `${from} (alice)`,
      '203.0.113.7 alice',
    ]);
  });

  it('is taken over if it went through an intermediate address', () => {
    const twice: Records = [
      [from, retained],
      ['203.0.113.3', { since: '2026-03-01', movedFrom: from, ...retained }],
      [to, { since: '2026-03-01', movedFrom: '203.0.113.3' }],
    ];
    expect(merged({ base, other: twice, claims: [{}] })).toEqual([
      `${from} (alice)`,
      '203.0.113.3 (alice)',
      `${to} alice`,
    ]);
  });
});
