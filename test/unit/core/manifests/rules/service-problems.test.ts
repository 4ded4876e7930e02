import { expect, test } from 'vitest';
import { claimsOfService } from '../../../../../src/core/declarations/claims.ts';
import {
  nodePortProblems,
  sharingProblems,
} from '../../../../../src/core/manifests/rules/service-problems.ts';
import type { AnycastGroup } from '../../../../../src/core/model/pools.ts';
import { type Problem, startOf } from '../../../../../src/core/model/problem.ts';
import type { DeclaredService, Reservation } from '../../../../../src/core/model/service.ts';
import { theHolders } from '../../../../support/allocations/tables.ts';
import { aClaim, aPlacement, thePools } from '../../../../support/declarations/pools-and-claims.ts';
import {
  aReservation,
  aService,
  type ServiceWords,
} from '../../../../support/declarations/services.ts';
import { problemsOf, rendered } from '../../../../support/manifests/rendered.ts';

const readable = thePools({ cluster: { naming: 'readable' } });
const at = (line: number) => ({ file: 'leases/1.yaml', line, column: 7 });
const selector = { app: 'web' };

test('with naming: readable each endpoint without a selector is a problem', () => {
  const claims = [80, 443].map((externalPort) => aClaim({ externalPort, at: at(externalPort) }));
  expect(problemsOf(readable, [aPlacement({ claims })])).toMatchObject([
    { code: 'SELECTOR_REQUIRED', at: at(80) },
    { code: 'SELECTOR_REQUIRED', at: at(443) },
  ]);
  expect(rendered(thePools(), [aPlacement({ claims })]).length).toBeGreaterThan(0);
});

test('with naming: readable, endpoints of one Service with different selectors are a problem', () => {
  const claims = [
    aClaim({ selector: { a: '1', b: '2' }, at: at(1) }),
    aClaim({ selector: { b: '2', a: '1' }, externalPort: 81, at: at(2) }),
    aClaim({ selector: { a: '1' }, externalPort: 82, at: at(3) }),
  ];
  expect(problemsOf(readable, [aPlacement({ claims })])).toMatchObject([
    { code: 'SERVICE_CONFLICT', at: at(3), also: [at(1)] },
  ]);
});

test('with naming: readable, endpoints of one Service with different families are a problem', () => {
  const claims = [
    aClaim({ selector, ipFamily: 'dual', at: at(1) }),
    aClaim({ selector, ipFamily: 'ipv4', externalPort: 81, at: at(2) }),
  ];
  const placement = aPlacement({ claims, addresses: ['203.0.113.7', '2001:db8::7'] });
  expect(problemsOf(readable, [placement])).toMatchObject([
    { code: 'SERVICE_CONFLICT', at: at(2), also: [at(1)] },
  ]);
});

/** A Service of the key `k`, named and placed by its port. */
function sharer(port: number, words: ServiceWords = {}): DeclaredService {
  const ports = [{ port, targetPort: port, protocol: 'TCP' as const }];
  return aService({ name: `s${port}`, ports, sharingKey: 'k', ...words });
}

function sharingProblemsOf(
  services: readonly (DeclaredService | Reservation)[],
  anycast: readonly AnycastGroup[] = [],
): readonly Problem[] {
  const claims = services.flatMap((service) => claimsOfService(service, anycast));
  return sharingProblems(theHolders(thePools(), ...claims));
}

/** The group `dns` of those Services. */
function groupOf(services: readonly DeclaredService[]): readonly AnycastGroup[] {
  const members = services.map(({ cluster, namespace, name }) => ({
    cluster,
    namespace,
    service: name,
  }));
  return [{ name: 'dns', members, at: startOf('leases/pools.yaml') }];
}

const local = (selector: string): ServiceWords => ({ localBackend: selector });

test.each<[string, readonly DeclaredService[]]>([
  ['Cluster with any selectors', [sharer(80), sharer(81, { spec: { selector: { app: 'x' } } })]],
  ['Local with one selector', [sharer(80, local('app=web')), sharer(81, local('app=web'))]],
  [
    'other policies on other keys',
    [sharer(80, local('app=web')), sharer(81, { sharingKey: 'other' })],
  ],
  [
    'other policies in other families',
    [sharer(80, { ...local('app=web'), ipFamily: 'ipv6' }), sharer(81, { ipFamily: 'ipv4' })],
  ],
])('Services share an address: %s', (_, services) => {
  expect(sharingProblemsOf(services)).toEqual([]);
});

