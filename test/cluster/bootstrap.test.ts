import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { KubeObject } from '../support/cluster/kube.ts';
import { runPrinted } from '../support/cluster/kubectl.ts';
import { type ControlPlane, startControlPlane } from '../support/cluster/machines/control-plane.ts';
import type { Keeper } from '../support/cluster/machines/keeper.ts';
import { temporaryKeeper } from '../support/cluster/machines/machine.ts';
import { metallbVersions } from '../support/cluster/machines/metallb.ts';
import { metallbNamespace } from '../support/cluster/machines/metallb-pods.ts';
import { objectsIn } from '../support/cluster/manifests.ts';
import { programFolder } from '../support/cluster/programs/programs.ts';
import { renderedChart } from '../support/cluster/rendered-chart.ts';
import {
  allValues,
  byKind,
  leastValues,
  serveChart,
  withoutChartFields,
} from '../support/cluster/serve-chart.ts';
import { poolsText } from '../support/declarations/pools-text.ts';
import { fencesOf } from '../support/docs/doc-page.ts';
import { printedIn } from '../support/docs/printed-commands.ts';
import { runInProcess } from '../support/run/run-in-process.ts';
import { tempTree } from '../support/trees/temp-tree.ts';

const pools = poolsText(`provider: akash1hwmenz63dp59uve5ytea09suwgr47y3rn9902y
pools:
  - { name: p, zone: z, addresses: [203.0.113.0/28], advertise: { bgp: {} } }
`);

/** Kinds whose definitions are of programs that the suite does not build. */
const withoutDefinition = ['HelmRelease'];

/** What a command prints, for these pools. */
async function textOf(words: readonly string[], file = pools): Promise<string> {
  const root = tempTree({ 'leases/pools.yaml': file });
  const { status, out, err } = await runInProcess(['bootstrap', ...words], root);
  if (status !== 0) throw new Error(err);
  return out;
}

async function printed(...words: readonly string[]): Promise<readonly KubeObject[]> {
  return objectsIn(await textOf(words));
}

