// @module-tag counted

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readClusterObjects } from '../../src/features/import/cluster/cluster-source.ts';
import { importPools } from '../../src/features/import/import-pools.ts';
import { documentsOf } from '../../src/features/import/metallb/metallb-source.ts';
import { check } from '../../src/features/synth/check.ts';
import { synth } from '../../src/features/synth/synth.ts';
import type { Day } from '../../src/model/day.ts';
import { mostHttp, nextCases } from '../../src/model/lease.ts';
import type { Outcome } from '../../src/model/problem.ts';
import { changedTree } from '../../src/workspace/changed-tree.ts';
import { accountOf } from '../support/declarations/lease-text.ts';
import { exportedList, exportedPool, provider } from '../support/imports/exported-cluster.ts';
import { importFiles } from '../support/imports/import-outcome.ts';
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

const options = { today: '2026-11-20' as Day, allowRelease: undefined };
const importOptions = {
  ...options,
  source: 'cluster',
  zone: undefined,
  cluster: undefined,
  layout: undefined,
  metallb: undefined,
  allowClosedFence: undefined,
} as const;

async function sound<Value>(outcome: Promise<Outcome<Value>>): Promise<Value> {
  const settled = await outcome;
  if (!settled.ok) throw new Error(JSON.stringify(settled.problems));
  return settled.value;
}

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
