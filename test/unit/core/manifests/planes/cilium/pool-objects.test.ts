import { expect, test } from 'vitest';
import type { Pool, PoolAdvertisement } from '../../../../../../src/core/model/pools.ts';
import { rangeSetOf } from '../../../../../../src/core/net/range-set.ts';
import {
  aClaim,
  aPlacement,
  aPool,
  aRange,
  bob,
  thePools,
} from '../../../../../support/declarations/pools-and-claims.ts';
import { ofKind, rendered } from '../../../../../support/manifests/rendered.ts';

const cilium = {
  kind: 'cilium',
  version: '1.20.2',
  namespace: 'kube-system',
  layout: 'pool',
} as const;

function objectsOf(pool: Pool, placements = [aPlacement({ claims: [aClaim()] })]) {
  return rendered(thePools({ cluster: { plane: cilium }, pools: [pool] }), placements);
}

const l2 = { kind: 'l2', name: 'default', interfaces: [], nodeSelectors: [] } as const;
const bgp = {
  kind: 'bgp',
  name: 'default',
  aggregationLength: 32,
  aggregationLengthV6: 128,
  localPref: undefined,
  communities: [],
  peers: [],
  nodeSelectors: [],
} as const;

function announced(kind: string, ...advertise: readonly PoolAdvertisement[]) {
  return ofKind(objectsOf(aPool({ advertise })), kind).map(({ metadata, spec }) => ({
    name: metadata.name,
    spec,
  }));
}

const services = { matchLabels: { 'leasehold.dev/pool': 'default' } };

test('a pool is cut around its reserved addresses, and each declared range stays a block of its own', () => {
  const reserved = rangeSetOf(['203.0.113.0', '203.0.113.4', '2001:db8::'].map(aRange));
  const addresses = ['203.0.113.0/29', '203.0.113.8/29', '2001:db8::/126'];
  const [pool] = ofKind(objectsOf(aPool({ addresses, reserved })), 'CiliumLoadBalancerIPPool');
  expect(pool?.spec).toEqual({
    blocks: [
      { start: '203.0.113.1', stop: '203.0.113.3' },
      { start: '203.0.113.5', stop: '203.0.113.7' },
      { cidr: '203.0.113.8/29' },
      { start: '2001:db8::1', stop: '2001:db8::3' },
    ],
    serviceSelector: services,
  });
  expect(pool?.metadata).not.toHaveProperty('namespace');
});

test('no pool and no announcement changes with a lease', () => {
  const kinds = [
    'CiliumLoadBalancerIPPool',
    'CiliumL2AnnouncementPolicy',
    'CiliumBGPAdvertisement',
  ];
  const pool = aPool({ advertise: [l2, bgp] });
  const of = (owner?: string) => {
    const placements =
      owner === undefined ? [] : [aPlacement({ claims: [aClaim({ lease: { owner } })] })];
    const objects = objectsOf(pool, placements);
    return kinds.flatMap((kind) => ofKind(objects, kind));
  };
  expect(of()).toHaveLength(3);
  expect(of(bob)).toEqual(of());
});

test('an interface is one name, and not a pattern of several', () => {
  const [policy] = announced('CiliumL2AnnouncementPolicy', { ...l2, interfaces: ['eth0.10'] });
  expect(policy?.spec).toEqual({
    interfaces: ['^eth0\\.10$'],
    loadBalancerIPs: true,
    serviceSelector: services,
  });
});

test('each advertisement has an object of its own, with its node selector', () => {
  const nodeSelectors = [{ matchLabels: { rack: 'b' } }];
  const policies = announced('CiliumL2AnnouncementPolicy', l2, { ...l2, name: 'b', nodeSelectors });
  expect(policies.map(({ name, spec }) => [name, spec.nodeSelector])).toEqual([
    ['default', undefined],
    ['b', nodeSelectors[0]],
  ]);
});

test.each([
  [{}, { service: { addresses: ['LoadBalancerIP'] } }],
  [
    { aggregationLength: 24, aggregationLengthV6: 64 },
    {
      service: {
        addresses: ['LoadBalancerIP'],
        aggregationLengthIPv4: 24,
        aggregationLengthIPv6: 64,
      },
    },
  ],
  [{ localPref: 0 }, { attributes: { localPreference: 0 } }],
  [
    { communities: ['65000:1', 'large:65000:1:2', 'no-export'] },
    {
      attributes: {
        communities: { standard: ['65000:1'], large: ['65000:1:2'], wellKnown: ['no-export'] },
      },
    },
  ],
])('an advertisement by BGP with %j', (fields, expected) => {
  const [advertisement] = announced('CiliumBGPAdvertisement', { ...bgp, ...fields });
  expect(advertisement?.spec).toEqual({
    advertisements: [
      {
        advertisementType: 'Service',
        selector: services,
        service: { addresses: ['LoadBalancerIP'] },
        ...expected,
      },
    ],
  });
});
