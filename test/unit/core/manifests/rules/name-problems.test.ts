import { describe, expect, test } from 'vitest';
import { type Hostname, hostnameHolder } from '../../../../../src/core/model/hostname.ts';
import { aLeaseHostname } from '../../../../support/allocations/hostname-records.ts';
import {
  aClaim,
  alice,
  aPlacement,
  bob,
  thePools,
  usualEmit,
} from '../../../../support/declarations/pools-and-claims.ts';
import { aReservation, aService } from '../../../../support/declarations/services.ts';
import { problemsOf, rendered } from '../../../../support/manifests/rendered.ts';

const readable = { naming: 'readable' } as const;
const selector = { app: 'web' };
const at = (file: string) => ({ file, line: 3, column: 5 });

test('a Service name longer than 63 characters is a problem at its claim', () => {
  const fits = aClaim({ service: 'a'.repeat(63 - '-ip-80-tcp'.length) });
  const long = aClaim({ service: 'a'.repeat(64 - '-ip-80-tcp'.length), at: at('leases/1.yaml') });
  expect(rendered(thePools(), [aPlacement({ claims: [fits] })]).length).toBeGreaterThan(0);
  expect(problemsOf(thePools(), [aPlacement({ claims: [long] })])).toMatchObject([
    { code: 'NAME_TOO_LONG', at: at('leases/1.yaml') },
  ]);
});

test('a ProviderLeasedIP name longer than 253 characters is a problem at its claim', () => {
  const endpointOf = (length: number) => 'e'.repeat(length - `${alice}-ip--tcp-80`.length);
  const fits = aClaim({ endpoint: endpointOf(253) });
  const long = aClaim({ endpoint: endpointOf(254) });
  expect(rendered(thePools(), [aPlacement({ claims: [fits] })]).length).toBeGreaterThan(0);
  expect(problemsOf(thePools(), [aPlacement({ claims: [long] })])).toMatchObject([
    { code: 'NAME_TOO_LONG', at: long.at },
  ]);
});

test('two endpoints with the same Service name are a problem at both claims', () => {
  const one = aClaim({ endpoint: 'a', at: at('leases/1.yaml') });
  const two = aClaim({ endpoint: 'b', at: at('leases/2.yaml') });
  const placements = [
    aPlacement({ claims: [two], addresses: ['203.0.113.8'] }),
    aPlacement({ claims: [one] }),
  ];
  expect(problemsOf(thePools(), placements)).toMatchObject([
    {
      code: 'NAME_TAKEN',
      at: at('leases/2.yaml'),
      also: [at('leases/1.yaml')],
      hint: 'use another externalPort',
    },
  ]);
});

test('two leases with the same readable namespace are one problem, even with several Services', () => {
  const claims = (owner: string) =>
    [80, 443].map((externalPort) =>
      aClaim({ lease: { owner }, externalPort, selector, at: at(`leases/${owner}.yaml`) }),
    );
  const placements = [
    aPlacement({ claims: claims(alice) }),
    aPlacement({ claims: claims(bob), addresses: ['203.0.113.8'] }),
  ];
  expect(problemsOf(thePools({ cluster: readable }), placements)).toMatchObject([
    { code: 'NAME_TAKEN', at: at(`leases/${alice}.yaml`), also: [at(`leases/${bob}.yaml`)] },
  ]);
  expect(rendered(thePools(), placements).length).toBeGreaterThan(0);
});

test('a readable Service with two addresses is a problem', () => {
  const placements = ['a', 'b'].map((endpoint, index) =>
    aPlacement({
      claims: [aClaim({ endpoint, externalPort: 80 + index, selector })],
      addresses: [`203.0.113.${7 + index}`],
    }),
  );
  expect(problemsOf(thePools({ cluster: readable }), placements)).toMatchObject([
    {
      code: 'NAME_TAKEN',
      hint: 'give the endpoint the same name as the other one, so that they share an address',
    },
  ]);
});

