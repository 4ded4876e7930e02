import { expect, test } from 'vitest';
import { isManifestPath } from '../../../../src/core/manifests/paths.ts';
import {
  aClaim,
  alice,
  aPlacement,
  bob,
  provider,
  thePools,
} from '../../../support/declarations/pools-and-claims.ts';
import { ofKind, rendered, renderedTexts } from '../../../support/manifests/rendered.ts';

const placements = [
  aPlacement({ claims: [aClaim(), aClaim({ externalPort: 443, lease: { dseq: '9' } })] }),
  aPlacement({
    claims: [aClaim({ endpoint: 'both', ipFamily: 'dual', service: 'api' })],
    addresses: ['203.0.113.8', '2001:db8::8'],
  }),
  aPlacement({ claims: [aClaim({ lease: { owner: bob } })], addresses: ['203.0.113.9'] }),
];

test.each([16, 256] as const)(
  'each of %i shards has a file that keeps it, and knows itself by its name',
  (shards) => {
    const objects = rendered(thePools({ cluster: { shards } }), placements);
    const kept = ofKind(objects, 'ConfigMap');
    expect(kept).toHaveLength(shards);
    expect(new Set(kept.map(({ metadata }) => metadata.name)).size).toBe(shards);
    for (const { path, metadata } of kept) {
      const shard = metadata.name.replace('leasehold-', '');
      expect(path).toBe(`dist/default/${shard}/leasehold.yaml`);
    }
    expect([...objects.map(({ path }) => path)].filter((path) => !isManifestPath(path))).toEqual(
      [],
    );
  },
);

test('shards change the path of a file, and nothing in it', () => {
  const one = renderedTexts(thePools(), placements);
  const many = renderedTexts(thePools({ cluster: { shards: 16 } }), placements);
  const texts = (of: ReadonlyMap<string, string>) =>
    [...of].flatMap(([path, text]) => (path.endsWith('/leasehold.yaml') ? [] : [text])).sort();
  expect(texts(many)).toEqual(texts(one));
});

test('every cluster has its own folder', () => {
  const pools = thePools();
  const clusters = pools.clusters.flatMap((cluster) => [cluster, { ...cluster, name: 'other' }]);
  const there = aPlacement({ claims: [aClaim({ cluster: 'other' })] });
  const paths = [...renderedTexts({ ...pools, clusters }, [there]).keys()];
  expect(paths.filter((path) => path.startsWith('dist/default/'))).toHaveLength(2);
  expect(paths.filter((path) => path.startsWith('dist/other/'))).toHaveLength(4);
});

test('the order of placements changes no byte, and paths come sorted', () => {
  const texts = renderedTexts(thePools(), placements);
  const turned = renderedTexts(thePools(), [...placements].reverse());
  expect([...turned]).toEqual([...texts]);
  expect([...texts.keys()]).toEqual([...texts.keys()].sort());
  expect([...texts.keys()].filter((path) => !isManifestPath(path))).toEqual([]);
});

test('another lease changes no file of other holders', () => {
  const before = renderedTexts(thePools(), placements.slice(0, 2));
  const after = renderedTexts(thePools(), placements);
  for (const [path, text] of before) expect(after.get(path)).toBe(text);
});

test('a holder has one file: pool, advertisement, ProviderLeasedIPs, Services', () => {
  const objects = rendered(thePools(), placements.slice(0, 1));
  const [service] = ofKind(objects, 'Service');
  const together = objects.filter(({ path }) => path === service?.path);
  expect(together.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'IPAddressPool ip-203.0.113.7',
    'L2Advertisement ip-203.0.113.7',
    `ProviderLeasedIP ${alice}-ip-myip-tcp-80`,
    `ProviderLeasedIP ${alice}-ip-myip-tcp-443`,
    'Service web-ip-80-tcp',
    'Service web-ip-443-tcp',
  ]);
});

test('a ProviderLeasedIP has the nine labels and the fields of the CRD', () => {
  const [leasedIP] = ofKind(rendered(thePools(), [aPlacement()]), 'ProviderLeasedIP');
  expect(leasedIP).toMatchObject({
    apiVersion: 'akash.network/v2beta2',
    metadata: { name: `${alice}-ip-myip-tcp-80`, namespace: 'lease' },
  });
  expect(leasedIP?.metadata.labels).toEqual({
    'app.kubernetes.io/managed-by': 'leasehold',
    'akash.network': 'true',
    'akash.network/lease.id.owner': alice,
    'akash.network/lease.id.dseq': '12345',
    'akash.network/lease.id.gseq': '1',
    'akash.network/lease.id.oseq': '1',
    'akash.network/lease.id.provider': provider,
    'service-name': 'web',
    'external-port': '80',
    proto: 'TCP',
  });
  expect(leasedIP?.spec).toEqual({
    lease_id: { owner: alice, dseq: '12345', gseq: 1, oseq: 1, provider },
    service_name: 'web',
    port: 80,
    external_port: 80,
    sharing_key: `${alice}-ip-myip`,
    protocol: 'TCP',
  });
});

