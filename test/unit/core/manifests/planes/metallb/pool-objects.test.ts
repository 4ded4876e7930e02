import { expect, test } from 'vitest';
import type { Pools } from '../../../../../../src/core/model/pools.ts';
import {
  aClaim,
  aPlacement,
  aPool,
  bob,
  type PoolsChanges,
  thePools,
} from '../../../../../support/declarations/pools-and-claims.ts';
import { ofKind, rendered } from '../../../../../support/manifests/rendered.ts';

const metallb = { kind: 'metallb', version: '0.14.9', namespace: 'metallb-system' } as const;

function withLayout(layout: 'lease' | 'pool', changes: PoolsChanges = {}): Pools {
  return thePools({ ...changes, cluster: { plane: { ...metallb, layout } } });
}

test('a held address has a pool of its own, open to the namespaces of its claims only', () => {
  const claims = ['2', '1', '1'].map((dseq, index) =>
    aClaim({ lease: { dseq }, externalPort: 80 + index }),
  );
  const objects = rendered(withLayout('lease'), [aPlacement({ claims })]);
  const namespaces = ofKind(objects, 'Namespace').map(({ metadata }) => metadata.name);
  const [pool, ...others] = ofKind(objects, 'IPAddressPool');
  expect(others).toEqual([]);
  expect(pool?.metadata).toMatchObject({ name: 'ip-203.0.113.7', namespace: 'metallb-system' });
  expect(pool?.spec).toEqual({
    addresses: ['203.0.113.7/32'],
    autoAssign: false,
    avoidBuggyIPs: false,
    serviceAllocation: { namespaces: namespaces.filter((name) => name !== 'lease').sort() },
  });
});

test('both addresses of a holder are in one pool, named by IPv4', () => {
  const claims = [aClaim({ ipFamily: 'dual' })];
  const addresses = ['2001:db8::7', '203.0.113.7'];
  const objects = rendered(withLayout('lease'), [aPlacement({ claims, addresses })]);
  const [pool] = ofKind(objects, 'IPAddressPool');
  expect(pool?.metadata.name).toBe('ip-203.0.113.7');
  expect(pool?.spec.addresses).toEqual(['203.0.113.7/32', '2001:db8::7/128']);
});

test('the next holder of an address updates the same pool object, in another file', () => {
  const poolOf = (owner?: string) => {
    const claims = [aClaim(owner === undefined ? {} : { lease: { owner } })];
    const objects = rendered(withLayout('lease'), [aPlacement({ claims })]);
    return ofKind(objects, 'IPAddressPool')[0];
  };
  expect(poolOf(bob)?.metadata).toEqual(poolOf()?.metadata);
  expect(poolOf(bob)?.path).not.toBe(poolOf()?.path);
});

/** Matches the Services of leasehold and those of Reservations. */
const serviceSelectors = [
  { matchLabels: { 'app.kubernetes.io/managed-by': 'leasehold' } },
  { matchLabels: { 'leasehold.dev/reserved': 'true' } },
];

test('a declared pool is written with its ranges, with or without leases', () => {
  const pool = aPool({
    addresses: ['203.0.113.0/28', '203.0.113.20-203.0.113.22', '203.0.113.40', '2001:db8::/64'],
    avoidBuggyIPs: true,
  });
  const pools = withLayout('pool', { pools: [pool] });
  const [none] = ofKind(rendered(pools, []), 'IPAddressPool');
  const [some] = ofKind(
    rendered(pools, [aPlacement({ pool, addresses: ['203.0.113.21'] })]),
    'IPAddressPool',
  );
  expect(none).toEqual(some);
  expect(none?.metadata).toMatchObject({ name: 'default', namespace: 'metallb-system' });
  expect(none?.spec).toEqual({
    addresses: ['203.0.113.0/28', '203.0.113.20-203.0.113.22', '203.0.113.40/32', '2001:db8::/64'],
    autoAssign: false,
    avoidBuggyIPs: true,
    serviceAllocation: {
      namespaceSelectors: [{ matchLabels: { 'leasehold.dev/leases': 'true' } }],
      serviceSelectors,
    },
  });
});

