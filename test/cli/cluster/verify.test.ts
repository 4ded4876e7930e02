import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fencesOf } from '../../support/docs/doc-page.ts';
import { type Applied, applied } from '../../support/live/applied-objects.ts';
import {
  type FakeApiServer,
  fakeApiServer,
  kubeconfigFor,
} from '../../support/live/fake-api-server.ts';
import { goldenCase } from '../../support/live/verification.ts';
import { type Finished, runInProcess } from '../../support/run/run-in-process.ts';
import { fileStates } from '../../support/trees/file-states.ts';
import { putFile } from '../../support/trees/temp-tree.ts';

let server: FakeApiServer;
let root: string;
let objects: Applied;

beforeEach(async () => {
  server = await fakeApiServer();
  use('naming-readable');
});
afterEach(() => server.close());

/** Makes the repository of a golden case, and the cluster that it was applied to. */
function use(name: string): void {
  root = goldenCase(name);
  objects = applied(root);
  server.objects = objects;
}

function verify(...args: readonly string[]): Promise<Finished> {
  return runInProcess(['verify', '--kubeconfig', server.kubeconfig, ...args], root);
}

/** A cluster with manual changes and a failing MetalLB. */
function disturb(): void {
  const [dns, web] = objects.service;
  dns!.spec.externalTrafficPolicy = 'Local';
  web!.status = {};
  objects.event = [
    {
      metadata: { name: 'web.1', namespace: web!.metadata.namespace },
      type: 'Warning',
      reason: 'AllocationFailed',
      message: `Failed to allocate IP for "${web!.metadata.namespace}/web": ["203.0.113.6"] is not allowed in config`,
      lastTimestamp: '2026-11-20T10:00:00Z',
      involvedObject: { kind: 'Service', ...web!.metadata },
    },
  ];
  const labels = { 'app.kubernetes.io/managed-by': 'leasehold' };
  objects.addressPool.push({
    metadata: { name: 'ip-203.0.113.9', namespace: 'metallb-system', labels },
    spec: { addresses: ['203.0.113.9/32'] },
  });
  objects.addressPool.push({
    metadata: { name: 'default', namespace: 'metallb-system' },
    spec: { addresses: ['203.0.113.6-203.0.113.7'] },
  });
}

