import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import {
  type ArgoCDTarget,
  argocdHealthText,
  argocdText,
} from '../../../../src/features/setup/argocd.ts';

const plane = { kind: 'metallb' } as const;
const target: ArgoCDTarget = {
  repo: 'https://git.example.com/leases.git',
  revision: 'refs/heads/main',
  folder: '',
  namespace: 'argocd',
  project: 'leases',
  clusters: [{ name: 'default', server: 'https://kubernetes.default.svc', shards: 1, plane }],
};

const objectsOf = (more: Partial<ArgoCDTarget> = {}) =>
  parseAllDocuments(argocdText({ ...target, ...more })).map((document) => document.toJS());

/** Every kind that a golden workspace has in its manifests: `group/kind`, and whether it has namespaces. */
function emitted(): ReadonlyMap<string, boolean> {
  const cases = 'test/golden/cases';
  const kinds = new Map<string, boolean>();
  for (const path of readdirSync(cases, { recursive: true, encoding: 'utf8' })) {
    if (!/\/dist\/.*\.yaml$/.test(path)) continue;
    for (const document of parseAllDocuments(readFileSync(join(cases, path), 'utf8'))) {
      const { apiVersion, kind, metadata } = document.toJS();
      const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
      kinds.set(`${group}/${kind}`, metadata.namespace !== undefined);
    }
  }
  return kinds;
}

test('the project allows exactly the kinds that leasehold writes', { tags: 'slow' }, () => {
  const server = 'https://kubernetes.default.svc';
  const [{ spec }] = objectsOf({
    clusters: (['metallb', 'cilium'] as const).map((kind) => ({
      ...{ name: kind, server: `${server}/${kind}`, shards: 1 },
      plane: { kind },
    })),
  });
  const names = (list: readonly { readonly group: string; readonly kind: string }[]) =>
    list.map(({ group, kind }) => `${group}/${kind}`);
  const written = [...emitted()];
  const of = (namespaced: boolean) =>
    written.filter(([, has]) => has === namespaced).map(([name]) => name);
  expect(names(spec.clusterResourceWhitelist).sort()).toEqual(of(false).sort());
  expect(names(spec.namespaceResourceWhitelist).sort()).toEqual(of(true).sort());
});

test('the project allows one repository and the declared clusters', () => {
  const [{ kind, spec }] = objectsOf({
    clusters: [
      { name: 'east', server: 'https://east.example.com', shards: 1, plane },
      { name: 'west', server: 'https://west.example.com', shards: 1, plane },
    ],
  });
  expect([kind, spec.sourceRepos]).toEqual(['AppProject', [target.repo]]);
  expect(spec.destinations).toEqual([
    { server: 'https://east.example.com', namespace: '*' },
    { server: 'https://west.example.com', namespace: '*' },
  ]);
});

test('each cluster has an Application, in the order of the pool file', () => {
  const [, ...applications] = objectsOf({
    project: 'ips',
    folder: 'network/',
    clusters: [
      { name: 'west', server: 'https://west.example.com', shards: 1, plane },
      { name: 'east', server: 'https://east.example.com', shards: 1, plane },
    ],
  });
  expect(
    applications.map(({ kind, metadata, spec }) => [
      kind,
      metadata.name,
      spec.project,
      spec.source.path,
      spec.destination,
    ]),
  ).toEqual([
    ['Application', 'ips-west', 'ips', 'network/dist/west', { server: 'https://west.example.com' }],
    ['Application', 'ips-east', 'ips', 'network/dist/east', { server: 'https://east.example.com' }],
  ]);
});

test('each shard has an Application', () => {
  const [, ...applications] = objectsOf({
    clusters: [{ name: 'east', server: 'https://east.example.com', shards: 16, plane }],
  });
  const places = applications.map(({ metadata, spec }) => [metadata.name, spec.source.path]);
  expect(places).toHaveLength(16);
  expect(places[0]).toEqual(['leases-east.0', 'dist/east/0']);
  expect(places[15]).toEqual(['leases-east.f', 'dist/east/f']);
});

test('an Application prunes, limits retries, and orphans its objects when it is deleted', () => {
  const [, application] = objectsOf({ revision: 'refs/tags/v1', namespace: 'gitops' });
  expect(application).toEqual({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: 'leases-default',
      namespace: 'gitops',
      annotations: { 'argocd.argoproj.io/compare-options': 'ServerSideDiff=false' },
    },
    spec: {
      project: 'leases',
      source: {
        repoURL: target.repo,
        targetRevision: 'refs/tags/v1',
        path: 'dist/default',
        directory: { recurse: true },
      },
      destination: { server: 'https://kubernetes.default.svc' },
      syncPolicy: {
        automated: { prune: true, selfHeal: true },
        retry: { limit: 5, backoff: { duration: '5s', factor: 2, maxDuration: '1m' } },
      },
    },
  });
});

test('the patch sets only one key of argocd-cm', () => {
  const patch = parse(argocdHealthText());
  expect(Object.keys(patch)).toEqual(['data']);
  expect(Object.keys(patch.data)).toEqual(['resource.customizations.health.Service']);
});

test('the script checks our label, and uses only what Argo CD provides', () => {
  const { data } = parse(argocdHealthText());
  const script: string = data['resource.customizations.health.Service'];
  expect(script).toContain('labels["app.kubernetes.io/managed-by"] ~= "leasehold"');
  // Without resource.customizations.useOpenLibs there is no string library.
  expect(script).not.toMatch(/string\.|:\w+\(/);
});
