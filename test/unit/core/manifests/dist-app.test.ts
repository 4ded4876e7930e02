import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ApiObject, App, Chart } from 'cdk8s';
import { beforeAll, describe, expect, test } from 'vitest';
import { schemas } from '../../../../imports/schemas.ts';
import { constructOf, DistApp } from '../../../../src/core/manifests/dist-app.ts';
import type { Manifest } from '../../../../src/core/manifests/manifest.ts';
import { namespaceManifest } from '../../../../src/core/manifests/objects/cluster-objects.ts';
import { unleasedServiceManifest } from '../../../../src/core/manifests/objects/declared-service.ts';
import { yamlText } from '../../../../src/core/manifests/yaml-text.ts';
import type { Day } from '../../../../src/core/model/day.ts';
import { emittedKinds, liveKinds } from '../../../../src/core/model/kinds.ts';
import { planRun } from '../../../../src/core/run/synth/planned-run.ts';
import { aService } from '../../../support/declarations/services.ts';
import { noHistory, treeOf } from '../../../support/trees/memory-tree.ts';
import { filesBelow } from '../../../support/trees/tree-bytes.ts';

const repository = resolve(import.meta.dirname, '../../../..');
const cases = 'test/golden/cases';

/** The folders and the days of the shipped example and of the golden cases. */
const workspaces = [
  [repository, '2026-11-20'] as const,
  ...readdirSync(join(repository, cases)).map((name) => {
    const folder = join(repository, cases, name);
    return [join(folder, 'in'), readFileSync(join(folder, 'today'), 'utf8').trim()] as const;
  }),
];

/** The kinds that have no generated class: see `classes` of dist-app.ts. */
const plainKinds = [
  'ClientSettingsPolicy',
  'HTTPRoute',
  'ProxySettingsPolicy',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
];

/** Each file's objects, as they are and as their constructs render them, by workspace. */
const files: { readonly plain: readonly Manifest[]; readonly rendered: readonly Manifest[] }[] = [];
const app = new DistApp();
/** What a construct that cannot be rendered has thrown. */
let failure: unknown;

beforeAll(async () => {
  await renderAll().catch((error: unknown) => {
    failure = error;
  });
});

async function renderAll(): Promise<void> {
  for (const [folder, today] of workspaces) {
    const tree = treeOf(Object.fromEntries(filesBelow(folder, ['leases', 'dist'])));
    const run = await planRun(tree, noHistory, today as Day, {
      renderObjects: (plain) => {
        const rendered = app.renderFile(plain);
        files.push({ plain, rendered });
        return rendered;
      },
    });
    expect([folder, run.ok]).toEqual([folder, true]);
  }
}

describe('the constructs of the shipped example and of the golden cases', () => {
  test('are rendered', () => {
    expect(failure).toBeUndefined();
  });

  test('render to the bytes of the objects', () => {
    expect(files.length).toBeGreaterThan(200);
    for (const { plain, rendered } of files) expect(yamlText(rendered)).toBe(yamlText(plain));
  });

  test('are of every kind that is written', () => {
    const seen = files.flatMap(({ plain }) => plain.map((one) => `${one.apiVersion}/${one.kind}`));
    const written = emittedKinds.map(
      (kind) => `${liveKinds[kind].apiVersion}/${liveKinds[kind].kind}`,
    );
    expect([...new Set(seen)].sort()).toEqual(written.sort());
  });

  test('are instances of generated classes, which name the kind, but for five kinds', () => {
    const kinds = new Set<string>();
    for (const manifest of files.flatMap(({ plain }) => plain)) {
      const chart = new Chart(new App(), 'chart');
      const object = constructOf(chart, 'object', manifest);
      expect([object.apiVersion, object.kind]).toEqual([manifest.apiVersion, manifest.kind]);
      if (object.constructor === ApiObject) kinds.add(manifest.kind);
      else expect(object.constructor).toHaveProperty('GVK', gvkOf(manifest));
    }
    expect([...kinds].sort()).toEqual(plainKinds);
  });
});

function gvkOf({ apiVersion, kind }: Manifest) {
  return { apiVersion, kind };
}

test('a chart is a child of the app until its file is rendered', () => {
  const manifests = ['a', 'b'].map((name) => namespaceManifest(name, {}));
  for (const manifest of manifests) {
    expect(app.renderFile([manifest]).map(({ metadata }) => metadata.name)).toEqual([
      manifest.metadata.name,
    ]);
    expect(app.node.children).toEqual([]);
  }
});

interface ServiceSchema {
  readonly properties: { readonly spec: { readonly properties: object } };
}

test('a Service keeps every field that its author may write', () => {
  const spec = {
    type: 'ClusterIP',
    ports: [
      { name: 'a', port: 80, targetPort: 'http', nodePort: 30_080, appProtocol: 'http' },
      { name: 'b', port: 81, targetPort: 8080, protocol: 'UDP' },
    ],
    selector: { leaseId: 'x', lease_id: 'y', targetPort: 'z', value: 'v' },
    externalTrafficPolicy: 'Local',
    healthCheckNodePort: 30_081,
    internalTrafficPolicy: 'Cluster',
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    loadBalancerClass: 'a/b',
    loadBalancerIP: '203.0.113.7',
    loadBalancerSourceRanges: ['203.0.113.0/24'],
    publishNotReadyAddresses: true,
    sessionAffinity: 'ClientIP',
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 10 } },
    trafficDistribution: 'PreferClose',
    allocateLoadBalancerNodePorts: true,
    clusterIP: 'None',
  };
  const { properties } = schemas['v1/Service'] as ServiceSchema;
  expect(Object.keys(spec).sort()).toEqual(Object.keys(properties.spec.properties).sort());
  const manifest = unleasedServiceManifest(aService({ spec, labels: { clusterIp: 'x' } }));
  expect(yamlText(app.renderFile([manifest]))).toBe(yamlText([manifest]));
});

test('a Service keeps labels and selectors with names that JavaScript objects have', () => {
  const names = { constructor: 'a', 'constructor-a': 'b', hasOwnProperty: 'c', toString: 'd' };
  const spec = { type: 'ClusterIP', selector: names, ports: [{ port: 80 }] };
  const manifest = unleasedServiceManifest(aService({ spec, labels: names, annotations: names }));
  expect(yamlText(app.renderFile([manifest]))).toBe(yamlText([manifest]));
});