test('the same port of two endpoints of an owner is a problem with readable ProviderLeasedIPs', () => {
  const placements = ['1', '2'].map((dseq) =>
    aPlacement({
      claims: [aClaim({ endpoint: `e${dseq}`, lease: { dseq }, selector })],
      addresses: [`203.0.113.${dseq}`],
    }),
  );
  const pools = thePools({ cluster: readable });
  expect(problemsOf(pools, placements)).toMatchObject([{ code: 'NAME_TAKEN' }]);
  const without = {
    ...pools,
    emit: { ...usualEmit, providerLeasedIP: false },
  };
  expect(rendered(without, placements).length).toBeGreaterThan(0);
});

test('all problems are found at once, in the order of their places', () => {
  const claims = ['x', 'y'].map((letter) =>
    aClaim({
      endpoint: letter,
      service: letter.repeat(60),
      at: at(`leases/${letter === 'x' ? 2 : 1}.yaml`),
    }),
  );
  const problems = problemsOf(
    thePools(),
    claims.map((claim, index) =>
      aPlacement({ claims: [claim], addresses: [`203.0.113.${index}`] }),
    ),
  );
  expect(problems.map((problem) => problem.at.file)).toEqual(['leases/1.yaml', 'leases/2.yaml']);
});

describe('a declared Service', () => {
  const claim = aClaim({ lease: { dseq: '8438017' }, at: at('leases/lease.yaml') });
  const leased = '5reb3l87s85t50v77sosktvdeeg6pfbnlboigoprqv3d4';

  test.each([
    ['on an address', aService({ namespace: leased })],
    ['without one', aService({ namespace: leased, isLeased: false })],
    ['that something else renders', aReservation({ namespace: leased })],
  ])('in the namespace of a lease is one problem: %s', (_, declared) => {
    const placements = [aPlacement({ claims: [claim] })];
    expect(problemsOf(thePools(), placements, [declared])).toEqual([
      expect.objectContaining({ code: 'NAME_TAKEN', at: declared.at, also: [claim.at] }),
    ]);
  });

  test('may be in a namespace that is of a lease in another cluster', () => {
    const pools = thePools();
    const clusters = pools.clusters.flatMap((one) => [one, { ...one, name: 'other' }]);
    const declared = aService({ namespace: leased, cluster: 'other' });
    const placements = [aPlacement({ claims: [claim] })];
    expect(problemsOf({ ...pools, clusters }, placements, [declared])).toEqual([]);
  });

  test.each(['kube-system', 'kube-public', 'kube-node-lease', 'metallb-system', 'lease'])(
    'in the namespace %s is refused, leased or not',
    (namespace) => {
      const all = [
        aService({ namespace, name: 'a' }),
        aService({ namespace, name: 'b', isLeased: false }),
        aReservation({ namespace, name: 'c' }),
      ];
      expect(problemsOf(thePools(), [], all)).toMatchObject(
        all.map(({ at }) => ({ code: 'NAMESPACE_REFUSED', at })),
      );
    },
  );

  test('may be in the namespace of MetalLB of another cluster', () => {
    const pools = thePools({
      cluster: { plane: { kind: 'metallb', version: '0.14.9', namespace: 'lb', layout: 'lease' } },
    });
    const inOther = aService({ namespace: 'metallb-system' });
    expect(problemsOf(pools, [], [inOther])).toEqual([]);
    expect(problemsOf(pools, [], [aService({ namespace: 'lb' })])).toHaveLength(1);
  });

  test('may be in the namespace default', () => {
    expect(problemsOf(thePools(), [], [aService({ namespace: 'default' })])).toEqual([]);
  });
});

