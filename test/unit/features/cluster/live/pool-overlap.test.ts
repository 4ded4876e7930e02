import { describe, expect, it } from 'vitest';
import type { LiveObject } from '../../../../../src/core/model/live.ts';
import type { Layout } from '../../../../../src/core/model/planes.ts';
import { formatRange } from '../../../../../src/core/net/range.ts';
import { rangeSetOf } from '../../../../../src/core/net/range-set.ts';
import * as overlap from '../../../../../src/features/cluster/live/pool-overlap.ts';
import { metallbPools } from '../../../../../src/features/cluster/planes/metallb/metallb.ts';
import { aPool, aRange } from '../../../../support/declarations/pools-and-claims.ts';

const live = (name: string, ...addresses: unknown[]) => ({
  metadata: { name, namespace: 'metallb-system' },
  spec: { addresses },
});

const declared = {
  pools: [
    aPool({
      name: 'public',
      addresses: ['203.0.113.0/29', '2001:db8::/64'],
      reserved: rangeSetOf([aRange('203.0.113.1')]),
    }),
  ],
};

const ownRanges = (of: typeof declared, layout: Layout, pools: readonly LiveObject[]) =>
  overlap.ownRanges(of, layout, pools, metallbPools);
const overlappingPools = (
  pools: readonly LiveObject[],
  own: readonly overlap.OwnedRange[],
  services: readonly LiveObject[] | undefined,
) => overlap.overlappingPools(pools, own, services, metallbPools);

/** The number of findings for an unmanaged pool. */
function findingsOf(addresses: readonly unknown[], layout: Layout = 'lease'): number {
  return overlappingPools([live('other', ...addresses)], ownRanges(declared, layout, []), [])
    .length;
}

describe('ownRanges', () => {
  it('leaves out reserved addresses with layout: lease', () => {
    const texts = (layout: Layout) =>
      ownRanges(declared, layout, []).map(({ range }) => formatRange(range));

    expect(texts('lease')).toEqual(['203.0.113.0/32', '203.0.113.2-203.0.113.7', '2001:db8::/64']);
    expect(texts('pool')).toEqual(['203.0.113.0/29', '2001:db8::/64']);
  });

  it('includes our live pools outside the declared ones', () => {
    const pools = [live('inside', '203.0.113.2/32'), live('outside', '192.0.2.7/32')];

    expect(ownRanges(declared, 'pool', pools).map(({ owner }) => owner)).toEqual([
      'the declared pool public',
      'the declared pool public',
      'IPAddressPool metallb-system/outside',
    ]);
  });
});

