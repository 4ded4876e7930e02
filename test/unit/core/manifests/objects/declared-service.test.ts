import { describe, expect, test } from 'vitest';
import { holderPath } from '../../../../../src/core/manifests/paths.ts';
import type { Pools } from '../../../../../src/core/model/pools.ts';
import { startOf } from '../../../../../src/core/model/problem.ts';
import { type aPlacement, thePools } from '../../../../support/declarations/pools-and-claims.ts';
import {
  aReservation,
  aService,
  aServicePlacement,
} from '../../../../support/declarations/services.ts';
import { ofKind, type Rendered, rendered } from '../../../../support/manifests/rendered.ts';

const dual = ['203.0.113.7', '2001:db8::7'];

function services(pools: Pools, placement = aServicePlacement()): readonly Rendered[] {
  return ofKind(rendered(pools, [placement]), 'Service');
}

function withMetalLB(version: string, layout: 'lease' | 'pool' = 'lease'): Pools {
  return thePools({
    cluster: { plane: { kind: 'metallb', version, namespace: 'metallb-system', layout } },
  });
}

describe('a declared Service', () => {
  test('keeps its fields and gets its address, families, sharing key, label and wave', () => {
    const declared = aService({
      labels: { team: 'shop', 'app.kubernetes.io/name': 'web' },
      annotations: { 'ipam.vitistack.io/ip-family': 'ipv4', 'example.com/note': 'two\n\nlines\n' },
      spec: {
        externalTrafficPolicy: 'Local',
        healthCheckNodePort: 30001,
        loadBalancerSourceRanges: ['198.51.100.0/24'],
        ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 'web', nodePort: 30080 }],
        selector: { app: 'web', tier: 'front' },
        sessionAffinity: 'ClientIP',
      },
      localBackend: 'app=web,tier=front',
    });
    const [service] = services(thePools(), aServicePlacement([declared]));
    expect(service).toEqual({
      path: holderPath({ name: 'default', shards: 1 }, aServicePlacement().holder),
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        name: 'web',
        namespace: 'shop',
        labels: {
          team: 'shop',
          'app.kubernetes.io/name': 'web',
          'app.kubernetes.io/managed-by': 'leasehold',
        },
        annotations: {
          'ipam.vitistack.io/ip-family': 'ipv4',
          'example.com/note': 'two\n\nlines\n',
          'argocd.argoproj.io/sync-wave': '1',
          'metallb.io/allow-shared-ip': 'leasehold-shop',
        },
      },
      spec: {
        ...declared.written.spec,
        ipFamilyPolicy: 'SingleStack',
        ipFamilies: ['IPv4'],
        loadBalancerIP: '203.0.113.7',
      },
    });
  });

  test.each([
    ['0.14.8', 'metallb.universe.tf'],
    ['0.14.9', 'metallb.io'],
  ])(
    'that its author pins by the annotation of MetalLB comes out so, for %s',
    (version, prefix) => {
      const declared = aService({ isPinnedByAnnotation: true });
      const [service] = services(withMetalLB(version), aServicePlacement([declared]));
      expect(service?.metadata.annotations).toMatchObject({
        [`${prefix}/loadBalancerIPs`]: '203.0.113.7',
      });
      expect(service?.spec).not.toHaveProperty('loadBalancerIP');
    },
  );

  test.each([
    ['0.14.8', 'metallb.universe.tf'],
    ['0.14.9', 'metallb.io'],
  ])('on two addresses is pinned by the annotation of MetalLB %s alone', (version, prefix) => {
    const declared = aService({ ipFamily: 'dual' });
    const [service] = services(withMetalLB(version), aServicePlacement([declared], dual));
    expect(service?.metadata.annotations).toEqual({
      'argocd.argoproj.io/sync-wave': '1',
      [`${prefix}/allow-shared-ip`]: 'leasehold-shop',
      [`${prefix}/loadBalancerIPs`]: '203.0.113.7,2001:db8::7',
    });
    expect(service?.spec).toMatchObject({
      ipFamilyPolicy: 'RequireDualStack',
      ipFamilies: ['IPv4', 'IPv6'],
    });
    expect(service?.spec).not.toHaveProperty('loadBalancerIP');
  });

  test('keeps the primary family of its author', () => {
    const declared = aService({ ipFamily: 'dual', familyOrder: ['ipv6', 'ipv4'] });
    const [service] = services(thePools(), aServicePlacement([declared], dual));
    expect(service?.spec.ipFamilies).toEqual(['IPv6', 'IPv4']);
    expect(service?.metadata.annotations['metallb.io/loadBalancerIPs']).toBe(
      '2001:db8::7,203.0.113.7',
    );
  });

  test('has one of the two addresses of its holder when it has one family', () => {
    const placement = aServicePlacement(
      [
        aService({ sharingKey: 'k', ipFamily: 'dual' }),
        aService({
          name: 'six',
          sharingKey: 'k',
          ipFamily: 'ipv6',
          ports: [{ port: 81, targetPort: 81, protocol: 'TCP' }],
        }),
      ],
      dual,
    );
    const six = services(thePools(), placement).find(({ metadata }) => metadata.name === 'six');
    expect(six?.spec).toMatchObject({
      ipFamilyPolicy: 'SingleStack',
      ipFamilies: ['IPv6'],
      loadBalancerIP: '2001:db8::7',
    });
  });
});

