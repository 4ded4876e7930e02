import { expect, test } from 'vitest';
import type { LeaseClaim } from '../../../../src/model/claim.ts';
import type { Pools } from '../../../../src/model/pools.ts';
import { aClaim, alice, aPlacement, provider, thePools } from '../../../support/builders.ts';
import { ofKind, type Rendered, rendered } from '../../../support/rendered.ts';

const families = ['ipv4', 'ipv6', 'dual'] as const;

function policies(claims: readonly LeaseClaim[], pools: Pools = thePools()): readonly Rendered[] {
  const addresses = ['203.0.113.7', '2001:db8::7'];
  return ofKind(rendered(pools, [aPlacement({ claims, addresses })]), 'NetworkPolicy');
}

test('a NetworkPolicy lets IPv6 in to the port of the container, on the pods of the provider', () => {
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

test('a NetworkPolicy stands in the file of its Service', () => {
  const claims = [aClaim({ ipFamily: 'ipv6' })];
  const objects = rendered(thePools(), [aPlacement({ claims, addresses: ['2001:db8::7'] })]);
  const [service, policy] = [ofKind(objects, 'Service'), ofKind(objects, 'NetworkPolicy')];
  expect(policy.map(({ path }) => path)).toEqual(service.map(({ path }) => path));
});

test('a claim of IPv4 alone has none, also when its holder has both families', () => {
  const claims = families.map((ipFamily, index) => aClaim({ ipFamily, externalPort: 80 + index }));
  expect(policies(claims).map(({ metadata }) => metadata.name)).toEqual([
    'ipv6-web-ip-81-tcp',
    'ipv6-web-ip-82-tcp',
  ]);
});

test('a NetworkPolicy selects what the declaration selects', () => {
  const [policy] = policies([aClaim({ ipFamily: 'dual', selector: { app: 'own' } })]);
  expect(policy?.spec.podSelector).toEqual({ matchLabels: { app: 'own' } });
});

test('there is none where nothing shuts the pods off: without a provider, or when it is turned off', () => {
  const claims = [aClaim({ ipFamily: 'dual', selector: { app: 'own' } })];
  const off = { namespaces: true, providerLeasedIP: true, networkPolicies: false };
  expect(policies(claims, thePools({ cluster: { naming: 'readable' } }))).toEqual([]);
  expect(policies(claims, thePools({ emit: off }))).toEqual([]);
});
