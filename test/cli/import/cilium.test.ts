import { describe, expect, it, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
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

/** An announcement by L2. */
const policyOf = (spec: object, name = 'lan') => ({
  apiVersion: 'cilium.io/v2alpha1',
  kind: 'CiliumL2AnnouncementPolicy',
  metadata: { name },
  spec,
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
      expect.stringContaining(
        'CiliumBGPAdvertisement all, advertisement 1: its announcement of PodCIDR',
      ),
      expect.stringContaining('let each CiliumBGPPeerConfig'),
      'changed Service web/chart: it is a Reservation, since Helm writes it; it has no pin, so Cilium gives it any address of the pool when it is made again: add what `leasehold list -o values web/chart` prints where it is written',
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
      service({
        name: 'e',
        addresses: ['192.0.2.68'],
        labels: { 'leasehold.dev/pool': 'other' },
      }),
    ]);
    expect(status).toBe(1);
    expect(out).toContain(
      "FENCE_LIVE the pool 'public' will serve Services with the label leasehold.dev/pool=public only, and 4 live Services without it, the first is web/a, would lose their addresses once it is applied",
    );
    expect(out).toContain('`kubectl -n web label service a b leasehold.dev/pool=public`');
    expect(out).toContain('`kubectl -n shop label service c leasehold.dev/pool=public`');
    expect(out).toContain('`kubectl -n web label service e leasehold.dev/pool=public --overwrite`');
    expect(out).toContain(
      'add what `leasehold list -o values NAMESPACE/NAME` prints to the values of a chart, the label and the pin',
    );
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
    const policy = policyOf({
      loadBalancerIPs: true,
      interfaces: ['^eth0$', '^bond0\\.100$', '^en.*'],
      nodeSelector: { matchLabels: { edge: 'yes' } },
    });
    const root = beside([pool(), policy]);
    const answer = await importedBy('cluster', root);
    expect(content(root)['leases/pools.yaml']).toContain(
      'advertise: { l2: { interfaces: [eth0, bond0.100], nodeSelectors: [{ matchLabels: { edge: yes } }] } }',
    );
    expect(notesOf(answer)).toEqual(
      expect.arrayContaining([
        expect.stringContaining("interfaces '^en.*' is not imported"),
        'changed CiliumL2AnnouncementPolicy lan: the policy in dist/ announces on eth0 and bond0.100 only',
      ]),
    );
    const patterns = policyOf({ loadBalancerIPs: true, interfaces: ['^en.*'] });
    expect(notesOf(await importedBy('cluster', beside([pool(), patterns])))).toContain(
      'changed CiliumL2AnnouncementPolicy lan: the policy in dist/ announces on all interfaces',
    );
  });

  it('tells what stays with the announcements of the cluster, and gives no advertisement their names', async () => {
    const ofServices = (addresses: readonly string[]) => ({
      advertisementType: 'Service',
      service: { addresses },
      selector: every,
    });
    const bgpOf = (name: string, ...advertisements: readonly object[]) => ({
      ...bgp,
      metadata: { name },
      spec: { advertisements },
    });
    const root = beside([
      pool(),
      bgpOf('public', { advertisementType: 'PodCIDR' }, ofServices(['LoadBalancerIP'])),
      bgpOf('others', ofServices(['ClusterIP', 'LoadBalancerIP', 'ExternalIP'])),
      policyOf({ externalIPs: true }, 'public'),
      policyOf({ loadBalancerIPs: true, externalIPs: true }, 'both'),
    ]);
    const told = notesOf(await importedBy('cluster', root));
    const kept = 'is not imported: keep the object for that';
    expect(told.filter((note) => note.startsWith('left '))).toEqual([
      `left CiliumBGPAdvertisement public, advertisement 1: its announcement of PodCIDR ${kept}`,
      `left CiliumBGPAdvertisement others: its announcement of ClusterIP and ExternalIP ${kept}`,
      `left CiliumL2AnnouncementPolicy public: its announcement of addresses of externalIPs ${kept}`,
      `left CiliumL2AnnouncementPolicy both: its announcement of addresses of externalIPs ${kept}`,
    ]);
    const written = content(root)['dist/default/_pools/public.yaml'] ?? '';
    const objects = parseAllDocuments(written).map((document) => document.toJS());
    expect(objects.map(({ kind, metadata: { name } }) => `${kind} ${name}`)).toEqual([
      'CiliumLoadBalancerIPPool public',
      'CiliumBGPAdvertisement public-public',
      'CiliumBGPAdvertisement others-public',
      'CiliumL2AnnouncementPolicy both-public',
    ]);
  });

  it('says when a declared advertisement replaces an object that must stay', async () => {
    const pools = `apiVersion: leasehold.dev/v1
kind: Pools
cilium: { version: 1.20.2 }
pools:
  - { name: public, zone: inet, addresses: [192.0.2.64/26, '2001:db8::/120'], advertise: { bgp: {} } }
`;
    const live = { ...bgp, metadata: { name: 'public' } };
    const root = beside([pool(), live], { 'leases/pools.yaml': pools });
    expect(notesOf(await importedBy('cluster', root))).toContain(
      'left CiliumBGPAdvertisement public: dist/ replaces it, since an advertisement of the pool public has its name, and what it announces beside is withdrawn: give that advertisement another name in leases/pools.yaml',
    );
  });

  test.each([
    [
      'all',
      {},
      'changed CiliumBGPAdvertisement all: the advertisement of pool public in dist/ has no other label than leasehold.dev/pool=public, and BGP peers select advertisements by labels: once dist/ is applied, and before you remove this one, let each CiliumBGPPeerConfig that selects CiliumBGPAdvertisement all select that label, and give the label to everything else that it selects',
    ],
    [
      'public',
      {},
      'changed CiliumBGPAdvertisement public: dist/ replaces it with one that may have no other label than leasehold.dev/pool=public, and BGP peers select advertisements by labels: before you apply dist/, run `kubectl label ciliumbgpadvertisement public leasehold.dev/pool=public --overwrite`, and let each CiliumBGPPeerConfig that selects CiliumBGPAdvertisement public select that label, and give the label to everything else that it selects',
    ],
    ['public', { 'leasehold.dev/pool': 'public' }, undefined],
  ])(
    'says that peers must select the advertisement in place of %s with labels %o',
    async (name, labels, note) => {
      const [, ofServices] = bgp.spec.advertisements;
      const live = {
        ...bgp,
        metadata: { name, labels },
        spec: { advertisements: [ofServices] },
      };
      const answer = await importedBy('cluster', beside([pool(), live]));
      const told = notesOf(answer).filter((one) => one.includes('peers'));
      expect(told).toEqual(note === undefined ? [] : [note]);
    },
  );

  test.each([
    ['io.cilium/l2-announcer', "Cilium serves 'spec.loadBalancerClass' io.cilium/l2-announcer too"],
    [
      'a.example/b',
      "'spec.loadBalancerClass' a.example/b gives the Service to another load balancer",
    ],
  ])('reserves the address of a Service of the class %s beside others', async (own, reason) => {
    const answer = await importedBy(
      'cluster',
      beside([
        pool(),
        bgp,
        labelled({ name: 'a', addresses: ['192.0.2.65'], spec: { loadBalancerClass: own } }),
        labelled({ name: 'b', addresses: ['192.0.2.66'] }),
      ]),
    );
    expect(told(answer)).toContain('Reservation web/a added 192.0.2.65');
    expect(notesOf(answer).join('\n')).toContain(
      `Service web/a: it is a Reservation, since ${reason}`,
    );
  });

  it('names the Gateway of a Service, so that its values are those of the Gateway', async () => {
    const owner = { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'Gateway', name: 'edge' };
    const envoy = {
      'gateway.envoyproxy.io/owning-gateway-name': 'shop',
      'gateway.envoyproxy.io/owning-gateway-namespace': 'store',
      'app.kubernetes.io/managed-by': 'envoy-gateway',
    };
    const root = beside([
      pool(),
      bgp,
      exportedService({
        name: 'cilium-gateway-edge',
        addresses: ['192.0.2.65'],
        metadata: {
          annotations: {},
          labels: { 'leasehold.dev/pool': 'public' },
          ownerReferences: [owner],
        },
      }),
      labelled({ name: 'envoy-shop', addresses: ['192.0.2.66'], labels: envoy }),
    ]);
    await importedBy('cluster', root);
    const { 'leases/web/cilium-gateway-edge.yaml': owned, 'leases/web/envoy-shop.yaml': named } =
      content(root);
    expect(owned).toContain('  gateway:\n    namespace: web\n    name: edge\n');
    expect(named).toContain('  gateway:\n    namespace: store\n    name: shop\n');
    const { out } = await runInProcess(['list', '-o', 'values', 'web/cilium-gateway-edge'], root);
    expect(out).toContain('kind: Gateway');
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
