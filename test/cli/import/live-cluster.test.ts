import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LiveObject } from '../../../src/core/model/live.ts';
import { importSchema } from '../../../src/features/import/import-answer.ts';
import {
  exportedLease,
  exportedPool,
  exportedService,
  tenant,
} from '../../support/imports/exported-cluster.ts';
import {
  exportedHostRoute,
  exportedIngress,
  exportedRoute,
} from '../../support/imports/exported-routes.ts';
import { type FakeApiServer, fakeApiServer, listed } from '../../support/live/fake-api-server.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { content, putFile, tempTree } from '../../support/trees/temp-tree.ts';

let server: FakeApiServer;
let root: string;

beforeEach(async () => {
  const [pool, advertisement] = exportedPool;
  const [leasedIP, leaseService] = exportedLease({ address: '192.0.2.70' });
  server = await fakeApiServer({
    ...listed(
      'service',
      leaseService,
      exportedService({ name: 'app', addresses: ['192.0.2.65'] }),
      exportedService({ name: 'far', addresses: ['198.51.100.9'] }),
    ),
    ...listed('addressPool', pool ?? {}),
    ...listed('l2Advertisement', advertisement ?? {}),
    bgpAdvertisement: [],
    ...listed('leasedIP', leasedIP),
    deployment: [controller('0.15.3')],
  });
  root = tempTree();
  gitRepository(root);
});
afterEach(() => server.close());

function controller(version: string, args: readonly string[] = []): LiveObject {
  const image = `quay.io/metallb/controller:v${version}`;
  return {
    metadata: { name: 'controller', namespace: 'metallb-system' },
    spec: { template: { spec: { containers: [{ name: 'controller', image, args }] } } },
  };
}

function importLive(...words: readonly string[]) {
  const args = ['import', 'cluster', '--kubeconfig', server.kubeconfig, ...words];
  return runInProcess(args, root);
}

describe('leasehold import cluster, of the cluster itself', () => {
  it('declares the live Services, names objects in messages, and only reads', async () => {
    const { status, out, err } = await importLive('-o', 'json');
    expect(`${status} ${err}`).toMatch(/^0 /);
    const answer = importSchema.parse(JSON.parse(out));
    expect(answer.declarations).toMatchObject([
      { kind: 'Lease', name: `${tenant}/18500001/1/1`, addresses: ['192.0.2.70'] },
      { kind: 'Service', name: 'web/app', file: 'Service web/app', line: 1 },
    ]);
    expect(answer.notes.map(({ file, message }) => `${file} ${message}`)).toContain(
      'Service web/far it is not declared: no pool has 198.51.100.9',
    );
    expect(content(root)['leases/pools.yaml']).toContain('version: 0.15.3');
    expect(server.requests.every((request) => request.startsWith('GET '))).toBe(true);
    expect(await runInProcess(['check'], root)).toMatchObject({ status: 0 });
  });

  it('takes the class of Services from the MetalLB that runs, and declares those that have it', async () => {
    const of = (name: string, address: string, loadBalancerClass: string | undefined) =>
      exportedService({ name, addresses: [address], spec: { loadBalancerClass } });
    const live = [
      of('app', '192.0.2.65', 'metallb.io/metallb'),
      of('other', '192.0.2.66', 'cilium.io/lb'),
      of('none', '192.0.2.67', undefined),
    ];
    Object.assign(server.objects, listed('service', ...live), {
      leasedIP: [],
      deployment: [controller('0.15.3', ['--port=7472', '--lb-class=metallb.io/metallb'])],
    });
    const { out } = await importLive('-o', 'json');
    const { declarations, notes } = importSchema.parse(JSON.parse(out));
    expect(declarations.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'Reservation web/none',
      'Reservation web/other',
      'Service web/app',
    ]);
    expect(notes.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        'it is a Reservation, since it has no loadBalancerClass, and MetalLB serves those of metallb.io/metallb',
        expect.stringContaining(
          "'spec.loadBalancerClass' cilium.io/lb gives the Service to another",
        ),
      ]),
    );
    expect(content(root)['leases/pools.yaml']).toContain('loadBalancerClass: metallb.io/metallb');
    expect(await runInProcess(['check'], root)).toMatchObject({ status: 0 });
  });

  it('declares the hostnames of live routes and leases, which a cluster without their kinds has not', async () => {
    const [host, route] = exportedHostRoute({ hostname: 'a.example.net' });
    Object.assign(server.objects, listed('providerHost', host), {
      ...listed(
        'httpRoute',
        route,
        exportedRoute({ name: 'web', hostnames: ['shop.example.com'] }),
      ),
      ...listed('ingress', exportedIngress({ name: 'old', hostnames: [] })),
    });
    const { out } = await importLive('-o', 'json');
    const { declarations, notes } = importSchema.parse(JSON.parse(out));
    expect(declarations).toMatchObject([
      { kind: 'Hostname', hostnames: ['shop.example.com'], file: 'HTTPRoute shop/web', line: 1 },
      { kind: 'Lease', addresses: ['192.0.2.70'], hostnames: ['a.example.net'] },
      { kind: 'Service', hostnames: [] },
    ]);
    expect(notes.map(({ file, message }) => `${file} ${message}`)).toContain(
      'Ingress shop/old it is not declared: it has no rules',
    );
    expect(await runInProcess(['check'], root)).toMatchObject({ status: 0 });
  });

  it('adds nothing the second time', async () => {
    await importLive();
    const before = content(root);
    const { status, out } = await importLive();
    expect(status).toBe(0);
    expect(out).toContain('nothing to write');
    expect(content(root)).toEqual(before);
  });

  it('writes nothing without permission to list everything', async () => {
    server.refuse = (path) =>
      path.includes('/services') ? { status: 403, message: 'services is forbidden' } : undefined;
    const { status, err } = await importLive();
    expect(status).toBe(74);
    expect(err).toContain('list services; `leasehold bootstrap rbac` prints a role that does');
    expect(Object.keys(content(root)).filter((path) => path.startsWith('leases/'))).toEqual([]);
  });

  it('takes a context for a cluster only, and not beside files', async () => {
    putFile(root, 'live.yaml', '');
    expect(await importLive('live.yaml')).toMatchObject({
      status: 64,
      err: expect.stringContaining('--kubeconfig is for a live cluster, but files are given'),
    });
  });

  it('reports a cluster with nothing to import', async () => {
    server.objects = { service: [], deployment: [] };
    expect(await importLive()).toMatchObject({
      status: 1,
      out: expect.stringContaining('no pool found in the cluster; nothing was written'),
    });
  });
});
