import { expect, test } from 'vitest';
import { readPools } from '../../../../../src/core/declarations/pools/pools-file.ts';
import { poolTotals } from '../../../../../src/core/run/plan/pool-changes.ts';
import { supplyCautions } from '../../../../../src/core/run/plan/supply-cautions.ts';
import { aDay, aTable } from '../../../../support/allocations/tables.ts';
import { thePolicy } from '../../../../support/declarations/policies.ts';
import { aDeclared } from '../../../../support/plans/plan-builders.ts';

const base = `apiVersion: leasehold.dev/v1
kind: Pools
clusters: [{ name: east }, { name: west, defaultZone: edge }]
defaultCluster: east
defaultZone: inet
quotas: { default: 8 }
pools:
  - { name: one, zone: inet, addresses: [203.0.113.0/28, '2001:db8::/64'] }
  - { name: two, zone: inet, clusters: [east], addresses: [203.0.113.16/28] }
  - { name: edge, zone: edge, clusters: [west], addresses: [203.0.113.32/28] }
`;

const single = `apiVersion: leasehold.dev/v1
kind: Pools
pools:
  - { name: one, zone: inet, addresses: [203.0.113.0/28] }
`;

const policy = thePolicy(`tenants:
  - { name: shop, folders: [leases/shop], zones: [edge] }
`);

const day = aDay('2026-01-10');

function declared(text: string) {
  const read = readPools('leases/pools.yaml', new TextEncoder().encode(text));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return aDeclared({ pools: read.value, policy, table: aTable(['203.0.113.1']) });
}

function told(from: string, into: string, text: string): readonly string[] {
  if (!text.includes(from)) throw new Error(`no ${from}`);
  const [before, after] = [declared(text), declared(text.replace(from, into))];
  const pools = poolTotals(before, after, day);
  return supplyCautions(before, after, { pools, day }).map(({ message }) => message);
}

test.each<[string, string, string, readonly string[]]>([
  ['nothing', 'name: two,', 'name: two, retentionDays: 3,', []],
  [
    'a pool of a zone that has another one',
    'name: two,',
    'name: two, state: draining,',
    [
      'pool two gives no addresses from now on: pool two is draining; new declarations that name it are refused (POOL_DRAINING), others of zone inet are not',
    ],
  ],
  [
    'a removed pool of a zone that has another one',
    '  - { name: two, zone: inet, clusters: [east], addresses: [203.0.113.16/28] }\n',
    '',
    [
      'pool two gives no addresses from now on: pool two is removed; new declarations that name it are refused (POOL_UNKNOWN), others of zone inet are not',
    ],
  ],
  [
    'the last pool of a zone in one cluster, and the last of a family in the other',
    'name: one,',
    'name: one, state: draining,',
    [
      'zone inet gives no IPv4 and IPv6 addresses in clusters east, west from now on: pool one is draining; new declarations that name it or no zone are refused (POOL_DRAINING)',
    ],
  ],
  [
    'the only pool of a zone that a tenant is limited to',
    'name: edge, zone',
    'name: edge, state: draining, zone',
    [
      'zone edge gives no IPv4 addresses in cluster west from now on: pool edge is draining; new declarations that name it or no zone, and all of tenant shop are refused (POOL_DRAINING)',
    ],
  ],
  [
    'a cluster in which no pool is open any more',
    "name: one, zone: inet, addresses: [203.0.113.0/28, '2001:db8::/64'] }",
    "name: one, zone: inet, clusters: [east], addresses: [203.0.113.0/28, '2001:db8::/64'] }\n  - { name: far, zone: edge, clusters: [east], addresses: [203.0.113.64/28] }",
    [
      'zone inet gives no IPv4 and IPv6 addresses in cluster west from now on: pool one is changed; new declarations that name it are refused (POOL_CLOSED)',
    ],
  ],
  [
    'a family of a zone',
    ", '2001:db8::/64'",
    '',
    [
      'zone inet gives no IPv6 addresses in clusters east, west from now on: pool one is changed; new declarations that name it or no zone are refused (ZONE_FAMILY)',
    ],
  ],
  [
    'a family that is reserved as a whole',
    "'2001:db8::/64']",
    "'2001:db8::/64'], reserved: [203.0.113.0/28]",
    [
      'zone inet gives no IPv4 addresses in cluster west from now on: pool one is changed; new declarations that name it are refused (POOL_EXHAUSTED)',
    ],
  ],
  [
    'a new cluster without a pool',
    '{ name: west, defaultZone: edge }]',
    '{ name: west, defaultZone: edge }, { name: north }]',
    [],
  ],
  [
    'a default quota of 0',
    'default: 8',
    'default: 0',
    [
      'owners without a quota of their own get no addresses from now on: quotas.default is 0',
      'alice gets no further address from now on: its quota is 0, and it has 1',
    ],
  ],
  [
    'a quota that is used up',
    'default: 8',
    'default: 1',
    ['alice gets no further address from now on: its quota is 1, and it has 1'],
  ],
  ['a quota that is not', 'default: 8', 'default: 2', []],
])('%s', (_, from, into, expected) => {
  expect(told(from, into, base)).toEqual(expected);
});

test('a cluster that loses its only pool is named', () => {
  const text = base.replace('name: one,', 'name: one, clusters: [east],');
  expect(told('name: edge, zone', 'name: edge, state: draining, zone', text)[0]).toBe(
    'cluster west gives no addresses: no active pool is open in it',
  );
});

test('a zone without a pool is unknown', () => {
  const text = base.replace(', defaultZone: edge', '');
  expect(told('zone: edge', 'zone: far', text)).toEqual([
    'zone edge gives no IPv4 addresses in cluster west from now on: pool edge is changed; new declarations that name it, and all of tenant shop are refused (ZONE_UNKNOWN)',
  ]);
});

test('a single cluster is not named', () => {
  expect(told('name: one,', 'name: one, state: draining,', single)).toEqual([
    'zone inet gives no IPv4 addresses from now on: pool one is draining; new declarations that name it or no zone are refused (POOL_DRAINING)',
  ]);
});
