import { expect, test } from 'vitest';
import type { LeaseClaim } from '../../../../../src/core/model/claim.ts';
import type { Pools } from '../../../../../src/core/model/pools.ts';
import {
  aClaim,
  alice,
  aPlacement,
  provider,
  thePools,
} from '../../../../support/declarations/pools-and-claims.ts';
import { ofKind, type Rendered, rendered } from '../../../../support/manifests/rendered.ts';

const dual = ['203.0.113.7', '2001:db8::7'];

function services(pools: Pools, placement = aPlacement()): readonly Rendered[] {
  return ofKind(rendered(pools, [placement]), 'Service');
}

function withVersion(version: string): Pools {
  return thePools({
    cluster: { plane: { kind: 'metallb', version, namespace: 'metallb-system', layout: 'lease' } },
  });
}

test('a Service has the labels, selector and port of the provider, and is pinned to its address', () => {
  const [service] = services(thePools(), aPlacement({ claims: [aClaim({ port: 8080 })] }));
  expect(service).toMatchObject({
    apiVersion: 'v1',
    metadata: {
      name: 'web-ip-80-tcp',
      labels: {
        'akash.network': 'true',
        'akash.network/service-target': 'metal-lb',
        'akash.network/lease.id.owner': alice,
        'akash.network/lease.id.dseq': '12345',
        'akash.network/lease.id.gseq': '1',
        'akash.network/lease.id.oseq': '1',
        'akash.network/lease.id.provider': provider,
        'app.kubernetes.io/managed-by': 'leasehold',
      },
    },
  });
  expect(service?.metadata.annotations).toEqual({
    'argocd.argoproj.io/sync-wave': '1',
    'metallb.io/allow-shared-ip': `${alice}-ip-myip`,
  });
  expect(service?.spec).toEqual({
    type: 'LoadBalancer',
    allocateLoadBalancerNodePorts: false,
    externalTrafficPolicy: 'Cluster',
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    loadBalancerIP: '203.0.113.7',
    ports: [{ name: 'web-ip-80-tcp', port: 80, protocol: 'TCP', targetPort: 8080 }],
    selector: { 'akash.network': 'true', 'akash.network/manifest-service': 'web' },
  });
});

test('two addresses are pinned by the annotation only, IPv4 first', () => {
  const claims = [aClaim({ ipFamily: 'dual' })];
  const [service] = services(thePools(), aPlacement({ claims, addresses: dual }));
  expect(service?.metadata.annotations['metallb.io/loadBalancerIPs']).toBe(
    '203.0.113.7,2001:db8::7',
  );
  expect(service?.spec).toMatchObject({
    ipFamilies: ['IPv4', 'IPv6'],
    ipFamilyPolicy: 'RequireDualStack',
  });
  expect(service?.spec).not.toHaveProperty('loadBalancerIP');
});

test('a claim of one family is pinned to its address, even when its holder has both families', () => {
  const claims = [
    aClaim({ ipFamily: 'dual' }),
    aClaim({ ipFamily: 'ipv4', externalPort: 81 }),
    aClaim({ ipFamily: 'ipv6', externalPort: 82 }),
  ];
  const found = services(thePools(), aPlacement({ claims, addresses: dual }));
  expect(
    found.map(({ spec }) => [spec.loadBalancerIP, spec.ipFamilies, spec.ipFamilyPolicy]),
  ).toEqual([
    [undefined, ['IPv4', 'IPv6'], 'RequireDualStack'],
    ['203.0.113.7', ['IPv4'], 'SingleStack'],
    ['2001:db8::7', ['IPv6'], 'SingleStack'],
  ]);
});

test.each([
  ['0.13.9', 'metallb.universe.tf'],
  ['0.14.8', 'metallb.universe.tf'],
  ['0.14.9', 'metallb.io'],
  ['0.14.10', 'metallb.io'],
  ['0.16.1', 'metallb.io'],
  ['1.0.0', 'metallb.io'],
])('MetalLB %s reads annotations of %s', (version, prefix) => {
  const claims = [aClaim({ ipFamily: 'dual' })];
  const [service] = services(withVersion(version), aPlacement({ claims, addresses: dual }));
  const keys = Object.keys(service?.metadata.annotations ?? {});
  expect(keys.filter((key) => key.startsWith('metallb'))).toEqual([
    `${prefix}/allow-shared-ip`,
    `${prefix}/loadBalancerIPs`,
  ]);
});

