import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LiveObject } from '../../../src/core/model/live.ts';
import { exportedPool, exportedService } from '../../support/imports/exported-cluster.ts';
import { operator } from '../../support/live/cilium-objects.ts';
import { type FakeApiServer, fakeApiServer, listed } from '../../support/live/fake-api-server.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { keys, runAnswering } from '../../support/run/answered-prompts.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { content, filesOf, snapshot, tempTree } from '../../support/trees/temp-tree.ts';

const { enter, down, no, yes } = keys;
const leasehold = `https://github.com/acme/leasehold.git#${'0123456789'.repeat(4)}`;
const words = ['--leasehold', leasehold, '--forge', 'none', '--engine', 'none'];

let server: FakeApiServer;
let root: string;

const controller: LiveObject = {
  metadata: { name: 'controller', namespace: 'metallb-system' },
  spec: {
    template: {
      spec: {
        containers: [{ name: 'controller', image: 'quay.io/metallb/controller:v0.15.3', args: [] }],
      },
    },
  },
};

beforeEach(async () => {
  const [pool, advertisement] = exportedPool;
  server = await fakeApiServer({
    ...listed('service', exportedService({ name: 'app', addresses: ['192.0.2.65'] })),
    ...listed('addressPool', pool ?? {}),
    ...listed('l2Advertisement', advertisement ?? {}),
    bgpAdvertisement: [],
    leasedIP: [],
    deployment: [controller],
  });
  root = tempTree();
  gitRepository(root);
});
afterEach(() => server.close());

describe('leasehold init --from-cluster', () => {
  test('declares the pools, the version of MetalLB and the Services, and only reads', async () => {
    const live = ['--from-cluster', '--kubeconfig', server.kubeconfig];
    const { status, out, err } = await runInProcess(['init', '--yes', ...live, ...words], root);
    expect({ status, err }).toMatchObject({ status: 0 });
    expect(out).toMatch(/^new +leases\/pools\.yaml$/m);
    expect(out).toMatch(/^new +leases\/web\/app\.yaml$/m);
    expect(out).not.toContain('import cluster');
    expect(out).toContain('1 Service and 0 Akash leases with addresses of them\nchanged: ');
    const tree = content(root);
    expect(tree['leases/pools.yaml']).toMatch(/version: 0\.15\.3/);
    expect(tree['leases/pools.yaml']).toContain('fence: open');
    expect(tree['leases/allocations/192.0.2/192.0.2.65.yaml']).toContain('service/web/app');
    expect(server.requests.every((request) => request.startsWith('GET '))).toBe(true);
    expect(await runInProcess(['check'], root)).toMatchObject({ status: 0 });
  });

  test('declares a cluster on Cilium, with the version of its operator', async () => {
    const labels = { 'leasehold.dev/pool': 'public' };
    const app = exportedService({ name: 'app', addresses: ['192.0.2.65'], labels });
    Object.assign(server.objects, {
      ...listed('service', app),
      addressPool: [],
      l2Advertisement: [],
      ...listed('ciliumPool', {
        metadata: { name: 'public' },
        spec: { blocks: [{ cidr: '192.0.2.64/26' }] },
      }),
      deployment: [operator('v1.20.2')],
    });
    const live = ['--from-cluster', '--kubeconfig', server.kubeconfig];
    const other = tempTree();
    gitRepository(other);
    const data = await runInProcess(['init', '--yes', ...live, ...words, '-o', 'json'], other);
    expect(JSON.parse(data.out)).toMatchObject({ kind: 'Setup' });
    expect(data.err).toContain('changed: pool public: nothing announces it');
    const { status, out } = await runInProcess(['init', '--yes', ...live, ...words], root);
    expect([status, out]).toEqual([0, expect.stringContaining('leases/web/app.yaml')]);
    expect(content(root)['leases/pools.yaml']).toContain(
      'cilium: { version: 1.20.2, namespace: kube-system }',
    );
    expect(await runInProcess(['check'], root)).toMatchObject({ status: 0 });
  });

  test('offers what it finds at a terminal, and writes the same', { tags: 'slow' }, async () => {
    const other = tempTree();
    gitRepository(other);
    const kubeconfig = ['--kubeconfig', server.kubeconfig];
    const { status, left, screen } = await runAnswering(['init', ...kubeconfig, ...words], other, [
      ['Who are you?', `${down}${enter}`],
      ['Look into the cluster of your kubeconfig', yes],
      ['Declare them? Every Service keeps its address', yes],
      ['Change a default now?', no],
      ['and synthesize?', yes],
    ]);
    expect({ left, screen: left.length > 0 ? screen : '' }).toEqual({ left: [], screen: '' });
    expect(status).toBe(0);
    expect(screen).toContain('MetalLB 0.15.3 in metallb-system');
    expect(screen).toContain('1 Service and 0 Akash leases with addresses of them');
    const options = ['--for', 'platform', '--from-cluster', ...kubeconfig, ...words];
    expect(await runInProcess(['init', '--yes', ...options], root)).toMatchObject({ status: 0 });
    const own = (tree: Record<string, string>) =>
      Object.entries(filesOf(tree)).filter(([path]) => !path.startsWith('.git/'));
    expect(own(content(other))).toEqual(own(content(root)));
  });

  test('asks for the addresses when the cluster cannot be read, or is not wanted', async () => {
    await server.close();
    const before = snapshot(root);
    const kubeconfig = ['--kubeconfig', server.kubeconfig];
    const { status, left, screen } = await runAnswering(['init', ...kubeconfig, ...words], root, [
      ['Who are you?', `${down}${enter}`],
      ['Look into the cluster of your kubeconfig', yes],
      ['The addresses to lease', `203.0.113.0/28${enter}`],
      ['Change a default now?', no],
      ['and synthesize?', no],
    ]);
    expect({ status, left, screen: left.length > 0 ? screen : '' }).toEqual({
      status: 0,
      left: [],
      screen: '',
    });
    expect(snapshot(root)).toEqual(before);
  });

  test('refuses options of a pool file, a provider that nothing names, and an existing pool file', async () => {
    const live = ['init', '--yes', '--from-cluster', '--kubeconfig', server.kubeconfig, ...words];
    const pool = await runInProcess([...live, '--pool', 'a=203.0.113.0/28', '--bgp', 'a'], root);
    expect(pool).toMatchObject({
      status: 64,
      err: 'leasehold: --pool cannot be combined with --from-cluster; --bgp cannot be combined with --from-cluster\n',
    });
    const akash = await runInProcess([...live, '--for', 'akash'], root);
    expect(akash.err).toBe(
      'leasehold: no live lease names the provider: name it with --provider ADDRESS\n',
    );
    expect(await runInProcess(live, root)).toMatchObject({ status: 0 });
    expect((await runInProcess(live, root)).err).toContain('`leasehold import cluster` adds');
  });
});
