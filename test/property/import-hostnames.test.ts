// @module-tag counted

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Day } from '../../src/core/model/day.ts';
import { mostHttp, nextCases } from '../../src/core/model/lease.ts';
import { check } from '../../src/core/run/synth/check.ts';
import { synth } from '../../src/core/run/synth/synth.ts';
import { changedTree } from '../../src/core/tree/changed-tree.ts';
import { readClusterObjects } from '../../src/features/import/cluster/cluster-source.ts';
import { importPools } from '../../src/features/import/import-pools.ts';
import { documentsOf } from '../../src/features/import/metallb/metallb-source.ts';
import { accountOf } from '../support/declarations/lease-text.ts';
import { exportedList, exportedPool, provider } from '../support/imports/exported-cluster.ts';
import {
  exportedHostRoute,
  exportedIngress,
  exportedRoute,
} from '../support/imports/exported-routes.ts';
import { importFiles, sound } from '../support/imports/import-outcome.ts';
import { runs } from '../support/run/scope.ts';
import { noHistory, treeOf } from '../support/trees/memory-tree.ts';

const gateway = { kind: 'HTTPRoute', gateway: { namespace: 'gateways', name: 'public' } };
const ingress = { kind: 'Ingress', className: 'nginx' };

const second = fc.integer({ min: 1, max: 60 }).map((count) => count * 1000);

/** Options that every controller keeps as they are: whole seconds, and sizes with a unit. */
const shared = fc.record(
  {
    maxBodySize: fc.integer({ min: 1, max: 100 }).map((count) => count * 2 ** 20),
    readTimeout: second,
    sendTimeout: second,
  },
  { requiredKeys: [] },
);

const all = fc.record(
  {
    maxBodySize: fc.integer({ min: 1, max: mostHttp.maxBodySize }),
    readTimeout: second,
    sendTimeout: second,
    nextTries: fc.integer({ min: 1, max: 9 }),
    nextTimeout: second,
    nextCases: fc.uniqueArray(fc.constantFrom(...nextCases.filter((one) => one !== 'off')), {
      minLength: 1,
    }),
  },
  { requiredKeys: [] },
);

/** The routes of a cluster, and the HTTP options that they can have. */
const cluster = fc.oneof(
  fc.record({ routes: fc.constantFrom(gateway, ingress), http: fc.constant({}) }),
  fc.record({
    routes: fc.constant({ ...gateway, controller: 'gateway.nginx.org/nginx-gateway-controller' }),
    http: shared,
  }),
  fc.record({ routes: fc.constant({ ...ingress, controller: 'k8s.io/ingress-nginx' }), http: all }),
);

const owner = fc.constantFrom('ana', 'ben').map(accountOf);
const holder = fc.record({
  kind: fc.constantFrom('Hostname', 'Lease'),
  owner,
  dseq: fc.constantFrom('18500001', '18500002', '9007199254740993'),
  namespace: fc.constantFrom('shop', 'blog'),
  service: fc.constantFrom('web', 'api'),
  port: fc.constantFrom(80, 8080),
});

type Cluster = typeof cluster extends fc.Arbitrary<infer Value> ? Value : never;
type Holder = typeof holder extends fc.Arbitrary<infer Value> ? Value : never;

/** A repository in which each holder has a hostname of its own, and the first Hostname a wildcard. */
function declaredFiles({ routes, http }: Cluster, holders: readonly Holder[]) {
  const pools = {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Pools',
    provider,
    clusters: [{ name: 'default', routes }],
    metallb: { version: '0.14.9', layout: 'pool' },
    pools: [{ name: 'public', zone: 'default', addresses: ['192.0.2.64/26'], fence: 'open' }],
  };
  const wild = holders.findIndex(({ kind }) => kind === 'Hostname');
  const hosts = new Map<string, object[]>();
  const files = holders.flatMap((one, index) => {
    const hostname = `${index === wild ? '*' : 'name'}.n${index}.example.com`;
    const { namespace, service, port, dseq } = one;
    if (one.kind === 'Lease') {
      const id = JSON.stringify({ owner: one.owner, dseq, gseq: 1, oseq: 1 });
      hosts.set(id, [...(hosts.get(id) ?? []), { service, accept: [hostname], httpOptions: http }]);
      return [];
    }
    return [{ kind: 'Hostname', spec: { namespace, service, port, hostname } }];
  });
  const leases = [...hosts].map(([id, own]) => ({
    kind: 'Lease',
    spec: { id: JSON.parse(id), hosts: own },
  }));
  const declarations = [...files, ...leases].map((one, index) => {
    const text = stringify(
      { apiVersion: 'leasehold.dev/v1', ...one },
      { aliasDuplicateObjects: false },
    );
    return [`leases/one/${index}.yaml`, text] as const;
  });
  return Object.fromEntries([['leases/pools.yaml', stringify(pools)], ...declarations]);
}

const options = { today: '2026-11-20' as Day };
const importOptions = {
  ...options,
  source: 'cluster',
  zone: undefined,
  cluster: undefined,
  layout: undefined,
  planeVersion: undefined,
  allowClosedFence: undefined,
} as const;

