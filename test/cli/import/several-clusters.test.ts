import { describe, expect, it } from 'vitest';
import { exportedList, exportedService } from '../../support/imports/exported-cluster.ts';
import { beside, heldIn, importedBy, told } from '../../support/imports/imported-cluster.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { content, putFile } from '../../support/trees/temp-tree.ts';

const shared = { name: 'any', addresses: '198.51.100.0/24', kind: 'BGPAdvertisement' } as const;

/** A cluster with a pool of its own, one that BGP announces in all clusters, and a Service. */
function cluster(name: string, third: number, ways: readonly object[] = [shared]): object[] {
  const own = { name, addresses: `192.0.${third}.0/24`, kind: 'L2Advertisement' };
  return [
    ...[own, ...ways].flatMap((pool) => poolObjects(pool as typeof own)),
    exportedService({ name: 'shop', addresses: [`192.0.${third}.70`] }),
  ];
}

function poolObjects({ name, addresses, kind }: Record<'name' | 'addresses' | 'kind', string>) {
  const metadata = { name, namespace: 'metallb-system' };
  const apiVersion = 'metallb.io/v1beta1';
  return [
    { apiVersion, kind: 'IPAddressPool', metadata, spec: { addresses: [addresses] } },
    { apiVersion, kind, metadata, spec: { ipAddressPools: [name] } },
  ];
}

async function importedAs(name: string, root: string, objects: object[], ...words: string[]) {
  putFile(root, 'live.yaml', exportedList(...objects));
  return importedBy('cluster', root, '--cluster', name, ...words);
}

describe('three clusters, each imported by its name', () => {
  it('are in one pool file, with their pools and Services', { tags: 'slow' }, async () => {
    const root = beside([]);
    await importedAs('east', root, cluster('east', 1), '--metallb', '0.14.9');
    const west = await importedAs('west', root, cluster('west', 2), '--metallb', '0.15.3');
    const north = await importedAs('north', root, cluster('north', 3), '--zone', 'north');
    expect([west, north].flatMap(told)).toEqual([
      'Service web/shop added 192.0.2.70',
      'Service web/shop added 192.0.3.70',
    ]);
    expect(north.notes.map(({ subject, message }) => `${subject}: ${message}`)).toEqual(
      expect.arrayContaining([
        'cluster north: it is new; the pools that were there stay in east and west',
        'cluster north: the version of its MetalLB is not in the source; that of the pool file is used: if it is another one, write it into metallb of the cluster',
        'pool any: cluster north announces it too, beside east and west',
      ]),
    );
    expect(content(root)['leases/pools.yaml']).toBe(`apiVersion: leasehold.dev/v1
kind: Pools
metallb: { version: 0.14.9, namespace: metallb-system, layout: pool }
clusters:
  - { name: east }
  - name: west
    metallb: { version: 0.15.3, namespace: metallb-system, layout: pool }
  - name: north
    defaultZone: north
    metallb: { namespace: metallb-system, layout: pool }
emit: { providerLeasedIP: false }
pools:
  - name: east
    zone: default
    addresses: [192.0.1.0/24]
    fence: open
    advertise: { l2: {} }
    clusters: [east]
  - name: any
    zone: default
    addresses: [198.51.100.0/24]
    fence: open
    advertise: { bgp: {} }
    clusters: [east, west, north]
  - name: west
    zone: default
    clusters: [west]
    addresses: [192.0.2.0/24]
    fence: open
    advertise: { l2: {} }
  - name: north
    zone: north
    clusters: [north]
    addresses: [192.0.3.0/24]
    fence: open
    advertise: { l2: {} }
defaultCluster: east
defaultZone: default
`);
    expect(await heldIn(root)).toEqual([
      '192.0.1.70 east/service/web/shop',
      '192.0.3.70 north/service/web/shop',
      '192.0.2.70 west/service/web/shop',
    ]);
    for (const [name, third] of [['east', 1] as const, ['west', 2] as const]) {
      expect(await importedAs(name, root, cluster(name, third))).toMatchObject({ edited: [] });
    }
  });
});

describe('a second cluster', () => {
  const pools = `apiVersion: leasehold.dev/v1
kind: Pools
metallb: { version: 0.14.9, layout: lease }
emit: { providerLeasedIP: false }
pools: [{ name: east, zone: lan, addresses: [192.0.1.0/24] }]
`;
  const routes = { kind: 'HTTPRoute', gateway: { namespace: 'gateways', name: 'public' } };

  it('leaves the manifests of the first as they are', async () => {
    const root = beside([], { 'leases/pools.yaml': pools });
    await runInProcess(['synth'], root);
    const before = content(root);
    await importedAs('west', root, cluster('west', 2, []));
    const after = content(root);
    const ofFirst = ([path]: [string, string]) => path.startsWith('dist/default/');
    expect(Object.entries(after).filter(ofFirst)).toEqual(Object.entries(before).filter(ofFirst));
    expect(after['leases/pools.yaml']).toContain(
      'clusters: [{ name: default }, { name: west, metallb: { namespace: metallb-system, layout: pool } }]',
    );
  });

  it('gets the routes of its hostnames', async () => {
    const root = beside([], { 'leases/pools.yaml': pools });
    const route = {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'HTTPRoute',
      metadata: { name: 'shop.example.com', namespace: 'web' },
      spec: {
        parentRefs: [routes.gateway],
        hostnames: ['shop.example.com'],
        rules: [{ backendRefs: [{ name: 'shop', port: 80 }] }],
      },
    };
    const answer = await importedAs('west', root, [...cluster('west', 2, []), route]);
    expect(answer.declarations.flatMap(({ hostnames }) => hostnames)).toEqual(['shop.example.com']);
    expect(content(root)['leases/pools.yaml']).toContain(
      'routes: { kind: HTTPRoute, gateway: { namespace: gateways, name: public } }',
    );
  });

  it.each([
    [
      'the L2 pool of another cluster',
      ['west', 1],
      /POOL_DUPLICATE .*east.*import with --cluster default/s,
    ],
    ['a pool of the same name', ['east', 2], /POOL_DUPLICATE .*a repository of its own/s],
    ['a reserved name', ['anycast', 3], /FIELD_VALUE .*anycast/],
  ] as const)('with %s is refused, and nothing is written', async (_, [name, third], reason) => {
    const own = name === 'west' ? 'east' : name;
    const root = beside(cluster(own, third, []), { 'leases/pools.yaml': pools });
    const before = content(root);
    const words = ['import', 'cluster', 'live.yaml', '--cluster', name];
    const { status, out } = await runInProcess(words, root);
    expect(out).toMatch(reason);
    expect(status).toBe(1);
    expect(content(root)).toEqual(before);
  });
});