describe('the sharing key', () => {
  const second = { name: 'api', ports: [{ port: 81, targetPort: 81, protocol: 'TCP' as const }] };
  const keysOf = (placement: ReturnType<typeof aPlacement>): unknown[] =>
    services(thePools(), placement).map(
      ({ metadata }) => metadata.annotations['metallb.io/allow-shared-ip'],
    );

  test('is that of the namespace, even when a Service is alone or its author wrote another one', () => {
    const shared = ['Our key!', 'Our key!'].map((sharingKey, index) =>
      aService(index === 0 ? { sharingKey } : { ...second, sharingKey }),
    );
    expect(keysOf(aServicePlacement())).toEqual(['leasehold-shop']);
    expect(keysOf(aServicePlacement(shared))).toEqual(['leasehold-shop', 'leasehold-shop']);
  });

  test.each([
    ['shop', ['shop', 'mail']],
    ['mail', ['mail', 'shop']],
  ])('is in a group over namespaces that of the first member, here of %s', (first, namespaces) => {
    const elsewhere = { cluster: 'other', namespace: 'far', service: 'web' };
    const group = {
      name: 'dns',
      members: [
        elsewhere,
        ...namespaces.map((namespace) => ({
          cluster: 'default',
          namespace,
          service: namespace === 'shop' ? 'web' : 'api',
        })),
      ],
      at: startOf('leases/pools.yaml'),
    };
    const members = [aService(), aService({ ...second, namespace: 'mail' })];
    const key = `leasehold-${first}`;
    expect(keysOf(aServicePlacement(members, undefined, [group]))).toEqual([key, key]);
  });
});

describe('a Service without an address', () => {
  const plain = aService({ isLeased: false, labels: { team: 'shop' }, annotations: { a: 'b' } });

  test('keeps its fields, gets the label and the wave, and has no pool', () => {
    const objects = rendered(thePools(), [], [plain]);
    const [service] = ofKind(objects, 'Service');
    expect(service?.metadata).toEqual({
      name: 'web',
      namespace: 'shop',
      labels: { team: 'shop', 'app.kubernetes.io/managed-by': 'leasehold' },
      annotations: { a: 'b', 'argocd.argoproj.io/sync-wave': '1' },
    });
    expect(service?.spec).toEqual(plain.written.spec);
    expect(ofKind(objects, 'IPAddressPool')).toEqual([]);
  });

  test('is in the same file as it was as a LoadBalancer', () => {
    const [service] = ofKind(rendered(thePools(), [], [plain]), 'Service');
    expect(service?.path).toBe(
      holderPath({ name: 'default', shards: 1 }, aServicePlacement().holder),
    );
  });

  test('is written for its own cluster only', () => {
    const pools = thePools();
    const clusters = pools.clusters.flatMap((one) => [one, { ...one, name: 'other' }]);
    const objects = rendered({ ...pools, clusters }, [], [{ ...plain, cluster: 'other' }]);
    const paths = ofKind(objects, 'Service').map(({ path }) => path.split('/')[1]);
    expect(paths).toEqual(['other']);
  });
});

