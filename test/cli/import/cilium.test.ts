import { describe, expect, it, test } from 'vitest';
import { importSchema } from '../../../src/features/import/import-answer.ts';
import { exportedPool, exportedService } from '../../support/imports/exported-cluster.ts';
import {
  beside,
  expectSettled,
  importedBy,
  notesOf,
  told,
} from '../../support/imports/imported-cluster.ts';
import { operator } from '../../support/live/cilium-objects.ts';
import { fakeApiServer, listed } from '../../support/live/fake-api-server.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { content, tempTree } from '../../support/trees/temp-tree.ts';

/** A pool of LB-IPAM as people have it: open to all Services. */
const pool = (spec: object = {}, name = 'public') => ({
  apiVersion: 'cilium.io/v2',
  kind: 'CiliumLoadBalancerIPPool',
  metadata: { name },
  spec: { blocks: [{ cidr: '192.0.2.64/26' }, { cidr: '2001:db8::/120' }], ...spec },
});

/** An announcement by BGP. */
const advertisement = (selector: object | undefined, attributes: object = {}) => ({
  apiVersion: 'cilium.io/v2',
  kind: 'CiliumBGPAdvertisement',
  metadata: { name: 'all' },
  spec: {
    advertisements: [
      { advertisementType: 'PodCIDR' },
      {
        advertisementType: 'Service',
        service: { addresses: ['LoadBalancerIP'] },
        ...(selector && { selector }),
        attributes,
      },
    ],
  },
});

/** What people write to select every Service. */
const every = {
  matchExpressions: [{ key: 'somekey', operator: 'NotIn', values: ['never-used-value'] }],
};

type Service = Parameters<typeof exportedService>[0];

/** A Service without annotations of MetalLB. */
const service = ({ annotations = {}, ...one }: Service) =>
  exportedService({ ...one, metadata: { annotations } });

/** A Service that leasehold's pool would select. */
const labelled = (one: Service) =>
  service({ ...one, labels: { 'leasehold.dev/pool': 'public', ...one.labels } });

const refusal = (objects: readonly object[], ...words: readonly string[]) =>
  runInProcess(['import', 'cluster', 'live.yaml', ...words], beside(objects));

const bgp = advertisement(every);

