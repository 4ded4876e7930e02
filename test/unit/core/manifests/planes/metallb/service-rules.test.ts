import { expect, test } from 'vitest';
import {
  declaredServiceManifest,
  unleasedServiceManifest,
} from '../../../../../../src/core/manifests/objects/declared-service.ts';
import {
  advertisementManifest,
  heldPoolManifest,
} from '../../../../../../src/core/manifests/planes/metallb/pool-objects.ts';
import { ClusterCheck } from '../../../../../../src/core/manifests/rules/cluster-check.ts';
import type { AnycastGroup } from '../../../../../../src/core/model/pools.ts';
import { startOf } from '../../../../../../src/core/model/problem.ts';
import type { DeclaredService } from '../../../../../../src/core/model/service.ts';
import {
  anAddress,
  aPool,
  thePools,
} from '../../../../../support/declarations/pools-and-claims.ts';
import {
  aService,
  aServicePlacement,
  type ServiceWords,
} from '../../../../../support/declarations/services.ts';

const [cluster] = thePools().clusters;
const address = anAddress('203.0.113.7');
const group: AnycastGroup = {
  name: 'dns',
  members: ['shop', 'mail'].map((namespace) => ({ cluster: 'default', namespace, service: 'web' })),
  at: startOf('leases/pools.yaml'),
};

/** Checks the Services of one key, or of an anycast group, with one address. */
function check(services: readonly DeclaredService[], anycast: readonly AnycastGroup[] = []): void {
  const { holder } = aServicePlacement(services, undefined, anycast);
  const all = new ClusterCheck(cluster!, []);
  const namespaces = [...new Set(services.map(({ namespace }) => namespace))];
  const metallbNamespace = 'metallb-system';
  const pool = { pool: aPool(), addresses: [address], metallbNamespace, namespaces } as const;
  all.add(heldPoolManifest(pool));
  const advertisement = { name: 'ip-203.0.113.7', metallbNamespace };
  all.add(advertisementManifest(pool.pool.advertise[0]!, advertisement));
  for (const service of services) {
    const claim = { holder: holder.id, sharingKey: service.sharingKey ?? 'k' };
    all.add(
      declaredServiceManifest(cluster!, claim, service, { addresses: [address], pool: pool.pool }),
      holder,
    );
  }
  all.finish();
}

function sharer(port: number, words: ServiceWords = {}): DeclaredService {
  const ports = [{ port, targetPort: port, protocol: 'TCP' as const }];
  return aService({ name: `s${port}`, sharingKey: 'k', ports, ...words });
}

const localTo = (selector: Readonly<Record<string, string>>): ServiceWords => ({
  spec: { externalTrafficPolicy: 'Local', selector },
});
const local = (app: string): ServiceWords => localTo({ app });

test('Services of one namespace and backend share an address', () => {
  expect(() => check([sharer(80), sharer(81)])).not.toThrow();
  expect(() => check([sharer(80, local('a')), sharer(81, local('a'))])).not.toThrow();
});

test('the order of the labels in a selector does not matter', () => {
  const one = sharer(80, localTo({ app: 'web', tier: 'front' }));
  const other = sharer(81, localTo({ tier: 'front', app: 'web' }));
  expect(() => check([one, other])).not.toThrow();
});

test('declared Services with labels of a lease belong to their namespace', () => {
  const labels = { 'akash.network/lease.id.owner': 'akash1x' };
  expect(() => check([sharer(80, { labels }), sharer(81)])).not.toThrow();
});

test('annotations with a prefix like that of MetalLB are allowed', () => {
  const annotations = { 'metallb.io': 'a', 'metallb.example/b': 'c' };
  expect(() => check([sharer(80, { annotations })])).not.toThrow();
});

test.each([
  ['Cluster and Local', sharer(81, local('s80')), /traffic policy/],
  ['two namespaces', sharer(81, { namespace: 'mail' }), /shop\/s80 has another owner/],
  ['one port', sharer(80, { name: 'other' }), /the port 80\/TCP/],
  ['two keys', sharer(81, { sharingKey: 'other' }), /another sharing key/],
])('Services on one address with %s are refused', (_, other, fault) => {
  expect(() => check([sharer(80), other])).toThrow(fault);
});

test('Services with Local traffic and different pods cannot share an address', () => {
  expect(() => check([sharer(80, local('a')), sharer(81, local('b'))])).toThrow(/other pods/);
});

test('an anycast group may have Services of several namespaces, but not with Local traffic', () => {
  const members = (words: ServiceWords) => [
    aService({ namespace: 'shop', ...words }),
    sharer(81, { namespace: 'mail', name: 'web', ...words }),
  ];
  expect(() => check(members({}), [group])).not.toThrow();
  expect(() => check(members(local('a')), [group])).toThrow(/other pods/);
});

test('Services of other types are not checked', () => {
  const all = new ClusterCheck(cluster!, []);
  all.add(unleasedServiceManifest(aService({ isLeased: false })));
  expect(() => all.finish()).not.toThrow();
});
