import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { planeMoveSchema } from '../../../src/features/cluster/plane-move/plane-move-answer.ts';
import { declared } from '../../support/cluster/declared.ts';
import { type Applied, applied } from '../../support/live/applied-objects.ts';
import { operator, peerConfig } from '../../support/live/cilium-objects.ts';
import { type FakeApiServer, fakeApiServer } from '../../support/live/fake-api-server.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { content, putFile, tempTree } from '../../support/trees/temp-tree.ts';

const day = ['--today', '2026-11-20'];
const file = (metallb: object, more: object = {}, pool: object = {}) =>
  stringify({
    apiVersion: 'leasehold.dev/v1',
    kind: 'Pools',
    metallb: { version: '0.15.3', layout: 'pool', ...metallb },
    emit: { providerLeasedIP: false },
    ...more,
    pools: [
      {
        name: 'public',
        zone: 'inet',
        addresses: ['203.0.113.0/28'],
        advertise: { bgp: {} },
        ...pool,
      },
    ],
  });

let server: FakeApiServer;
let root: string;
let objects: Applied;

beforeEach(async () => {
  server = await fakeApiServer();
});
afterEach(() => server.close());

/** The settings of Cilium. */
const settings = (data: object) => ({
  metadata: { namespace: 'kube-system', name: 'cilium-config' },
  data,
});

/** A repository on MetalLB, applied, in a cluster where Cilium runs and all is done. */
async function ready(pools: string, cluster = 'default'): Promise<void> {
  const shared = { annotations: { 'ipam.vitistack.io/allow-local-shared-ip': 'k' } };
  root = tempTree({
    'leases/pools.yaml': pools,
    'leases/shop/web.yaml': declared('shop', 'web'),
    'leases/shop/a.yaml': declared('shop', 'a', shared),
    'leases/shop/b.yaml': declared('shop', 'b', { ...shared, spec: { ports: [{ port: 81 }] } }),
  });
  const repository = gitRepository(root);
  expect(await runInProcess(['synth', ...day], root)).toMatchObject({ status: 0 });
  repository.git('add', '-A');
  repository.git('commit', '-q', '-m', 'One');
  objects = applied(root, cluster);
  const image = 'quay.io/metallb/controller:v0.15.3';
  const controller = {
    metadata: { namespace: 'metallb-system', name: 'controller' },
    spec: { replicas: 0, template: { spec: { containers: [{ name: 'controller', image }] } } },
  };
  const stopped = operator('v1.20.2');
  objects.deployment = [controller, { ...stopped, spec: { ...stopped.spec, replicas: 0 } }];
  objects.ciliumBGPPeerConfig = [peerConfig('public')];
  Object.assign(objects, { configMap: [settings({ 'enable-bgp-control-plane': 'true' })] });
  for (const { metadata } of objects.service) {
    metadata.labels['leasehold.dev/pool'] = 'public';
    const key = metadata.annotations['metallb.io/allow-shared-ip'];
    if (key) metadata.annotations['lbipam.cilium.io/sharing-key'] = key;
  }
  server.objects = objects;
}

const move = (...args: readonly string[]) =>
  runInProcess(
    ['migrate-plane', 'cilium', '--kubeconfig', server.kubeconfig, ...args, ...day],
    root,
  );

/** What it says must be done or cannot be. */
async function blocked(): Promise<readonly string[]> {
  const before = content(root);
  const { status, out } = await move('-o', 'json');
  expect([status, content(root)]).toEqual([1, before]);
  const { steps, ready: isReady } = planeMoveSchema.parse(JSON.parse(out));
  expect(isReady).toBe(false);
  return steps.flatMap(({ state, text, commands }) =>
    state === 'ok'
      ? []
      : [`${state} ${text}`, ...commands.map((one) => one.replace(/--kubeconfig \S+ /, ''))],
  );
}

