import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Diagnosis } from '../../../src/features/cluster/diagnosis-answer.ts';
import { poolsText } from '../../support/declarations/pools-text.ts';
import { fencesOf } from '../../support/docs/doc-page.ts';
import { type FakeApiServer, fakeApiServer } from '../../support/live/fake-api-server.ts';
import { healthyObjects, workload } from '../../support/live/healthy-cluster.ts';
import { type Finished, runInProcess } from '../../support/run/run-in-process.ts';
import { tempTree } from '../../support/trees/temp-tree.ts';

const poolFile = poolsText(`metallb: { version: 0.14.9 }
pools: [{ name: public, zone: inet, addresses: [203.0.113.0/28] }]
`);
const namespace = 'akash-services';
const refused = {
  status: 403,
  message:
    'admission webhook "ipaddresspoolvalidationwebhook.metallb.io" denied the request: CIDR "192.0.2.0/25" in pool "leasehold-doctor" overlaps with already defined CIDR "192.0.2.0/24"',
};
let server: FakeApiServer;

beforeEach(async () => {
  server = await fakeApiServer(healthyObjects);
  server.answer = (path) => (path.includes('dryRun=All') ? refused : undefined);
});
afterEach(() => server.close());

function doctor(...args: readonly string[]): Promise<Finished> {
  const root = tempTree({ 'leases/pools.yaml': poolFile });
  return runInProcess(['doctor', '--kubeconfig', server.kubeconfig, ...args], root);
}

/** An Akash IP operator that is stuck, and a provider that waits for it. */
function addOperator(): void {
  const env = [{ name: 'AKASH_IP_OPERATOR', value: 'true' }];
  server.objects = {
    ...healthyObjects,
    deployment: [...(healthyObjects.deployment ?? []), workload('operator-ip', { namespace })],
    statefulSet: [workload('akash-provider', { namespace, container: { env } })],
    pod: [
      ...(healthyObjects.pod ?? []),
      { metadata: { name: 'operator-ip-0', namespace, labels: { app: 'operator-ip' } } },
    ],
  };
  server.answer = (path) => {
    if (path.includes('dryRun=All')) return refused;
    return path.includes('/log?')
      ? { text: "barrier is locked, can't service request\n" }
      : undefined;
  };
}