describe('leasehold import cluster, on Cilium', () => {
  it('declares pools, announcements and Services, with the addresses that they have', async () => {
    const root = beside([
      pool({ serviceSelector: { matchLabels: { a: 'b' } } }),
      advertisement(every, {
        localPreference: 99,
        communities: { standard: ['65000:100'], wellKnown: ['no-export'], large: ['1:2:3'] },
      }),
      labelled({
        name: 'old',
        addresses: ['192.0.2.65', '2001:db8::1'],
        annotations: { 'io.cilium/lb-ipam-ips': '192.0.2.65,2001:db8::1' },
      }),
      labelled({
        name: 'field',
        addresses: ['192.0.2.66'],
        spec: { loadBalancerIP: '192.0.2.66' },
      }),
      labelled({ name: 'unpinned', addresses: ['192.0.2.67'], labels: { team: 'shop' } }),
      labelled({
        name: 'chart',
        addresses: ['192.0.2.68'],
        labels: { 'app.kubernetes.io/managed-by': 'Helm' },
      }),
      service({
        name: 'waits',
        addresses: [],
        annotations: { 'lbipam.cilium.io/ips': '192.0.2.69' },
      }),
    ]);
    const answer = await importedBy('cluster', root, '--cilium', '1.20.2');
    expect(told(answer)).toEqual([
      'Reservation web/chart added 192.0.2.68',
      'Service web/field added 192.0.2.66',
      'Service web/old added 192.0.2.65,2001:db8::1',
      'Service web/unpinned added 192.0.2.67',
      'Service web/waits added 192.0.2.69',
    ]);
    expect(notesOf(answer)).toEqual([
      'left pool public: serviceSelector is not imported: leasehold writes one of its own, by the label leasehold.dev/pool',
      'changed Service web/chart: it is a Reservation, since Helm writes it',
      'changed Service web/waits: no load balancer gave it an address: it is declared with 192.0.2.69, for which it asks',
    ]);
    const { 'leases/pools.yaml': file = '', 'leases/web/unpinned.yaml': unpinned } = content(root);
    expect(file).toContain('\ncilium: { version: 1.20.2, namespace: kube-system }\n');
    expect(file).toContain(
      'advertise: { bgp: { localPref: 99, communities: [65000:100, no-export, large:1:2:3] } }',
    );
    expect(unpinned).toContain('lbipam.cilium.io/ips: 192.0.2.67');
    expect(unpinned).not.toContain('leasehold.dev/pool');
    await expectSettled(root, [
      '192.0.2.68 default/service/web/chart',
      '192.0.2.66 default/service/web/field',
      '192.0.2.65,2001:db8::1 default/service/web/old',
      '192.0.2.67 default/service/web/unpinned',
      '192.0.2.69 default/service/web/waits',
    ]);
  });

  it('refuses what would take addresses, and says how each Service gets its label', async () => {
    const { status, out } = await refusal([
      pool(),
      bgp,
      service({ name: 'a', addresses: ['192.0.2.65'] }),
      service({ name: 'b', addresses: ['192.0.2.66'] }),
      service({ name: 'c', namespace: 'shop', addresses: ['192.0.2.67'] }),
      service({ name: 'd', addresses: ['198.51.100.1'] }),
    ]);
    expect(status).toBe(1);
    expect(out).toContain(
      "FENCE_LIVE the pool 'public' will serve Services with the label leasehold.dev/pool=public only, and 3 live Services without it, the first is web/a, would lose their addresses once it is applied",
    );
    expect(out).toContain('`kubectl -n web label service a b leasehold.dev/pool=public`');
    expect(out).toContain('`kubectl -n shop label service c leasehold.dev/pool=public`');
  });

  it('refuses a Service that has an address and cannot be declared: its address leaves the blocks', async () => {
    const going = { deletionTimestamp: '2026-11-20T10:00:00Z', annotations: {} };
    const objects = [
      pool(),
      bgp,
      exportedService({
        name: 'app',
        addresses: ['192.0.2.65'],
        metadata: { ...going, labels: { 'leasehold.dev/pool': 'public' } },
      }),
      labelled({ name: 'web', addresses: ['192.0.2.66'] }),
    ];
    const { status, out } = await refusal(objects);
    expect(status).toBe(1);
    expect(out).toContain(
      'FENCE_LIVE Service web/app would lose 192.0.2.65 once its pool is applied: it is not declared: it is being deleted',
    );
    const accepted = await refusal(objects, '--allow-closed-fence');
    expect([accepted.status, accepted.out]).toEqual([
      0,
      expect.stringContaining('Service  web/web'),
    ]);
  });

  it('keeps the ends of blocks free as allowFirstLastIPs does, and tells of a pool that is disabled', async () => {
    const blocks = [{ cidr: '192.0.2.65/26' }, { start: '192.0.2.200' }];
    const answer = await importedBy(
      'cluster',
      beside([pool({ blocks, allowFirstLastIPs: 'No', disabled: true }), bgp]),
    );
    expect(answer.pools).toMatchObject([
      {
        addresses: ['192.0.2.64/26', '192.0.2.200/32'],
        reserved: ['192.0.2.64', '192.0.2.127'],
      },
    ]);
    expect(notesOf(answer)).toEqual(
      expect.arrayContaining([
        "changed pool public: '192.0.2.65/26' is written 192.0.2.64/26, as Cilium reads it",
        'changed pool public: it is disabled: enable it before you apply dist/, or its Services lose their addresses when the operator starts again',
      ]),
    );
  });

  test.each([
    ['without a selector announces nothing', undefined, 'l2'],
    ['of all Services', every, 'bgp'],
    ['of the Services on the pool', { matchLabels: { app: 'web' } }, 'bgp'],
    ['of one of two Services', { matchLabels: { one: 'yes' } }, 'bgp'],
    ['of other Services', { matchLabels: { app: 'other' } }, 'l2'],
    ['by namespace', { matchLabels: { 'io.kubernetes.service.namespace': 'web' } }, 'bgp'],
  ])('a BGP advertisement %s', async (_, selector, by) => {
    const labels = { app: 'web' };
    const answer = await importedBy(
      'cluster',
      beside([
        pool(),
        advertisement(selector),
        labelled({ name: 'a', addresses: ['192.0.2.65'], labels: { ...labels, one: 'yes' } }),
        labelled({ name: 'b', addresses: ['192.0.2.66'], labels }),
      ]),
    );
    expect(answer.pools.map(({ advertise }) => advertise)).toEqual([by]);
  });

  it('reads L2 policies; an interface that is a pattern is told', async () => {
    const policy = {
      apiVersion: 'cilium.io/v2alpha1',
      kind: 'CiliumL2AnnouncementPolicy',
      metadata: { name: 'lan' },
      spec: {
        loadBalancerIPs: true,
        interfaces: ['^eth0$', '^bond0\\.100$', '^en.*'],
        nodeSelector: { matchLabels: { edge: 'yes' } },
      },
    };
    const root = beside([pool(), policy]);
    const answer = await importedBy('cluster', root);
    expect(content(root)['leases/pools.yaml']).toContain(
      'advertise: { l2: { interfaces: [eth0, bond0.100], nodeSelectors: [{ matchLabels: { edge: yes } }] } }',
    );
    expect(notesOf(answer).join('\n')).toContain("interfaces '^en.*' is not imported");
  });

  test.each([
    ['--metallb', '0.15.3'],
    ['--layout', 'lease'],
  ])('%s is for MetalLB', async (option, value) => {
    const { status, err } = await refusal([pool(), bgp], option, value);
    expect([status, err]).toEqual([
      64,
      expect.stringContaining(`${option} is not for a cluster on Cilium`),
    ]);
  });

  it('refuses an export with pools of both planes', async () => {
    const { status, out } = await refusal([pool({}, 'other'), bgp, ...exportedPool]);
    expect([status, out]).toEqual([
      1,
      expect.stringContaining('there are pools of Cilium and of MetalLB'),
    ]);
  });
});