test('a lease namespace has a file of its own and is never pruned or deleted', () => {
  const claims = [aClaim({ lease: { dseq: '8438017' } })];
  const objects = ofKind(rendered(thePools(), [aPlacement({ claims })]), 'Namespace');
  const name = '5reb3l87s85t50v77sosktvdeeg6pfbnlboigoprqv3d4';
  const namespace = objects.find(({ metadata }) => metadata.name === name);
  expect(new Set(objects.map(({ path }) => path)).size).toBe(2);
  expect(namespace?.metadata.labels).toEqual({
    'app.kubernetes.io/managed-by': 'leasehold',
    'leasehold.dev/leases': 'true',
    'akash.network': 'true',
    'akash.network/namespace': name,
    'akash.network/lease.id.owner': alice,
    'akash.network/lease.id.dseq': '8438017',
    'akash.network/lease.id.gseq': '1',
    'akash.network/lease.id.oseq': '1',
    'akash.network/lease.id.provider': provider,
  });
  for (const { metadata } of objects) {
    expect(metadata.annotations).toEqual({
      'argocd.argoproj.io/sync-wave': '-5',
      'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
      'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
      'kustomize.toolkit.fluxcd.io/prune': 'disabled',
    });
  }
});

test('namespaces and ProviderLeasedIPs can be left out', () => {
  const kinds = (namespaces: boolean, providerLeasedIP: boolean) => {
    const pools = thePools({
      emit: { namespaces, providerLeasedIP },
    });
    const objects = rendered(pools, [aPlacement()]);
    return objects.map(({ kind, metadata }) =>
      kind === 'Namespace' ? metadata.name.length : kind,
    );
  };
  expect(kinds(false, true)).not.toContain(45);
  expect(kinds(false, true)).not.toContain('lease'.length);
  expect(kinds(false, true)).toContain('ProviderLeasedIP');
  expect(kinds(true, false)).toContain(45);
  expect(kinds(true, false)).not.toContain('lease'.length);
  expect(kinds(true, false)).not.toContain('ProviderLeasedIP');
});

test('every object has the managed-by label and a sync wave, and no time', () => {
  const waves = {
    Namespace: '-5',
    ConfigMap: '-5',
    ValidatingAdmissionPolicy: '-4',
    ValidatingAdmissionPolicyBinding: '-4',
    IPAddressPool: '-2',
    L2Advertisement: '-1',
    ProviderLeasedIP: '0',
    Service: '1',
    NetworkPolicy: '1',
  };
  const seen = new Set<string>();
  for (const layout of ['lease', 'pool'] as const) {
    const metallb = {
      kind: 'metallb',
      version: '0.14.9',
      namespace: 'metallb-system',
      layout,
    } as const;
    for (const object of rendered(thePools({ cluster: { plane: metallb } }), placements)) {
      seen.add(object.kind);
      expect(object.metadata.labels['app.kubernetes.io/managed-by']).toBe('leasehold');
      expect(object.metadata.annotations['argocd.argoproj.io/sync-wave']).toBe(
        waves[object.kind as keyof typeof waves],
      );
      expect(object).not.toHaveProperty('status');
      expect(object.metadata).not.toHaveProperty('creationTimestamp');
    }
  }
  expect([...seen].sort()).toEqual(Object.keys(waves).sort());
});

test('a placement in an undeclared cluster is a bug', () => {
  const lost = aPlacement({ claims: [aClaim({ cluster: 'nowhere' })] });
  expect(() => renderedTexts(thePools(), [lost])).toThrow('a cluster that is not declared');
});

test('two holders of one address are a bug', () => {
  const claims = [aClaim({ lease: { owner: bob } })];
  const both = [aPlacement(), aPlacement({ claims })];
  expect(() => renderedTexts(thePools(), both)).toThrow(/ip-203.0.113.7 .*is written twice/);
});

test('a dual claim without its IPv6 address is a bug', () => {
  const half = aPlacement({ claims: [aClaim({ ipFamily: 'dual' })] });
  expect(() => renderedTexts(thePools(), [half])).toThrow('without its ipv6 address');
});