describe('leasehold doctor', () => {
  test('reports no findings for a healthy cluster', async () => {
    const { status, out, err } = await doctor();

    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(/^LEVEL {2}CODE +FOUND\n/);
    expect(out).toMatch(/\n\d+ ok\n$/);
  });

  test('requests only lists, the version, and one dry run', async () => {
    await doctor();
    const others = server.requests.filter((request) => !request.startsWith('GET '));

    expect(others).toEqual([
      expect.stringMatching(
        /^POST \/apis\/metallb.io\/v1beta1\/namespaces\/metallb-system\/ipaddresspools\?dryRun=All/,
      ),
    ]);
  });

  test('shows what docs/doctor.md shows of a cluster with an Akash IP operator', async () => {
    addOperator();
    const { status, out: printed } = await doctor();
    const out = printed.replaceAll(`--kubeconfig ${server.kubeconfig}`, '--context production');
    const [, shown] = fencesOf(readFileSync('docs/doctor.md', 'utf8'));

    expect(status).toBe(1);
    const parts = shown?.text.split('…\n') ?? [];
    expect(parts).toHaveLength(4);
    const places = parts.map((part) => out.indexOf(part));
    expect(places).toEqual([0, ...places.slice(1).sort((left, right) => left - right)]);
    expect([places.includes(-1), out.endsWith(parts.at(-1) ?? '')]).toEqual([false, true]);
  });

  test('checks the declared inventory, and asks its operator through the API server', async () => {
    const inventory = `apiVersion: leasehold.dev/v1
kind: Inventory
clusters:
  - { name: default, clusterStorage: [beta3] }
`;
    const labels = { 'akash.network': 'true' };
    const storageClass = { metadata: { name: 'beta3', labels }, provisioner: 'a.rbd.csi.ceph.com' };
    server.objects = { ...healthyObjects, storageClass: [storageClass] };
    const path = '/api/v1/namespaces/akash-services/services/operator-inventory:rest/proxy';
    const cluster = { nodes: [{ name: 'a' }], storage: [{ info: { class: 'beta3' } }] };
    server.answer = (asked) => {
      if (asked.includes('dryRun=All')) return refused;
      return asked === `${path}/v1/inventory` ? { text: JSON.stringify(cluster) } : undefined;
    };
    const root = tempTree({ 'leases/pools.yaml': poolFile, 'leases/inventory.yaml': inventory });
    const run = () => runInProcess(['doctor', '--kubeconfig', server.kubeconfig], root);
    const { status, out } = await run();

    expect(status).toBe(1);
    expect(out).toMatch(/\nok +STORAGE_CLASS_LABEL +the inventory operator can count/);
    expect(out).toMatch(/\nok +INVENTORY_EMPTY +the inventory operator knows 1 node/);
    expect(out).toMatch(/\nproblem +INVENTORY_CONFIG +there is no ConfigMap/);
    server.answer = (asked) => {
      if (asked.includes('dryRun=All')) return refused;
      return asked.includes('/proxy/') ? { status: 503, message: 'no endpoints' } : undefined;
    };
    expect((await run()).out).toMatch(
      /\nproblem +INVENTORY_EMPTY +.*does not answer: no endpoints/,
    );
  });

  test('prints JSON by its schema', async () => {
    addOperator();
    const { status, out } = await doctor('-o', 'json');
    const schema = JSON.parse(readFileSync('docs/schemas/diagnosis.schema.json', 'utf8'));
    const diagnosis: Diagnosis = JSON.parse(out);

    expect(status).toBe(1);
    expect(new Ajv2020({ strict: false }).validate(schema, diagnosis)).toBe(true);
    expect(diagnosis).toMatchObject({
      ...{ kind: 'Diagnosis', day: '2026-11-20' },
      ...{ cluster: 'default', ok: false },
    });
    expect(diagnosis.asked).toContain(server.url);
  });

  test('has unknown findings where RBAC denies everything', async () => {
    server.refuse = (path) => (path === '/version' ? undefined : { status: 403, message: 'no' });
    const { status, out } = await doctor();

    expect(status).toBe(1);
    expect(out).toContain(
      '\n  $ npx --no -- leasehold bootstrap rbac --doctor | kubectl apply -f -\n',
    );
    expect(out).toMatch(/\n1 ok, \d+ unknown\n$/);
  });

  test.each([
    ['a webhook that does not answer', 500, 'failed calling webhook "x": refused', 1],
    ['a missing permission to create pools', 403, 'ipaddresspools.metallb.io is forbidden', 1],
  ])('reports %s', async (_, code, message, expected) => {
    server.answer = (path) => (path.includes('dryRun=All') ? { status: code, message } : undefined);
    const { status, out } = await doctor();

    expect(status).toBe(expected);
    expect(out).toContain(message);
  });

  test.each([
    ['an expired token', { status: 401, message: 'Unauthorized' }],
    ['a server that fails', { status: 503, message: 'etcd is away' }],
    ['something that is no API server', { text: '<html>' }],
  ])('ends in exit status 74 with %s', async (_, refusal) => {
    server.refuse = () => refusal;
    const { status, out, err } = await doctor();

    expect([status, out]).toEqual([74, '']);
    expect(err).toMatch(/^leasehold: .+\n$/);
  });

  test('ends in exit status 74 when the cluster goes away half way', async () => {
    server.refuse = (path) =>
      path.includes('statefulsets') ? { status: 500, message: 'away' } : undefined;

    expect((await doctor()).status).toBe(74);
  });

  test('prints kubectl commands for the cluster that was asked', async () => {
    addOperator();
    const { out } = await doctor('--context', 'fake');
    const commands = out.match(/^ {2}\$ .*$/gm) ?? [];

    expect(commands.length).toBeGreaterThan(1);
    for (const command of commands) {
      expect(command).toContain(
        `$ kubectl --kubeconfig ${server.kubeconfig} --context fake -n akash-services `,
      );
    }
  });

  test('prints what grants permissions without the account that lacks them', async () => {
    server.answer = (path) => {
      if (path.includes('dryRun=All')) return refused;
      return path.includes('statefulsets') ? { status: 403, message: 'no' } : undefined;
    };
    const { out } = await doctor('-o', 'json');
    const { findings }: Diagnosis = JSON.parse(out);

    expect(new Set(findings.map(({ command }) => command))).toContain(
      'npx --no -- leasehold bootstrap rbac --doctor | kubectl apply -f -',
    );
  });

  test('looks at no cluster when the pool file has problems', async () => {
    const root = tempTree({ 'leases/pools.yaml': poolFile.replace('zone: inet,', '') });
    const args = ['doctor', '--kubeconfig', server.kubeconfig];
    const { status, out } = await runInProcess(args, root);

    expect(status).toBe(1);
    expect(out).toContain('FIELD_MISSING');
    expect(server.requests).toEqual([]);
  });

  test('works beside a broken lease file', async () => {
    const root = tempTree({ 'leases/pools.yaml': poolFile, 'leases/a.yaml': '{' });
    const args = ['doctor', '--kubeconfig', server.kubeconfig];

    expect((await runInProcess(args, root)).status).toBe(0);
  });

  test('refuses a cluster that is not declared', async () => {
    const { status, err } = await doctor('--cluster', 'other');

    expect(status).toBe(64);
    expect(err).toContain('other');
  });
});