test('with naming: akash every claim has a Service of its own', () => {
  const claims = [aClaim(), aClaim({ externalPort: 53, protocol: 'UDP' })];
  const found = services(thePools(), aPlacement({ claims }));
  expect(found.map(({ metadata }) => metadata.name)).toEqual(['web-ip-53-udp', 'web-ip-80-tcp']);
});

test('with naming: readable a service of a lease has one Service with all its ports', () => {
  const selector = { app: 'web' };
  const claims = [
    aClaim({ selector }),
    aClaim({ selector, externalPort: 53, port: 5353, protocol: 'UDP' }),
    aClaim({ selector, service: 'mail', externalPort: 25 }),
    aClaim({ selector, lease: { dseq: '2' }, externalPort: 90 }),
  ];
  const found = services(thePools({ cluster: { naming: 'readable' } }), aPlacement({ claims }));
  expect(found.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual([
    'lease-dseq-12345-gseq-1-oseq-1/mail',
    'lease-dseq-12345-gseq-1-oseq-1/web',
    'lease-dseq-2-gseq-1-oseq-1/web',
  ]);
  expect(found[1]?.spec.ports).toEqual([
    { name: '53-udp', port: 53, protocol: 'UDP', targetPort: 5353 },
    { name: '80-tcp', port: 80, protocol: 'TCP', targetPort: 80 },
  ]);
});

const families = ['ipv4', 'ipv6', 'dual'] as const;

function policies(claims: readonly LeaseClaim[], pools: Pools = thePools()): readonly Rendered[] {
  const addresses = ['203.0.113.7', '2001:db8::7'];
  return ofKind(rendered(pools, [aPlacement({ claims, addresses })]), 'NetworkPolicy');
}

test('a NetworkPolicy allows IPv6 to the container port of the pods of the provider', () => {
  const claim = aClaim({ ipFamily: 'dual', port: 8080, lease: { dseq: '8438017' } });
  const [policy, ...more] = policies([claim]);
  expect(more).toEqual([]);
  expect(policy).toMatchObject({ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' });
  expect(policy?.metadata).toEqual({
    name: 'ipv6-web-ip-80-tcp',
    namespace: '5reb3l87s85t50v77sosktvdeeg6pfbnlboigoprqv3d4',
    labels: {
      'app.kubernetes.io/managed-by': 'leasehold',
      'akash.network': 'true',
      'akash.network/lease.id.owner': alice,
      'akash.network/lease.id.dseq': '8438017',
      'akash.network/lease.id.gseq': '1',
      'akash.network/lease.id.oseq': '1',
      'akash.network/lease.id.provider': provider,
    },
    annotations: { 'argocd.argoproj.io/sync-wave': '1' },
  });
  expect(policy?.spec).toEqual({
    podSelector: {
      matchLabels: { 'akash.network': 'true', 'akash.network/manifest-service': 'web' },
    },
    policyTypes: ['Ingress'],
    ingress: [{ from: [{ ipBlock: { cidr: '::/0' } }], ports: [{ port: 8080, protocol: 'TCP' }] }],
  });
});

test('a claim of IPv4 has no NetworkPolicy, even when its holder has both families', () => {
  const claims = families.map((ipFamily, index) => aClaim({ ipFamily, externalPort: 80 + index }));
  expect(policies(claims).map(({ metadata }) => metadata.name)).toEqual([
    'ipv6-web-ip-81-tcp',
    'ipv6-web-ip-82-tcp',
  ]);
});

test('with naming: readable or networkPolicies: false there is no NetworkPolicy', () => {
  const claims = [aClaim({ ipFamily: 'dual', selector: { app: 'own' } })];
  const off = { networkPolicies: false };
  expect(policies(claims, thePools({ cluster: { naming: 'readable' } }))).toEqual([]);
  expect(policies(claims, thePools({ emit: off }))).toEqual([]);
});