describe('overlappingPools', () => {
  it('names both ranges and the owner', () => {
    const [finding] = overlappingPools(
      [live('default', '203.0.112.0/23', '198.51.100.0/24')],
      ownRanges(declared, 'pool', []),
      [],
    );

    expect(finding).toMatchObject({
      object: 'IPAddressPool metallb-system/default',
      message:
        'is not managed by leasehold, and 203.0.112.0/23 overlaps 203.0.113.0/29 of the declared pool public; MetalLB rejects overlapping pools',
    });
  });

  it.each([
    ['203.0.113.7-203.0.113.9', 1],
    ['203.0.113.8-203.0.113.9', 0],
    ['203.0.113.7 - 203.0.113.9', 1],
    ['203.0.113.0/32', 1],
    ['203.0.113.200/24', 1],
    ['0.0.0.0/0', 1],
    ['2001:DB8:0:0::1/128', 1],
    ['2001:db8:0:1::/64', 0],
    ['::/0', 1],
    ['0.0.0.0-255.255.255.255', 1],
    ['::-ffff::', 1],
    ['203.0.113.9-203.0.113.7', 0],
    ['203.0.113.7-2001:db8::1', 0],
    ['203.0.113.7-203.0.113.8-203.0.113.9', 0],
    ['203.0.113.2', 0],
    ['nonsense', 0],
    ['203.0.113.0/33', 0],
    ['203.0.113.0/', 0],
    ['a-b-c', 0],
    [7, 0],
  ])('reads a range as MetalLB does: %s', (text, count) => {
    expect(findingsOf([text])).toBe(count);
  });

  it('reports an overlap of two unmanaged pools once', () => {
    const pools = [
      live('c', '10.0.3.0/24', '10.0.0.7/32'),
      live('b', '10.0.1.0-10.0.2.255', '2001:db8:2::/64'),
      live('a', '10.0.0.0/23', '10.9.0.0/16', '2001:db8:2::/65'),
    ];
    const found = overlappingPools(pools, ownRanges(declared, 'pool', []), []);

    expect(
      found.map(({ object, message }) => `${object} ${message.replace(/;[^;]*$/, '')}`),
    ).toEqual([
      'IPAddressPool metallb-system/c is not managed by leasehold, and 10.0.0.7/32 overlaps 10.0.0.0/23 of IPAddressPool metallb-system/a',
      'IPAddressPool metallb-system/b is not managed by leasehold, and 10.0.1.0-10.0.2.255 overlaps 10.0.0.0/23 of IPAddressPool metallb-system/a; 2001:db8:2::/64 overlaps 2001:db8:2::/65 of IPAddressPool metallb-system/a',
    ]);
    expect(found[0]?.hint).toMatch(/^no Service has an address from it: delete it /);
    const backward = overlappingPools(pools.toReversed(), ownRanges(declared, 'pool', []), []);
    expect(new Set(backward)).toEqual(new Set(found));
  });

  it.each([
    ['none has an address', [], /^no Service has an address from it: delete this pool/],
    [
      'one has an address',
      ['203.0.113.2'],
      /^a Service has an address from it, lost with the pool: take/,
    ],
    ['two have addresses', ['203.0.113.2', '203.0.112.9'], /^2 Services have addresses from it/],
    [
      'some have addresses of other pools',
      ['192.0.2.1', '2001:db8::1'],
      /^no Service has an address from it/,
    ],
    ['unknown Services', undefined, /^it is not known which Services have addresses from it/],
  ])(
    'suggests deleting a pool only when no Service has an address from it: %s',
    (_, addresses, hint) => {
      const services = addresses?.map((ip, index) => ({
        metadata: { name: `s${index}`, namespace: 'shop' },
        status: { loadBalancer: { ingress: [{ ip }] } },
      }));
      const pool = live('default', '203.0.112.0/23');
      const [finding] = overlappingPools([pool], ownRanges(declared, 'pool', []), services);
      expect(finding?.hint).toMatch(hint);
    },
  );

  it.each([
    ['metallb.io', 'public', /^no Service has an address from it: delete this pool/],
    ['metallb.universe.tf', 'public', /^no Service has an address from it: delete this pool/],
    ['metallb.io', 'default', /^a Service has an address from it/],
  ])(
    'goes by the pool that MetalLB names in an annotation: %s/ip-allocated-from-pool: %s',
    (prefix, name, hint) => {
      const annotations = { [`${prefix}/ip-allocated-from-pool`]: name };
      const service = {
        metadata: { name: 'web', namespace: 'shop', annotations },
        status: { loadBalancer: { ingress: [{ ip: '203.0.113.2' }] } },
      };
      const pool = live('default', '203.0.112.0/23');
      const [finding] = overlappingPools([pool], ownRanges(declared, 'pool', []), [service]);
      expect(finding?.hint).toMatch(hint);
    },
  );

  it('reports a pool that overlaps itself', () => {
    expect(findingsOf(['10.0.0.0/24', '10.0.0.128/25', '10.0.1.0/24'])).toBe(1);
  });

  it('accepts reserved addresses in another pool with layout: lease', () => {
    expect(findingsOf(['203.0.113.1/32'])).toBe(0);
    expect(findingsOf(['203.0.113.1/32'], 'pool')).toBe(1);
  });

  it('accepts a pool without addresses', () => {
    expect(
      overlappingPools([{ metadata: { name: 'x' } }], ownRanges(declared, 'pool', []), []),
    ).toEqual([]);
  });
});
