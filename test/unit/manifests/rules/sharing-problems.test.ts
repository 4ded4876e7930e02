import { expect, test } from 'vitest';
import { claimsOfService } from '../../../../src/declarations/claims.ts';
import { sharingProblems } from '../../../../src/manifests/rules/sharing-problems.ts';
import type { AnycastGroup } from '../../../../src/model/pools.ts';
import { type Problem, startOf } from '../../../../src/model/problem.ts';
import type { DeclaredService, Reservation } from '../../../../src/model/service.ts';
import { theHolders } from '../../../support/allocation-builders.ts';
import { thePools } from '../../../support/builders.ts';
import { aReservation, aService, type ServiceWords } from '../../../support/service-builders.ts';

/** A Service of the key `k`, named and placed by its port. */
function sharer(port: number, words: ServiceWords = {}): DeclaredService {
  const ports = [{ port, targetPort: port, protocol: 'TCP' as const }];
  return aService({ name: `s${port}`, ports, sharingKey: 'k', ...words });
}

function problemsOf(
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
  expect(problemsOf(services)).toEqual([]);
});

test('Cluster beside Local is a problem that names both files', () => {
  expect(problemsOf([sharer(80), sharer(81, local('app=web'))])).toEqual([
    {
      code: 'SHARING_CONFLICT',
      message:
        "Service 'shop/s81' and Service 'shop/s80' in leases/shop/s80.yaml:1:1 share an address, but have the externalTrafficPolicy Local and Cluster",
      at: startOf('leases/shop/s81.yaml'),
      also: [startOf('leases/shop/s80.yaml')],
      hint: 'set externalTrafficPolicy: Cluster in both, or give one of them an address of its own',
    },
  ]);
});

test('Local beside Cluster is one too, also with no selector', () => {
  expect(problemsOf([sharer(80, local('')), sharer(81)])).toMatchObject([
    { message: expect.stringContaining('the externalTrafficPolicy Cluster and Local') },
  ]);
});

test('Local with different selectors is a problem', () => {
  expect(problemsOf([sharer(80, local('app=web')), sharer(81, local('app=api'))])).toMatchObject([
    { code: 'SHARING_CONFLICT', message: expect.stringContaining('different selectors') },
  ]);
});

test('Local over namespaces is a problem, also with one selector; Cluster is none', () => {
  const [one, two] = [
    sharer(80, local('app=web')),
    sharer(81, { ...local('app=web'), namespace: 'b' }),
  ];
  expect(problemsOf([one, two], groupOf([one, two]))).toMatchObject([
    { code: 'SHARING_CONFLICT', message: expect.stringContaining('two namespaces') },
  ]);
  const both = [sharer(80), sharer(81, { namespace: 'b' })];
  expect(problemsOf(both, groupOf(both))).toEqual([]);
});

test('what stands in two clusters meets nowhere', () => {
  const both = [sharer(80, local('app=web')), sharer(81, { cluster: 'other' })];
  expect(problemsOf(both, groupOf(both))).toEqual([]);
});

test('a Reservation counts as Cluster', () => {
  const reserved = aReservation({ name: 'chart', sharingKey: 'k' });
  expect(problemsOf([reserved, sharer(81)])).toEqual([]);
  expect(problemsOf([reserved, sharer(81, local('app=web'))])).toMatchObject([
    { message: expect.stringContaining("Reservation 'shop/chart' in leases/shop/chart.yaml:1:1") },
  ]);
});

test('each Service is told once, however many ports and families it has', () => {
  const ports = [81, 82].map((port) => ({ port, targetPort: port, protocol: 'TCP' as const }));
  const services = [
    sharer(80, { ipFamily: 'dual' }),
    sharer(81, { ...local('app=web'), ipFamily: 'dual', ports }),
    sharer(83, { ...local('app=web'), ipFamily: 'ipv6' }),
  ];
  expect(problemsOf(services).map(({ at }) => at.file)).toEqual([
    'leases/shop/s81.yaml',
    'leases/shop/s83.yaml',
  ]);
});