describe('leasehold verify', () => {
  test('reports success, and writes nothing anywhere', { tags: 'slow' }, async () => {
    const before = fileStates(root);
    const { status, out, err } = await verify();

    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(/^STATE {2}ADDRESS .*\nok .*\nok .*\nok .*\n3 ok\n$/);
    expect(server.requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
    expect(fileStates(root)).toEqual(before);
  });

  test('shows what docs/verify.md shows of a cluster that was changed by hand', async () => {
    disturb();
    const { status, out, err } = await verify();
    const [, shown] = fencesOf(readFileSync('docs/verify.md', 'utf8'));

    expect([status, err]).toEqual([1, '']);
    expect(out).toBe(shown?.text);
  });

  test('-o wide drops no column and no row of a table becomes a block', async () => {
    disturb();
    const { status, out } = await verify('-o', 'wide');
    expect(status).toBe(1);
    expect(out).toMatch(/^STATE +ADDRESS +PORT +OBJECT +HOLDER\n/);
  });

  test('prints JSON that fits its schema, the same each time', async () => {
    disturb();
    objects.deployment.push({ metadata: { name: 'operator-ip', namespace: 'akash-services' } });
    const { status, out } = await verify('-o', 'json');
    const schema = JSON.parse(readFileSync('docs/schemas/verification.schema.json', 'utf8'));
    const ajv = new Ajv2020({ strict: false });

    expect(status).toBe(1);
    expect(ajv.validate(schema, JSON.parse(out)), JSON.stringify(ajv.errors)).toBe(true);
    expect((await verify('-o', 'json')).out).toBe(out);
    expect(JSON.parse(out).counts).toEqual({
      ok: 0,
      pending: 2,
      'changed by hand': 1,
      'left over': 1,
      'cluster problem': 2,
    });
  });

  test('shows why no address is announced, and each fix once', async () => {
    const label = 'node.kubernetes.io/exclude-from-external-load-balancers';
    objects.node[0]!.metadata.labels = { [label]: '' };
    objects.endpointSlice.pop();
    const { status, out, err } = await verify('-o', 'wide');

    expect([status, err]).toEqual([1, '']);
    expect(out.match(/^not announced /gm)).toHaveLength(3);
    expect(out.match(/^ {2}MetalLB does not announce from node-a: the label /gm)).toHaveLength(3);
    expect(
      out.match(/^ {2}fix: .*: `kubectl --kubeconfig \S+ label node node-a .*-`$/gm),
    ).toHaveLength(1);
    expect(out).toContain(
      '\n  the Service has no ready endpoint, so MetalLB does not announce it\n',
    );
    expect(out).toMatch(/\n0 ok, 3 not announced\n$/);
  });

  test('passes when a Service has no endpoints, and tells it', async () => {
    objects.endpointSlice = [];
    const { status, out } = await verify();

    expect(status).toBe(0);
    expect(out).toMatch(/\n0 ok, 3 no endpoints\n$/);
  });

  test('contacts no cluster for a tree with problems', async () => {
    putFile(root, 'dist/default/leasehold.yaml', 'apiVersion: v1\n');
    const { status, out, err } = await verify();

    expect([status, err]).toEqual([1, '']);
    expect(out).toMatch(/^dist\/default\/leasehold\.yaml:\d+:\d+ STALE /);
    expect(server.requests).toEqual([]);
  });

  test('knows the declared clusters', async () => {
    const { status, err } = await verify('--cluster', 'nowhere');

    expect(status).toBe(64);
    expect(err).toBe(
      'leasehold: leases/pools.yaml declares no cluster nowhere; the only cluster is default\n',
    );
    expect((await verify('--cluster', 'default')).status).toBe(0);
  });

  test('prints kubectl commands for the cluster that was asked', async () => {
    objects.deployment.push({ metadata: { name: 'operator-ip', namespace: 'akash-services' } });
    const { out } = await verify('--context', 'fake', '-o', 'json');
    const [finding] = JSON.parse(out).findings;

    expect(finding.hint).toContain(
      `: \`kubectl --kubeconfig ${server.kubeconfig} --context fake -n akash-services scale `,
    );
  });

  test('knows the contexts of the kubeconfig', async () => {
    const { status, out, err } = await verify('--context', 'nowhere');

    expect([status, out]).toEqual([74, '']);
    expect(err).toBe('leasehold: the kubeconfig has no context nowhere: there are fake\n');
  });

  test.each(['--context', '--kubeconfig'])('takes no empty %s', async (option) => {
    const { status, err } = await runInProcess(['verify', option, ''], root);
    expect([status, err]).toEqual([64, expect.stringContaining('It is empty.')]);
  });

  test('reports in one line that the cluster cannot be reached', async () => {
    putFile(root, 'old', kubeconfigFor(server.url, 'expired'));
    server.refuse = () => ({ status: 403, message: 'no' });
    for (const { status, out, err } of [
      await runInProcess(['verify', '--kubeconfig', 'old'], root),
      await verify(),
      await runInProcess(['verify', '--kubeconfig', 'absent'], root),
    ]) {
      expect([status, out]).toEqual([74, '']);
      expect(err).toMatch(/^leasehold: [^\n]+\n$/);
    }
  });

  test('suggests the wrong cluster if nothing of the tree is there', async () => {
    objects.service.pop();
    expect((await verify()).err).toMatch(/^note: objects are missing or left over: .*\n$/);
    objects.service = [];
    server.objects = objects;
    const { status, err } = await verify();

    expect(status).toBe(1);
    expect(err).toBe(`no claim is applied: is fake (${server.url}) the right cluster?\n`);
  });

  test('does not suggest that when the Services are there', async () => {
    const { leasedIP: _, ...others } = objects;
    server.objects = others;
    const { status, out, err } = await verify();

    expect([status, err]).toEqual([1, '']);
    expect(out).toContain('the cluster does not serve akash.network/v2beta2 providerleasedips');
  });

  test('reports a tree that is half applied, and kinds that are not served', async () => {
    const { namespace, node, daemonSet, pod } = objects;
    server.objects = {
      ...{ namespace, node, daemonSet, pod },
      ...{ service: [], configMap: [], deployment: [] },
    };
    const { status, out } = await verify();

    expect(status).toBe(1);
    expect(out).toContain('the Service does not exist');
    expect(out).toContain('the cluster does not serve metallb.io/v1beta1 ipaddresspools');
    expect(out).toMatch(/\n0 ok, 4 not applied, 3 cluster problems\n$/);
  });

  test('shows hostile texts of the cluster harmlessly', async () => {
    disturb();
    objects.event[0]!.message = '\u001b[2J\r\nok  all is well\u202e';
    const { out } = await verify();

    expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(out).toContain('  MetalLB: AllocationFailed: ?[2J??ok  all is well?\n');
  });

  test('waits for success, and reports it once', { tags: 'slow' }, async () => {
    disturb();
    objects.addressPool.splice(-2);
    let looks = 0;
    server.refuse = (path) => {
      if (path.startsWith('/api/v1/namespaces?')) looks += 1;
      if (looks === 2) server.objects = applied(root);
      return undefined;
    };
    const { status, out, err } = await verify('--timeout', '1m');

    expect([status, looks]).toEqual([0, 2]);
    expect(err).toBe('waiting up to 60 s: 0 ok, 2 pending, 1 changed by hand\n');
    expect(out).toMatch(/\n3 ok\n$/);
  });
});