describe.skipIf(inject('clusterIsMissing'))('What bootstrap prints, on a real API server', () => {
  let plane: ControlPlane;
  let keeper: Keeper;
  beforeAll(async () => {
    keeper = temporaryKeeper();
    plane = await startControlPlane(keeper, join(keeper.folder, 'plane'));
    const flux = programFolder('flux-source');
    const prometheus = (kind: string) =>
      join(
        programFolder('metallb-0.16.1'),
        `prometheus-operator-0${kind}CustomResourceDefinition.yaml`,
      );
    const files = [
      join(programFolder('argocd'), 'core-install.yaml'),
      ...[prometheus('servicemonitor'), prometheus('prometheusrule')],
      ...readdirSync(flux)
        .filter((name) => name.endsWith('.yaml'))
        .map((name) => join(flux, name)),
    ];
    const objects = files.flatMap((file) => objectsIn(readFileSync(file, 'utf8')));
    for (const object of objects) {
      if (object.kind === 'CustomResourceDefinition') await plane.kube.apply(object);
    }
    const namespaces = ['argocd', 'flux-system', 'akash-services', 'leasehold', 'lb', 'web'];
    for (const name of [...namespaces, metallbNamespace]) {
      await plane.kube.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
  });
  afterAll(async () => {
    plane?.kube.close();
    await keeper?.close();
  });

  /** Applies objects. Each field must be kept. */
  async function expectTaken(objects: readonly KubeObject[]): Promise<void> {
    for (const object of objects) expect(await plane.kube.apply(object)).toMatchObject(object);
  }

  test.each([
    ['namespace', ['Namespace']],
    ['monitoring', ['Service']],
    ['monitoring --installed-by manifest', ['Service']],
    [
      'serve --image a/b:1 --repo ssh://git@git.example.com/a/b.git --secret key --monitor',
      ['ServiceAccount', 'Service', 'Deployment', 'ServiceMonitor'],
    ],
    [
      'verify --image a/b:1 --repo https://git.example.com/a/b.git --secret key --reach',
      [
        ...['ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
        'CronJob',
      ],
    ],
    ['metallb --for argocd', ['AppProject', 'Application']],
    ['metallb --for flux', ['Namespace', 'HelmRepository', 'HelmRelease']],
    [
      'rbac --doctor',
      [
        ...['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
        ...['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
        ...['Role', 'RoleBinding', 'Role', 'RoleBinding'],
      ],
    ],
  ])('bootstrap %s is taken, field by field', async (words, kinds) => {
    const objects = await printed(...words.split(' '));
    expect(objects.map(({ kind }) => kind)).toEqual(kinds);
    await expectTaken(objects.filter(({ kind }) => !withoutDefinition.includes(kind)));
  });

  test.each(metallbVersions.flatMap((version) => ['l2', 'bgp'].map((by) => [version, by])))(
    "MetalLB's chart %s is taken with the values of bootstrap metallb, for a pool with %s",
    async (version, by) => {
      const file = poolsText(`metallb: { version: ${version} }
pools:
  - { name: p, zone: z, addresses: [203.0.113.0/28], advertise: { ${by}: {} } }
`);
      const values = await textOf(['metallb', '--for', 'helm'], file);
      const chart = join(programFolder(`metallb-${version}`), 'metallb');
      const release = { name: 'metallb', namespace: metallbNamespace, values };
      const objects = renderedChart(chart, release);
      const programs = ['CustomResourceDefinition', 'DaemonSet', 'Deployment'];
      expect(objects.map(({ kind }) => kind)).toEqual(expect.arrayContaining(programs));
      for (const object of objects) await plane.kube.apply(object);
    },
  );

  test.each([
    ['the least', leastValues, ['Deployment', 'Service', 'ServiceAccount']],
    [
      'all',
      allValues,
      [
        ...['Deployment', 'Ingress', 'NetworkPolicy', 'PrometheusRule', 'Service'],
        ...['ServiceAccount', 'ServiceMonitor'],
      ],
    ],
  ])('the chart of serve is taken with %s values, field by field', async (_, values, kinds) => {
    const objects = serveChart(values);
    expect(objects.map(({ kind }) => kind)).toEqual(kinds);
    await expectTaken(objects);
  });

  test.each([
    'ssh://git@git.example.com/acme/leases.git',
    'https://git.example.com/acme/leases.git',
  ])('the chart of serve has the objects of bootstrap serve --repo %s', async (url) => {
    const objects = await printed(
      ...['serve', '--image', 'registry.example.com/leasehold:0.1.0', '--repo', url],
      ...['--secret', 'leases', '--name', 'leases', '--namespace', 'web', '--monitor'],
      ...['--cluster-domain', 'k8s.example.net', '--interval', '30s'],
      ...['--pending-refs', 'refs/pull/*/head'],
    );
    const chart = serveChart({
      git: { url, existingSecret: 'leases' },
      image: { ...leastValues.image, tag: '0.1.0' },
      serve: { cluster: 'default', interval: '30s', pendingRefs: ['refs/pull/*/head'] },
      clusterDomain: 'k8s.example.net',
      metrics: { serviceMonitor: { enabled: true } },
    });
    expect(chart.map(withoutChartFields)).toEqual(byKind(objects));
  });

  test.each([
    ['no repository', { git: { url: '' } }, 'set git.url'],
    ['no image', { image: { repository: '' } }, 'set image.repository'],
    ['credentials in the URL', { git: { url: 'https://a:b@git.example.com/a' } }, 'credentials'],
    [
      'a Secret for http',
      { git: { url: 'http://git.example.com/a', existingSecret: 'leases' } },
      'only over https or ssh',
    ],
    ['an unknown value', { replicas: 2 }, "additional properties 'replicas' not allowed"],
  ])('the chart of serve refuses %s', (_, values, reason) => {
    expect(() => serveChart({ ...leastValues, ...values })).toThrow(reason);
  });

  test('the rules of docs/monitoring.md are written and applied by its commands', async () => {
    const page = fencesOf(readFileSync('docs/monitoring.md', 'utf8'));
    const script = page.find(({ text }) => text.includes('PrometheusRule'))?.text ?? '';
    const apply = printedIn('monitoring', 'kubectl apply -f leasehold-rules.yaml');
    const root = tempTree({});
    mkdirSync(join(root, 'node_modules'));
    symlinkSync(process.cwd(), join(root, 'node_modules/leasehold'));
    execFileSync('sh', ['-ec', script.replace(apply, '')], { cwd: root });
    const file = join(root, 'leasehold-rules.yaml');
    await runPrinted({ kube: plane.kube }, apply.replace('leasehold-rules.yaml', file));
    const alerts = objectsIn(readFileSync(file, 'utf8'));
    expect(alerts).toMatchObject([{ kind: 'PrometheusRule', spec: { groups: expect.anything() } }]);
    await expectTaken(alerts);
  });

  test('the API server gives the Service for metrics the name and port that the operator asks for', async () => {
    const [service] = await printed('monitoring');
    const live = await plane.kube.get(service!);
    expect([live?.metadata.name, live?.metadata.namespace]).toEqual([
      'controller',
      'metallb-system',
    ]);
    expect(live?.spec.ports).toMatchObject([{ name: 'monitoring', port: 7472, protocol: 'TCP' }]);
  });
});