test('with emit.namespaces: false a declared pool requires only the label of Services', () => {
  const pools = withLayout('pool', {
    emit: { namespaces: false },
  });
  const [pool] = ofKind(rendered(pools, [aPlacement()]), 'IPAddressPool');
  expect(pool?.spec.serviceAllocation).toEqual({ serviceSelectors });
});

test('a declared pool with an open fence requires no label and has no autoAssign', () => {
  const pools = withLayout('pool', {
    pools: [
      aPool({ name: 'web', fence: 'open' }),
      aPool({ name: 'own', addresses: ['198.51.100.0/28'] }),
    ],
  });
  const objects = ofKind(rendered(pools, []), 'IPAddressPool');
  const [open, closed] = ['web', 'own'].map((name) =>
    objects.find(({ metadata }) => metadata.name === name),
  );
  expect(open?.spec).toEqual({
    addresses: ['203.0.113.0/24', '2001:db8::/64'],
    autoAssign: false,
    avoidBuggyIPs: false,
  });
  expect(closed?.spec.serviceAllocation).toMatchObject({ serviceSelectors });
});

test.each(['lease', 'pool'] as const)(
  'with layout %s every pool has an L2Advertisement',
  (layout) => {
    const pool = aPool({
      advertise: [
        {
          name: 'default',
          kind: 'l2',
          interfaces: ['eth0'],
          nodeSelectors: [{ matchExpressions: [{ key: 'edge', operator: 'Exists' }] }],
        },
      ],
    });
    const objects = rendered(withLayout(layout, { pools: [pool] }), [aPlacement({ pool })]);
    const [found] = ofKind(objects, 'L2Advertisement');
    const [addressPool] = ofKind(objects, 'IPAddressPool');
    expect(found?.metadata.name).toBe(addressPool?.metadata.name);
    expect(found?.spec).toEqual({
      ipAddressPools: [addressPool?.metadata.name],
      interfaces: ['eth0'],
      nodeSelectors: [{ matchExpressions: [{ key: 'edge', operator: 'Exists' }] }],
    });
  },
);

test('a BGP pool has a BGPAdvertisement without empty lists', () => {
  const pool = aPool({
    advertise: [
      {
        name: 'default',
        kind: 'bgp',
        aggregationLength: 32,
        aggregationLengthV6: 128,
        localPref: 100,
        communities: ['65535:65282'],
        peers: [],
        nodeSelectors: [],
      },
    ],
  });
  const objects = rendered(withLayout('lease', { pools: [pool] }), [aPlacement({ pool })]);
  expect(ofKind(objects, 'L2Advertisement')).toEqual([]);
  expect(ofKind(objects, 'BGPAdvertisement').map(({ spec }) => spec)).toEqual([
    {
      ipAddressPools: ['ip-203.0.113.7'],
      aggregationLength: 32,
      aggregationLengthV6: 128,
      localPref: 100,
      communities: ['65535:65282'],
    },
  ]);
});

test.each([
  ['pool', ['default', 'local', 'external']],
  ['lease', ['ip-203.0.113.7', 'ip-203.0.113.7-local', 'ip-203.0.113.7-external']],
] as const)('with layout %s each advertisement of a pool is an object', (layout, names) => {
  const bgp = { kind: 'bgp', aggregationLength: 32, aggregationLengthV6: 128 } as const;
  const plain = { localPref: undefined, peers: [], nodeSelectors: [] };
  const pool = aPool({
    advertise: [
      { name: 'default', kind: 'l2', interfaces: [], nodeSelectors: [] },
      { name: 'local', ...bgp, ...plain, communities: ['65535:65282'] },
      { name: 'external', ...bgp, ...plain, communities: [] },
    ],
  });
  const objects = rendered(withLayout(layout, { pools: [pool] }), [aPlacement({ pool })]);
  const all = ['L2Advertisement', 'BGPAdvertisement'].flatMap((kind) => ofKind(objects, kind));
  expect(all.map(({ metadata }) => metadata.name)).toEqual(names);
  const [addressPool] = ofKind(objects, 'IPAddressPool');
  for (const { spec } of all) expect(spec.ipAddressPools).toEqual([addressPool?.metadata.name]);
});
