import { describe, expect, test } from 'vitest';
import { paintOf } from '../../../../src/core/text/print/problems-text.ts';
import {
  type OwnerUsages,
  ownerUsageCsv,
  ownerUsages,
  ownerUsageTable,
  sortedOwners,
} from '../../../../src/lib/list/owner-usage.ts';
import { aDay, aTable, poolsWith, poolWith } from '../../../support/allocations/tables.ts';
import { alice, bob } from '../../../support/declarations/pools-and-claims.ts';
import { noHostnames } from '../../../support/trees/workspace-snapshot.ts';

const inet = poolWith({ addresses: ['203.0.113.0/28', '2001:db8::/124'] });
const edge = poolWith({ name: 'edge', zone: 'edge', addresses: ['198.51.100.0/28'] });
const kept = ['2026-03-01', '2026-03-11'] as const;
const free = ['2026-03-01', '2026-03-10'] as const;

/** Alice has three addresses, one of them retained, and Bob a dual-stack pair. */
const table = aTable(
  ['203.0.113.1', { name: `${alice}-ip-web` }],
  ['203.0.113.2', { name: `${alice}-ip-old`, released: kept }],
  ['203.0.113.3', { name: `${alice}-ip-older`, released: free }],
  ['198.51.100.1', { name: `${alice}-ip-api`, pool: 'edge' }],
  ['203.0.113.4', { name: `${bob}-ip-web` }],
  ['2001:db8::4', { name: `${bob}-ip-web` }],
);

function usages(quotas: { readonly default?: number; readonly owners?: Record<string, number> }) {
  const { default: most, owners = {} } = quotas;
  const limited = { default: most, owners: new Map(Object.entries(owners)) };
  const pools = { ...poolsWith(inet, edge), quotas: limited };
  return ownerUsages(
    { pools, table, claims: new Map(), promises: new Map(), ...noHostnames, problems: [] },
    aDay('2026-03-10'),
  ).items;
}

describe('ownerUsages', () => {
  test('counts held and retained addresses by zone and family on a day', () => {
    expect(usages({})).toEqual([
      {
        owner: bob,
        held: '2',
        retained: '0',
        parts: [
          { zone: 'inet', family: 'ipv4', held: '1', retained: '0' },
          { zone: 'inet', family: 'ipv6', held: '1', retained: '0' },
        ],
      },
      {
        owner: alice,
        held: '2',
        retained: '1',
        parts: [
          { zone: 'edge', family: 'ipv4', held: '1', retained: '0' },
          { zone: 'inet', family: 'ipv4', held: '1', retained: '1' },
        ],
      },
    ]);
  });

  test('has the quota of the owner or the default, and the rest of it', () => {
    const told = usages({ default: 2, owners: { [alice]: 5 } });
    expect(told.map(({ owner, quota, left }) => [owner, quota, left])).toEqual([
      [bob, '2', '0'],
      [alice, '5', '2'],
    ]);
    expect(usages({ owners: { [bob]: 1 } }).map(({ left }) => left)).toEqual(['0', undefined]);
  });

  test('lists an owner with only a quota', () => {
    expect(usages({ owners: { 'default/shop': 4 } })).toContainEqual({
      owner: 'default/shop',
      held: '0',
      retained: '0',
      quota: '4',
      left: '4',
      parts: [],
    });
  });

  test('counts an address for the pool that contains it, or else for the recorded pool', () => {
    const gone = aTable(
      ['192.0.2.1', { name: `${alice}-ip-a`, pool: 'edge' }],
      ['192.0.2.2', { name: `${alice}-ip-b`, pool: 'gone' }],
      ['203.0.113.5', { name: `${alice}-ip-c`, pool: 'edge' }],
    );
    const snapshot = {
      pools: poolsWith(inet, edge),
      table: gone,
      claims: new Map(),
      promises: new Map(),
      ...noHostnames,
      problems: [],
    };
    expect(ownerUsages(snapshot, aDay('2026-03-10')).items[0]?.parts).toEqual([
      { family: 'ipv4', held: '1', retained: '0' },
      { zone: 'edge', family: 'ipv4', held: '1', retained: '0' },
      { zone: 'inet', family: 'ipv4', held: '1', retained: '0' },
    ]);
  });

  test('does not count anycast groups', () => {
    const group = { ...table.get('203.0.113.1')!, holder: 'anycast/dns' };
    const snapshot = {
      pools: poolsWith(inet),
      table: new Map([['203.0.113.1', group]]),
      claims: new Map(),
      promises: new Map(),
      ...noHostnames,
      problems: [],
    };
    expect(ownerUsages(snapshot, aDay('2026-03-10')).items).toEqual([]);
  });
});

const ownerAnswer: OwnerUsages = {
  apiVersion: 'leasehold.dev/v1',
  kind: 'OwnerUsages',
  day: '2026-01-01',
  items: [
    {
      owner: 'akash1alice',
      held: '3',
      retained: '1',
      parts: [
        { zone: 'edge', family: 'ipv6', held: '1', retained: '0' },
        { family: 'ipv4', held: '2', retained: '1' },
      ],
    },
    { owner: 'default/shop', held: '0', retained: '0', quota: '4', left: '4', parts: [] },
  ],
};

test.each([
  ['owner', ['a', 'b', 'c', 'd']],
  ['use', ['b', 'd', 'a', 'c']],
  ['left', ['d', 'b', 'a', 'c']],
] as const)('owners by %s are %j', (order, owners) => {
  const usage = { retained: '0', parts: [] };
  const items = [
    { owner: 'a', held: '1', ...usage },
    { owner: 'b', held: '2', quota: '9', left: '6', ...usage, retained: '1' },
    { owner: 'c', held: '1', ...usage },
    { owner: 'd', held: '2', quota: '2', left: '0', ...usage },
  ];
  const sorted = sortedOwners({ ...ownerAnswer, items }, order);
  expect(sorted.items.map(({ owner }) => owner)).toEqual(owners);
});

describe('the text of owner usages', () => {
  test('is a table with a line per owner and its zones', () => {
    expect(ownerUsageTable(ownerAnswer, { paint: paintOf(false) })).toBe(
      [
        'OWNER         HELD  RETAINED  QUOTA  LEFT  WHERE',
        'akash1alice   3     1         -      -     1 of edge ipv6, 2 + 1 retained of no zone ipv4',
        'default/shop  0     0         4      4     -',
        '',
      ].join('\n'),
    );
  });

  test('is CSV with a line per owner, zone and family', () => {
    expect(ownerUsageCsv(ownerAnswer)).toBe(
      [
        'owner,zone,family,held,retained,ownerHeld,ownerRetained,ownerQuota,ownerLeft',
        'akash1alice,edge,ipv6,1,0,3,1,,',
        'akash1alice,,ipv4,2,1,3,1,,',
        'default/shop,,,0,0,0,0,4,4',
        '',
      ].join('\n'),
    );
  });
});
