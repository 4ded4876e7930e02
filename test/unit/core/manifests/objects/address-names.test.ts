import { describe, expect, test } from 'vitest';
import type { LeaseClaim } from '../../../../../src/core/model/claim.ts';
import {
  aClaim,
  alice,
  aPlacement,
  provider,
  thePools,
} from '../../../../support/declarations/pools-and-claims.ts';
import { ofKind, type Rendered, rendered } from '../../../../support/manifests/rendered.ts';

const addresses = ['203.0.113.7', '2001:db8::7'];

function objectsOf(claims: readonly LeaseClaim[], own: readonly string[] = addresses) {
  const pools = thePools({ emit: { addressNames: true } });
  const objects = rendered(pools, [aPlacement({ claims, addresses: own })]);
  const services = ofKind(objects, 'Service').filter(({ spec }) => spec.clusterIP === 'None');
  return { services, slices: ofKind(objects, 'EndpointSlice') };
}

describe('With emit.addressNames, the namespace of a lease has', () => {
  const labels = {
    'app.kubernetes.io/managed-by': 'leasehold',
    'akash.network/lease.id.owner': alice,
    'akash.network/lease.id.dseq': '12345',
    'akash.network/lease.id.gseq': '1',
    'akash.network/lease.id.oseq': '1',
    'akash.network/lease.id.provider': provider,
  };
  const ports = [{ name: '53-udp', port: 53, protocol: 'UDP' }];

  test('a headless Service without selector, named after the endpoint', () => {
    const claim = aClaim({ externalPort: 53, protocol: 'UDP', ipFamily: 'dual' });
    const { services, slices } = objectsOf([claim]);
    const [{ metadata, spec } = {} as Rendered, ...more] = services;
    expect(more).toEqual([]);
    expect(metadata).toMatchObject({ name: 'leased-myip', labels });
    expect(metadata?.labels).not.toHaveProperty('akash.network');
    expect(spec).toEqual({
      type: 'ClusterIP',
      clusterIP: 'None',
      ipFamilyPolicy: 'RequireDualStack',
      ipFamilies: ['IPv4', 'IPv6'],
      ports,
    });
    expect(slices.map((slice) => slice.metadata.namespace)).toEqual(
      addresses.map(() => metadata?.namespace),
    );
  });

  test('an EndpointSlice of that Service for each address', () => {
    const claim = aClaim({ externalPort: 53, protocol: 'UDP', ipFamily: 'dual' });
    const { slices } = objectsOf([claim]);
    expect(slices).toMatchObject(
      [
        ['leased-myip-ipv4', 'IPv4', '203.0.113.7'],
        ['leased-myip-ipv6', 'IPv6', '2001:db8::7'],
      ].map(([name, addressType, address]) => ({
        apiVersion: 'discovery.k8s.io/v1',
        metadata: {
          name,
          labels: {
            ...labels,
            'kubernetes.io/service-name': 'leased-myip',
            'endpointslice.kubernetes.io/managed-by': 'leasehold.dev',
          },
        },
        addressType,
        endpoints: [{ addresses: [address], conditions: { ready: true } }],
        ports,
      })),
    );
  });

  test('one name for all claims of an endpoint, with the families that they want there', () => {
    const claims = [
      aClaim({ externalPort: 80 }),
      aClaim({ externalPort: 81, service: 'api' }),
      aClaim({ lease: { dseq: '2' }, externalPort: 82, ipFamily: 'ipv6' }),
    ];
    const { services, slices } = objectsOf(claims);
    expect(services.map(({ spec }) => [spec.ipFamilies, spec.ports.length])).toEqual([
      [['IPv4'], 2],
      [['IPv6'], 1],
    ]);
    expect(slices.map(({ metadata }) => metadata.name)).toEqual([
      'leased-myip-ipv4',
      'leased-myip-ipv6',
    ]);
  });
});

test('without emit.addressNames there is no such Service', () => {
  const objects = rendered(thePools(), [aPlacement({ claims: [aClaim()] })]);
  expect(ofKind(objects, 'EndpointSlice')).toEqual([]);
  expect(ofKind(objects, 'Service')).toHaveLength(1);
});
