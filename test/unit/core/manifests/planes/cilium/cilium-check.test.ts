import { describe, expect, test } from 'vitest';
import type { Manifest } from '../../../../../../src/core/manifests/manifest.ts';
import { cilium } from '../../../../../../src/core/manifests/planes/cilium/cilium.ts';
import { CiliumCheck } from '../../../../../../src/core/manifests/planes/cilium/cilium-check.ts';
import {
  advertisementManifest,
  poolManifest,
} from '../../../../../../src/core/manifests/planes/cilium/pool-objects.ts';
import type { ClusterOn } from '../../../../../../src/core/model/pools.ts';
import {
  aClaim,
  anAddress,
  aPlacement,
  aPool,
  thePools,
} from '../../../../../support/declarations/pools-and-claims.ts';

const plane = {
  kind: 'cilium',
  version: '1.20.2',
  namespace: 'kube-system',
  layout: 'pool',
} as const;
const [first] = thePools({ cluster: { plane } }).clusters;
const cluster = first as ClusterOn<'cilium'>;
const pool = aPool({ addresses: ['203.0.113.0/28'] });
const pin = 'lbipam.cilium.io/ips';

/** A Service with the pins of a plane, and changes to its metadata and spec. */
function service(
  name: string,
  address: string,
  { annotations = {}, labels = {}, spec = {} }: { [part: string]: object } = {},
): Manifest {
  const pins = cilium.pinning(plane, {
    addresses: address.split(',').map(anAddress),
    sharingKey: 'k',
    pool: 'default',
  });
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name,
      namespace: 'shop',
      labels: { ...pins.labels, ...labels },
      annotations: { ...pins.annotations, ...annotations },
    },
    spec: {
      type: 'LoadBalancer',
      ports: [{ port: Number(/\d+/.exec(name)?.[0] ?? 80), protocol: 'TCP' }],
      ...pins.spec,
      ...spec,
    },
  } as Manifest;
}

const objects = [poolManifest(pool), advertisementManifest(pool.advertise[0]!, 'default')];

function check(...manifests: readonly Manifest[]): void {
  const all = new CiliumCheck(cluster);
  for (const manifest of manifests) all.add(manifest, undefined);
  all.finish();
}

test('the objects of a pool and of its Services pass', () => {
  expect(() =>
    check(...objects, service('s80', '203.0.113.7'), service('s81', '203.0.113.7')),
  ).not.toThrow();
});

describe('a fault of the objects', () => {
  const overlapping = aPool({ name: 'other', addresses: ['203.0.113.8/29'] });
  const open = {
    ...objects[0]!,
    spec: { blocks: [{ cidr: '203.0.113.0/28' }], serviceSelector: { matchLabels: {} } },
  };
  const byOther = advertisementManifest({ ...pool.advertise[0]!, name: 'x' }, 'x');
  test.each([
    ['two pools with one address', [...objects, poolManifest(overlapping)], /overlaps/],
    ['a pool that is open to every Service', [open], /does not select the Services/],
    ['a pool that nobody announces', [objects[0]!], /is not announced/],
    ['an announcement of no pool', [...objects, byOther], /unknown pool 'x'/],
  ])('%s', (_, manifests, fault) => {
    expect(() => check(...manifests)).toThrow(fault);
  });
});

describe('a fault of a Service', () => {
  test.each([
    ['without the annotation', { annotations: { [pin]: undefined } }, /has no annotation/],
    ['pinned by the field too', { spec: { loadBalancerIP: '203.0.113.7' } }, /in two ways/],
    [
      'pinned by the older key too',
      { annotations: { 'io.cilium/lb-ipam-ips': '203.0.113.7' } },
      /in two ways/,
    ],
    ['of a class', { spec: { loadBalancerClass: 'io.cilium/l2-announcer' } }, /loadBalancerClass/],
    [
      'without the label of its pool',
      { labels: { 'leasehold.dev/pool': 'other' } },
      /label of pool default/,
    ],
    ['outside of all pools', { annotations: { [pin]: '203.0.113.99' } }, /outside of all pools/],
    ['pinned to a text', { annotations: { [pin]: '203.0.113' } }, /not an address/],
    ['of another family', { spec: { ipFamilies: ['IPv6'] } }, /do not fit its ipFamilies/],
    [
      'that shares in its namespace only',
      { annotations: { 'lbipam.cilium.io/sharing-cross-namespace': 'shop' } },
      /in its namespace only/,
    ],
  ])('%s', (_, changes, fault) => {
    expect(() => check(...objects, service('s80', '203.0.113.7', changes as never))).toThrow(fault);
  });

  test('that cannot share: another key, or a port of another', () => {
    const other = { annotations: { 'lbipam.cilium.io/sharing-key': 'l' } };
    const shared = service('s80', '203.0.113.7');
    expect(() => check(...objects, shared, service('s81', '203.0.113.7', other))).toThrow(
      /cannot share 203.0.113.7: shop\/s80 has another sharing key/,
    );
    expect(() => check(...objects, shared, service('t80', '203.0.113.7'))).toThrow(/80\/TCP too/);
  });
});

describe('two Services on an address', () => {
  const claims = [aClaim(), aClaim({ externalPort: 443 })];
  const ofWay = (kind: 'l2' | 'bgp') =>
    cilium.placementProblems(cluster, [
      aPlacement({
        claims,
        pool: aPool({ advertise: [{ ...pool.advertise[0]!, kind } as never] }),
      }),
    ]);
  test('are refused when it is announced by L2', () => {
    expect(ofWay('l2').map(({ code }) => code)).toEqual(['PLANE_UNSUPPORTED']);
    expect(ofWay('bgp')).toEqual([]);
  });

  test('are one with naming: readable', () => {
    const readable = { ...cluster, naming: 'readable' } as const;
    expect(cilium.placementProblems(readable, [aPlacement({ claims })])).toEqual([]);
  });
});