test('a Service with Local cannot share with one with Cluster; the problem names both files', () => {
  expect(sharingProblemsOf([sharer(80), sharer(81, local('app=web'))])).toEqual([
    {
      code: 'SHARING_CONFLICT',
      message:
        "Service 'shop/s81' and Service 'shop/s80' in leases/shop/s80.yaml:1:1 share an address, but have the externalTrafficPolicy Local and Cluster",
      at: startOf('leases/shop/s81.yaml'),
      also: [startOf('leases/shop/s80.yaml')],
      hint: 'set externalTrafficPolicy: Cluster, or give it another sharing key so that it gets its own address',
    },
  ]);
});

test('a Service with Cluster cannot share with one with Local, even without a selector', () => {
  expect(sharingProblemsOf([sharer(80, local('')), sharer(81)])).toMatchObject([
    { message: expect.stringContaining('the externalTrafficPolicy Cluster and Local') },
  ]);
});

test('Services with Local and different selectors cannot share', () => {
  expect(
    sharingProblemsOf([sharer(80, local('app=web')), sharer(81, local('app=api'))]),
  ).toMatchObject([
    { code: 'SHARING_CONFLICT', message: expect.stringContaining('different selectors') },
  ]);
});

test('Services of two namespaces cannot share with Local, even with one selector, but can with Cluster', () => {
  const [one, two] = [
    sharer(80, local('app=web')),
    sharer(81, { ...local('app=web'), namespace: 'b' }),
  ];
  expect(sharingProblemsOf([one, two], groupOf([one, two]))).toMatchObject([
    { code: 'SHARING_CONFLICT', message: expect.stringContaining('two namespaces') },
  ]);
  const both = [sharer(80), sharer(81, { namespace: 'b' })];
  expect(sharingProblemsOf(both, groupOf(both))).toEqual([]);
});

test('Services of two clusters have no sharing problem', () => {
  const both = [sharer(80, local('app=web')), sharer(81, { cluster: 'other' })];
  expect(sharingProblemsOf(both, groupOf(both))).toEqual([]);
});

test('a Reservation shares like a Service with Cluster', () => {
  const reserved = aReservation({ name: 'chart', sharingKey: 'k' });
  expect(sharingProblemsOf([reserved, sharer(81)])).toEqual([]);
  expect(sharingProblemsOf([reserved, sharer(81, local('app=web'))])).toMatchObject([
    { message: expect.stringContaining("Reservation 'shop/chart' in leases/shop/chart.yaml:1:1") },
  ]);
});

test('a Service is reported once, even with several ports and families', () => {
  const ports = [81, 82].map((port) => ({ port, targetPort: port, protocol: 'TCP' as const }));
  const services = [
    sharer(80, { ipFamily: 'dual' }),
    sharer(81, { ...local('app=web'), ipFamily: 'dual', ports }),
    sharer(83, { ...local('app=web'), ipFamily: 'ipv6' }),
  ];
  expect(sharingProblemsOf(services).map(({ at }) => at.file)).toEqual([
    'leases/shop/s81.yaml',
    'leases/shop/s83.yaml',
  ]);
});

/** A Service with the node port 30080. */
function onNodePort(cluster: string, name: string) {
  const at = startOf(`leases/${cluster}/${name}.yaml`);
  return aService({ cluster, name, nodePorts: [{ port: 30_080, at }] });
}

test('two Services of a cluster cannot have the same node port', () => {
  const problems = nodePortProblems([onNodePort('east', 'a'), onNodePort('east', 'b')]);
  expect(problems).toMatchObject([
    {
      code: 'NODE_PORT_TAKEN',
      at: startOf('leases/east/b.yaml'),
      also: [startOf('leases/east/a.yaml')],
    },
  ]);
});

test('Services of two clusters may have the same node port, and a Reservation has none', () => {
  const services = [onNodePort('east', 'a'), onNodePort('west', 'a'), aReservation()];
  expect(nodePortProblems(services)).toEqual([]);
});