type Tree = ReturnType<typeof changedTree>;

/** The texts of files below a folder. */
function textsIn(tree: Tree, folder: string): ReadonlyMap<string, string> {
  const paths = tree.list(folder).map(({ path }) => path);
  return new Map(paths.map((path) => [path, new TextDecoder().decode(tree.read(path))]));
}

/** What the cluster serves of a repository: MetalLB's objects, and the applied hostnames. */
function exportOf(tree: Tree, controllerName: string | undefined) {
  const texts = [...textsIn(tree, 'dist/default/_hostnames').values()].map((text) =>
    // The status tells the controller.
    controllerName === undefined
      ? text
      : text.replace(
          /^kind: HTTPRoute\n/gm,
          `kind: HTTPRoute\nstatus: { parents: [{ controllerName: ${controllerName} }] }\n`,
        ),
  );
  const files = { 'hosts.yaml': texts.join('---\n'), 'pools.yaml': exportedList(...exportedPool) };
  return readClusterObjects(importFiles(files).map(documentsOf));
}

/** A value of another kind than the API server would give, or one that leads astray. */
const junk = fc.constantFrom<unknown>(
  ...[null, true, 0, -1, 2 ** 60, 'x', '', '*', '../../x', 'a.example.com', '\u202e', 'A_b'],
  ...[[], [null], [[]], ['a.example.com', 7], {}, { name: 'web' }, [{ name: 'web', port: 80 }]],
);

/** All paths of an object, without those that every object has with these types. */
function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  const isName = path.length === 2 && ['name', 'namespace'].includes(path[1] ?? '');
  const isType =
    path.length === 1 && ['apiVersion', 'kind', 'metadata', 'spec'].includes(path[0] ?? '');
  const own = path.length === 0 || isName || isType ? [] : [path];
  if (typeof value !== 'object' || value === null) return own;
  const below = Object.entries(value).flatMap(([key, one]) => pathsOf(one, [...path, key]));
  return [...own, ...below];
}

/** The object with another value at a path. */
function replaced(value: unknown, [key, ...rest]: readonly string[], other: unknown): unknown {
  if (key === undefined) return other;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? [...value]
    : { ...Object(value) };
  Object.assign(copy, { [key]: replaced(Object(value)[key], rest, other) });
  return copy;
}

const wholeObjects: readonly object[] = [
  exportedRoute({ name: 'one', hostnames: ['one.example.com', '*.two.example.com'] }),
  exportedRoute({ name: 'blog', namespace: 'blog', hostnames: ['a.two.example.com'] }),
  exportedIngress({ name: 'three', hostnames: ['three.example.com'] }),
  ...exportedHostRoute({ hostname: 'four.example.net' }),
  ...exportedHostRoute({ hostname: 'five.example.net', dseq: 18500002 }),
];

const odd = fc
  .constantFrom(...wholeObjects)
  .chain((object) =>
    fc
      .record({ path: fc.constantFrom(...pathsOf(object)), other: junk })
      .map(({ path, other }) => ({ object, put: (one: unknown) => replaced(one, path, other) })),
  );

describe('an odd route or ProviderHost', () => {
  it('never fails the import of the others, which check finds whole', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(odd, { maxLength: 3 }), async (changes) => {
        const objects = wholeObjects.map((object) =>
          changes
            .filter((one) => one.object === object)
            .reduce<unknown>((before, { put }) => put(before), object),
        );
        const text = exportedList(...objects.map(Object), ...exportedPool);
        const read = readClusterObjects(importFiles({ 'live.json': text }).map(documentsOf));
        const after = changedTree(treeOf({}));
        const imported = await sound(Promise.resolve(read));
        await sound(importPools(after, noHistory, imported, importOptions));
        await sound(check(after, noHistory));
        const again = await sound(importPools(after, noHistory, imported, importOptions));
        expect(again.answer.edited).toEqual([]);
      }),
      { seed: 20_261_127, numRuns: runs(300) },
    );
  });
});

describe('hostnames that leasehold has applied', () => {
  it('are imported into an empty repository with the same holders and the same routes', async () => {
    await fc.assert(
      fc.asyncProperty(
        cluster,
        fc.array(holder, { minLength: 1, maxLength: 8 }),
        async (one, holders) => {
          const before = changedTree(treeOf(declaredFiles(one, holders)));
          await sound(synth(before, noHistory, options));
          const controller = 'controller' in one.routes ? String(one.routes.controller) : undefined;
          const read = exportOf(before, controller);
          const after = changedTree(treeOf({}));
          const { answer } = await sound(
            importPools(after, noHistory, await sound(Promise.resolve(read)), importOptions),
          );
          expect(
            answer.notes.filter(
              ({ file, subject }) => file === 'hosts.yaml' && subject !== 'the hostnames of leases',
            ),
          ).toEqual([]);
          for (const folder of ['leases/hostnames', 'dist/default/_hostnames']) {
            expect(textsIn(after, folder)).toEqual(textsIn(before, folder));
          }
          await sound(check(after, noHistory));
        },
      ),
      { seed: 20_261_126, numRuns: runs(100) },
    );
  });
});