test('a live cluster tells the version of its Cilium, and the class of its Services', async () => {
  const spec = { loadBalancerClass: 'io.cilium/bgp-control-plane' };
  const server = await fakeApiServer({
    ...listed('service', labelled({ name: 'app', addresses: ['192.0.2.65'], spec })),
    ...listed('ciliumPool', pool()),
    ...listed('ciliumBGPAdvertisement', bgp),
    ...listed('deployment', operator('v1.19.3')),
  });
  const root = tempTree();
  gitRepository(root);
  const args = ['import', 'cluster', '--kubeconfig', server.kubeconfig, '-o', 'json'];
  const { status, out, err } = await runInProcess(args, root);
  await server.close();
  expect(`${status} ${err}`).toMatch(/^0 /);
  expect(told(importSchema.parse(JSON.parse(out)))).toEqual(['Service web/app added 192.0.2.65']);
  expect(content(root)['leases/pools.yaml']).toContain(
    'cilium: { version: 1.19.3, namespace: kube-system, loadBalancerClass: io.cilium/bgp-control-plane }',
  );
});

test('a cluster on Cilium is added beside one on MetalLB', async () => {
  const pools = `apiVersion: leasehold.dev/v1
kind: Pools
metallb: { layout: pool }
pools:
  - { name: edge, zone: edge, addresses: [203.0.113.0/28], advertise: { l2: {} } }
`;
  const objects = [pool(), bgp, labelled({ name: 'app', addresses: ['192.0.2.65'] })];
  const root = beside(objects, { 'leases/pools.yaml': pools });
  const refused = await runInProcess(['import', 'cluster', 'live.yaml'], root);
  expect([refused.status, refused.err]).toEqual([
    64,
    expect.stringContaining(
      "cluster default is on MetalLB in leases/pools.yaml, and the pools of the source are Cilium's",
    ),
  ]);
  await importedBy('cluster', root, '--cluster', 'west', '--cilium', '1.20.2');
  expect(content(root)['leases/pools.yaml']).toContain(
    '{ name: west, cilium: { version: 1.20.2 } }',
  );
  expect(content(root)['dist/west/_pools/public.yaml']).toContain('CiliumLoadBalancerIPPool');
  expect(await runInProcess(['check'], root)).toMatchObject({ status: 0 });
});