describe('leasehold migrate-plane', () => {
  test('writes Cilium into the pool file of a cluster that is ready, and says what comes next', async () => {
    await ready(file({}));
    const held = await runInProcess(['list', '-o', 'json'], root);
    const dry = await move('--dry-run');
    expect([dry.status, content(root)['leases/pools.yaml']]).toEqual([0, file({})]);
    const { status, out } = await move();
    expect(status).toBe(0);
    expect(out).toContain('2. Merge it.');
    expect(out).toMatch(
      /^4\. Start Cilium, .*\n +kubectl --kubeconfig \S+ -n kube-system scale deployment cilium-operator --replicas=1$/m,
    );
    const tree = content(root);
    expect(tree['leases/pools.yaml']).toContain(
      'cilium: { version: 1.20.2, namespace: kube-system, movedFrom: metallb }',
    );
    expect(tree['leases/pools.yaml']).not.toContain('metallb:');
    expect(tree['dist/default/_pools/public.yaml']).toContain('CiliumLoadBalancerIPPool');
    const addresses = (text: string) =>
      JSON.parse(text).items.map((one: { addresses: unknown }) => one.addresses);
    const now = await runInProcess(['list', '-o', 'json'], root);
    expect(addresses(now.out)).toEqual(addresses(held.out));
    // The pull request is green, and asks to look.
    expect(await runInProcess(['check', '--base', 'HEAD'], root)).toMatchObject({ status: 0 });
    const plan = await runInProcess(['plan', '--base', 'HEAD'], root);
    expect(plan.out).toContain('PLANE_STEP');
    const project = ['gitops', 'argocd', '--repo', 'https://example.com/acme/leases.git'];
    const { out: printed } = await runInProcess(project, root);
    expect(printed).toContain('CiliumLoadBalancerIPPool');
    expect(printed).toContain('IPAddressPool');
    const again = await move();
    expect([again.status, again.out]).toEqual([
      0,
      expect.stringContaining('takes over from MetalLB'),
    ]);
  });

  test('prints the commands for what is not done yet, in their order', async () => {
    await ready(file({}));
    for (const { metadata } of objects.service) {
      metadata.labels = {};
      delete metadata.annotations['lbipam.cilium.io/sharing-key'];
    }
    for (const { spec } of objects.deployment) delete spec.replicas;
    expect(await blocked()).toEqual([
      'do the label that its pool asks for on each live Service, and the sharing key where it has one',
      'kubectl -n shop label service a b web leasehold.dev/pool=public',
      "kubectl -n shop annotate service a b web lbipam.cilium.io/sharing-key=leasehold-shop 'lbipam.cilium.io/sharing-cross-namespace=*'",
      "do MetalLB's controller at 0 replicas, and nothing that starts it again; its speakers go on",
      'kubectl -n metallb-system scale deployment controller --replicas=0',
      "do Cilium's operator at 0 replicas, and nothing that starts it again; its agents go on",
      'kubectl -n kube-system scale deployment cilium-operator --replicas=0',
    ]);
    const { out } = await move();
    expect(out).toContain('nothing was changed: do what is marked');
  });

  test.each<readonly [string, string, (found: Applied) => void, string]>([
    [
      'layout: lease',
      file({ layout: 'lease' }),
      () => {},
      'layout: pool; it is lease: run `leasehold migrate-layout pool --cluster default` first',
    ],
    [
      'a class',
      file({ loadBalancerClass: 'a.example/b' }),
      () => {},
      'no loadBalancerClass: Kubernetes lets no Service leave the class a.example/b',
    ],
    [
      'an open fence',
      file({}, {}, { fence: 'open' }),
      () => {},
      'closed fences: remove fence: open from public first',
    ],
    [
      'no operator',
      file({}),
      (found) => {
        found.deployment = [];
      },
      'Cilium 1.18.2 or later, whose version its image names: install it first',
    ],
    [
      'an operator that moves addresses',
      file({}),
      (found) => {
        found.deployment = [operator('v1.17.3')];
      },
      'Cilium 1.18.2 or later, whose version its image names: install it first',
    ],
    [
      'a pool of Cilium',
      file({}),
      (found) => {
        found.ciliumPool = [{ metadata: { name: 'theirs' }, spec: {} }];
      },
      'no pool of Cilium: with theirs it may serve Services already',
    ],
    [
      'a Service of nobody',
      file({}),
      (found) => {
        const [first] = found.service;
        const ip = { status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } };
        found.service.push({ ...first!, ...ip, metadata: { namespace: 'x', name: 'y' } });
      },
      'every Service without a class declared in cluster default: Cilium would take the address of Service x/y: declare it, or delete it',
    ],
    [
      'a Service with another address',
      file({}),
      (found) => {
        found.service[0]!.status.loadBalancer.ingress = [{ ip: '203.0.113.14' }];
      },
      'every live Service with its address; Service shop/a has another one or none: see `leasehold verify`',
    ],
  ])('refuses %s', async (_, pools, change, said) => {
    await ready(pools);
    change(objects);
    expect(await blocked()).toContain(`refused ${said}`);
  });

  test('moves one of several clusters, which keeps the others on MetalLB', async () => {
    const clusters = [{ name: 'east' }, { name: 'west', metallb: { version: '0.15.3' } }];
    await ready(file({}, { clusters, defaultCluster: 'west' }, { clusters: ['west'] }), 'west');
    expect(await move('--cluster', 'west')).toMatchObject({ status: 0 });
    const text = content(root)['leases/pools.yaml'] ?? '';
    expect(text).toContain('movedFrom: metallb');
    expect(text).toContain('layout: pool');
    expect(await runInProcess(['check'], root)).toMatchObject({ status: 0 });
  });

  test('goes there and back, and the webhooks of MetalLB must leave the objects out meanwhile', async () => {
    await ready(file({}));
    const hook = { name: 'ipaddresspoolvalidationwebhook.metallb.io' };
    const metadata = { name: 'metallb-webhook-configuration' };
    objects.webhook = [{ metadata, webhooks: [hook] }];
    const [first, patch] = await blocked();
    expect(first).toMatch(/^do MetalLB's webhooks leave /);
    expect(patch).toMatch(/^kubectl patch validatingwebhookconfiguration /);
    objects.webhook = [];
    await move();
    const operators = objects.deployment;
    objects = applied(root);
    Object.assign(objects, { deployment: operators, addressPool: [] });
    for (const service of objects.service) {
      const [ip] = service.metadata.annotations['lbipam.cilium.io/ips'].split(',');
      service.status = { loadBalancer: { ingress: [{ ip }] } };
    }
    objects.webhook = [{ metadata, webhooks: [hook] }];
    server.objects = objects;
    const back = ['migrate-plane', 'metallb', '--kubeconfig', server.kubeconfig, ...day];
    const open = await runInProcess(back, root);
    expect([open.status, open.out]).toEqual([
      1,
      expect.stringMatching(
        /^do {2}MetalLB's webhooks leave .*\n +kubectl --kubeconfig \S+ patch/m,
      ),
    ]);
    expect(open.out).toContain(
      'annotate service a b web metallb.io/allow-shared-ip=leasehold-shop',
    );
    objects.webhook = [];
    for (const { metadata: one } of objects.service) {
      one.annotations['metallb.io/allow-shared-ip'] = 'leasehold-shop';
    }
    const { status, out } = await runInProcess(back, root);
    expect([status, out]).toEqual([0, expect.stringContaining('Start MetalLB')]);
    expect(content(root)['leases/pools.yaml']).toContain(
      'metallb: { version: 0.15.3, namespace: metallb-system, layout: pool, movedFrom: cilium }',
    );
    expect(await runInProcess(['check'], root)).toMatchObject({ status: 0 });
    const done = await runInProcess(
      ['migrate-plane', 'cilium', '--dry-run', ...back.slice(2)],
      root,
    );
    expect(done.status).toBe(1);
  });

  test('refuses while Cilium would announce nothing, or answer at the address of a node', async () => {
    await ready(file({}));
    const node = {
      metadata: { name: 'node-a' },
      status: { addresses: [{ type: 'InternalIP', address: '203.0.113.9' }] },
    };
    objects.ciliumBGPPeerConfig = [];
    Object.assign(objects, { configMap: [settings({})], node: [node] });
    expect(await blocked()).toEqual([
      expect.stringMatching(
        /^refused .*enable-bgp-control-plane.*: set bgpControlPlane\.enabled: true/,
      ),
      expect.stringMatching(/^refused .*203\.0\.113\.9 of node-a.*: reserve it/),
      expect.stringMatching(
        /^refused no CiliumBGPPeerConfig selects .* pool public .* ipv4: add to the ipv4 family/,
      ),
    ]);
    Object.assign(objects, { configMap: [], node: [] });
    objects.ciliumBGPPeerConfig = [peerConfig('public')];
    const unknown = await move('--dry-run');
    expect(unknown.out).toContain('ok  there is no ConfigMap kube-system/cilium-config');
    expect(unknown.out).toMatch(
      /^nothing was changed: all is ready, so run `leasehold migrate-plane cilium --cluster default --kubeconfig \S+` without --dry-run$/m,
    );
  });

  test('refuses a cluster that was never on MetalLB', async () => {
    await ready(file({}));
    putFile(root, 'leases/pools.yaml', file({}).replace(/metallb:\n(?: .*\n)+/, 'cilium: {}\n'));
    const stopped = await move();
    expect([stopped.status, stopped.out]).toEqual([1, expect.stringContaining('PLANE_CHANGED')]);
    expect(stopped.out).toContain('`leasehold migrate-plane cilium --cluster default`');
  });
});