describe('a Reservation', () => {
  test('has a ConfigMap with its addresses with emit.addressConfigMaps', () => {
    const emit = { addressConfigMaps: true };
    const reservation = aServicePlacement(
      [aReservation({ ipFamily: 'dual' })],
      ['203.0.113.7', '2001:db8::7'],
    );
    const service = aServicePlacement(
      [aService({ name: 'api', familyOrder: ['ipv6', 'ipv4'], ipFamily: 'dual' })],
      ['203.0.113.8', '2001:db8::8'],
    );
    const maps = ofKind(rendered(thePools({ emit }), [reservation, service]), 'ConfigMap');
    const dataOf = (name: string) => maps.find(({ metadata }) => metadata.name === name)?.data;
    expect(dataOf('web-leased-ip')).toEqual({
      LEASED_IP: '203.0.113.7',
      LEASED_IPV4: '203.0.113.7',
      LEASED_IPV6: '2001:db8::7',
    });
    expect(dataOf('api-leased-ip')).toEqual({
      LEASED_IP: '2001:db8::8',
      LEASED_IPV6: '2001:db8::8',
      LEASED_IPV4: '203.0.113.8',
    });
  });
});

describe('namespaces', () => {
  const namespaces = (...args: Parameters<typeof rendered>): readonly Rendered[] =>
    ofKind(rendered(...args), 'Namespace');

  test('are written for every Service and Reservation, and are never pruned or deleted', () => {
    const found = namespaces(
      thePools({
        emit: { providerLeasedIP: false },
      }),
      [
        aServicePlacement([aService({ namespace: 'default' })]),
        aServicePlacement([aReservation({ namespace: 'charts' })], ['203.0.113.8']),
      ],
      [aService({ namespace: 'inner', isLeased: false })],
    );
    expect(found.map(({ metadata }) => metadata.name).sort()).toEqual([
      'charts',
      'default',
      'inner',
    ]);
    for (const { metadata } of found) {
      expect(metadata.labels).toEqual({
        'app.kubernetes.io/managed-by': 'leasehold',
        'leasehold.dev/leases': 'true',
      });
      expect(metadata.annotations).toMatchObject({
        'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
        'kustomize.toolkit.fluxcd.io/prune': 'disabled',
      });
    }
  });

  test('are not written with emit.namespaces: false', () => {
    const pools = thePools({
      emit: { namespaces: false, providerLeasedIP: false },
    });
    expect(
      namespaces(pools, [aServicePlacement()], [aService({ isLeased: false, name: 'b' })]),
    ).toEqual([]);
  });

  test('of two clusters are written for both', () => {
    const pools = thePools();
    const clusters = pools.clusters.flatMap((one) => [one, { ...one, name: 'other' }]);
    const group = {
      name: 'dns',
      members: ['default', 'other'].map((cluster) => ({
        cluster,
        namespace: 'shop',
        service: 'web',
      })),
      at: startOf('leases/pools.yaml'),
    };
    const members = [aService(), aService({ cluster: 'other' })];
    const objects = rendered({ ...pools, clusters }, [
      aServicePlacement(members, undefined, [group]),
    ]);
    for (const kind of ['IPAddressPool', 'Service']) {
      const places = ofKind(objects, kind).map(({ path }) => path.split('/')[1]);
      expect(places, kind).toEqual(['default', 'other']);
    }
  });
});