describe('with emit.addressNames, the DNS name of an endpoint is a Service', () => {
  const named = thePools({ cluster: readable, emit: { addressNames: true } });
  const clash = [
    aClaim({ endpoint: 'web', service: 'api', selector }),
    aClaim({ endpoint: 'other', service: 'leased-web', selector, externalPort: 81 }),
  ];

  test.each([
    ['before', clash],
    ['after', [...clash].reverse()],
  ])('which no service of the lease may be called, one %s its endpoint', (_, claims) => {
    const placements = claims.map((claim, index) =>
      aPlacement({ claims: [claim], addresses: [`203.0.113.${7 + index}`] }),
    );
    expect(problemsOf(named, placements)).toMatchObject([
      { code: 'NAME_TAKEN', hint: 'rename the endpoint or the service' },
    ]);
    expect(problemsOf(thePools({ cluster: readable }), placements)).toEqual([]);
  });

  test('which the service of the endpoint itself may not be called', () => {
    const claim = aClaim({ endpoint: 'web', service: 'leased-web', selector });
    expect(problemsOf(named, [aPlacement({ claims: [claim] })])).toMatchObject([
      { code: 'NAME_TAKEN' },
    ]);
  });

  test('which all claims of the endpoint share', () => {
    const claims = [80, 81].map((externalPort) =>
      aClaim({ endpoint: 'web', externalPort, selector }),
    );
    expect(problemsOf(named, [aPlacement({ claims })])).toEqual([]);
  });
});

describe('a hostname', () => {
  const claim = aClaim({ lease: { dseq: '8438017' }, at: at('leases/lease.yaml') });
  const leased = '5reb3l87s85t50v77sosktvdeeg6pfbnlboigoprqv3d4';
  const named = (namespace: string, service = 'web', cluster = 'default'): Hostname => ({
    kind: 'Hostname',
    cluster,
    namespace,
    service,
    port: 443,
    hostname: 'api.example.com',
    holder: hostnameHolder(cluster, namespace),
    at: at('leases/api.yaml'),
  });
  const found = (hostname: Hostname) =>
    problemsOf(thePools(), [aPlacement({ claims: [claim] })], [], [hostname]).map(
      ({ code, message }) => `${code} ${message}`,
    );

  test('does not lead into a namespace of Kubernetes, of MetalLB or of ProviderLeasedIPs', () => {
    expect(
      ['kube-system', 'metallb-system', 'lease'].flatMap((namespace) => found(named(namespace))),
    ).toEqual([
      "NAMESPACE_REFUSED Hostname 'api.example.com' is in the namespace kube-system, which belongs to Kubernetes",
      "NAMESPACE_REFUSED Hostname 'api.example.com' is in the namespace metallb-system, which belongs to MetalLB",
      "NAMESPACE_REFUSED Hostname 'api.example.com' is in the namespace lease, which is reserved for ProviderLeasedIPs",
    ]);
  });

  test('does not lead to the API server', () => {
    expect(found(named('default', 'kubernetes'))).toEqual([
      "NAME_REFUSED Hostname 'api.example.com' leads to the Service by which pods reach the API server",
    ]);
    expect(found(named('default', 'web'))).toEqual([]);
  });

  test('does not lead into the namespace of a lease of its cluster', () => {
    expect(found(named(leased))).toEqual([
      expect.stringMatching(
        /^NAME_TAKEN Hostname 'api\.example\.com' is in the namespace of lease akash1\S+, which belongs to that lease$/,
      ),
    ]);
    expect(found(named(leased, 'web', 'other'))).toEqual([]);
  });

  const ofLease = aLeaseHostname('shop.example.com', { lease: claim.lease });

  test('of a lease is in its namespace, as a declared one may not be', () => {
    const problems = problemsOf(thePools(), [], [], [named(leased), ofLease]);
    expect(problems).toMatchObject([{ code: 'NAME_TAKEN', at: at('leases/api.yaml') }]);
    expect(found(ofLease)).toEqual([]);
  });

  test('of a lease cannot be in the namespace of another lease', () => {
    const other = { ...ofLease, lease: { ...claim.lease, owner: bob } };
    const placements = [aPlacement({ claims: [claim] })];
    expect(problemsOf(thePools({ cluster: readable }), placements, [], [other])).toContainEqual(
      expect.objectContaining({ code: 'NAME_TAKEN', at: other.at, also: [claim.at] }),
    );
  });

  test('of a lease needs a service that can be the name of a Service', () => {
    expect(found({ ...ofLease, service: 'w'.repeat(64) })).toEqual([
      expect.stringMatching(/^NAME_TOO_LONG the Service name /),
    ]);
  });
});
