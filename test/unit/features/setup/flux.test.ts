import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type FluxTarget, fluxText } from '../../../../src/features/setup/flux.ts';

const git = {
  kind: 'GitRepository',
  url: 'https://git.example.com/leases.git',
  branch: 'main',
  folder: '',
} as const;
const target: FluxTarget = {
  source: git,
  namespace: 'flux-system',
  name: 'leases',
  secret: undefined,
  cluster: 'default',
  shards: 1,
  waitForAddresses: false,
};

const objectsOf = (more: Partial<FluxTarget> = {}) =>
  parseAllDocuments(fluxText({ ...target, ...more })).map((document) => document.toJS());

test('the source and the Kustomization of a repository', () => {
  expect(objectsOf()).toEqual([
    {
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'GitRepository',
      metadata: { name: 'leases', namespace: 'flux-system' },
      spec: {
        interval: '1m',
        url: git.url,
        ref: { branch: 'main' },
        ignore: '/*\n!/dist/\n',
      },
    },
    {
      apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
      kind: 'Kustomization',
      metadata: { name: 'leases', namespace: 'flux-system' },
      spec: {
        interval: '10m',
        retryInterval: '30s',
        timeout: '2m',
        path: './dist/default',
        prune: true,
        deletionPolicy: 'Orphan',
        wait: true,
        sourceRef: { kind: 'GitRepository', name: 'leases' },
      },
    },
  ]);
});

test('the Kustomization names its source, and the source its Secret', () => {
  const [repository, kustomization] = objectsOf({
    name: 'ips',
    namespace: 'gitops',
    secret: 'deploy-key',
    source: { ...git, folder: 'network/' },
    cluster: 'east',
  });
  expect(repository.metadata).toEqual({ name: 'ips', namespace: 'gitops' });
  expect(repository.spec.secretRef).toEqual({ name: 'deploy-key' });
  expect(repository.spec.ignore).toBe('/*\n!/network/\n/network/*\n!/network/dist/\n');
  expect(kustomization.metadata).toEqual(repository.metadata);
  expect(kustomization.spec.sourceRef.name).toBe('ips');
  expect(kustomization.spec.path).toBe('./network/dist/east');
});

test('it waits for the addresses in the field or in the annotation, whatever its prefix', () => {
  const [, { spec }] = objectsOf({ waitForAddresses: true });
  expect(spec.healthCheckExprs).toEqual([
    {
      apiVersion: 'v1',
      kind: 'Service',
      current:
        "spec.type != 'LoadBalancer' || has(status.loadBalancer.ingress) && " +
        "(has(spec.loadBalancerIP) ? [spec.loadBalancerIP] : metadata.annotations['metallb.io/loadBalancerIPs' in metadata.annotations ? 'metallb.io/loadBalancerIPs' : 'metallb.universe.tf/loadBalancerIPs'].split(','))" +
        '.all(pinned, status.loadBalancer.ingress.exists(live, live.ip == pinned))',
    },
  ]);
  expect(spec.wait).toBe(true);
});

test('each shard has a Kustomization of one source', () => {
  const [repository, ...kustomizations] = objectsOf({ shards: 256, cluster: 'east' });
  const places = kustomizations.map(({ metadata, spec }) => [metadata.name, spec.path]);
  expect(places).toHaveLength(256);
  expect(places[10]).toEqual(['leases.0a', './dist/east/0a']);
  const sources = new Set(kustomizations.map(({ spec }) => spec.sourceRef.name));
  expect([...sources]).toEqual([repository.metadata.name]);
});

test('the source may be an artifact made from dist/', () => {
  const source = {
    kind: 'OCIRepository',
    url: 'oci://registry.example.com/leases',
    tag: 'prod',
    cosignSecret: undefined,
  } as const;
  const [repository, first] = objectsOf({
    source,
    secret: 'registry',
    cluster: 'east',
    shards: 16,
  });
  expect(repository).toEqual({
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'OCIRepository',
    metadata: { name: 'leases', namespace: 'flux-system' },
    spec: {
      interval: '1m',
      url: source.url,
      ref: { tag: 'prod' },
      secretRef: { name: 'registry' },
    },
  });
  expect(first.spec.sourceRef).toEqual({ kind: 'OCIRepository', name: 'leases' });
  expect(first.spec.path).toBe('./east/0');
  const [signed] = objectsOf({ source: { ...source, cosignSecret: 'cosign' } });
  expect(signed.spec.verify).toEqual({ provider: 'cosign', secretRef: { name: 'cosign' } });
});
