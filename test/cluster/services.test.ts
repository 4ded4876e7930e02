import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { addressesOf } from '../support/cluster/address-watch.ts';
import { type Bench, onBenches } from '../support/cluster/bench.ts';
import { applyInOrder, removed, removeOwn } from '../support/cluster/by-hand.ts';
import { expectWritten } from '../support/cluster/convergence.ts';
import type { KubeObject } from '../support/cluster/kube.ts';
import { objectsIn } from '../support/cluster/manifests.ts';
import { askFor, strangers } from '../support/cluster/strangers.ts';
import { until } from '../support/cluster/wait.ts';
import { serviceText } from '../support/declarations/service-text.ts';

const shared = { 'allow-local-shared-ip': 'Our key, 2026' };

/** Declared Services of every kind, and Reservations beside them. */
const declared = {
  'leases/shop/plain.yaml': serviceText('plain', { namespace: 'default' }),
  'leases/shop/annotated.yaml': serviceText('annotated', {
    ipam: {
      ...shared,
      'ip-family': 'ipv4',
      'retention-period-days': '3',
      'deny-external-cleanup': 'true',
      zone: 'inet',
    },
    spec: {
      externalTrafficPolicy: 'Local',
      selector: { app: 'shop' },
      sessionAffinity: 'ClientIP',
      publishNotReadyAddresses: false,
      loadBalancerSourceRanges: ['192.0.2.0/24'],
    },
  }),
  'leases/shop/sharer.yaml': serviceText('sharer', {
    ipam: shared,
    port: 81,
    spec: { externalTrafficPolicy: 'Local', selector: { app: 'shop' } },
  }),
  'leases/shop/changing.yaml': serviceText('changing', { ipam: { zone: 'edge' } }),
  'leases/shop/inner.yaml': serviceText('inner', { type: 'ClusterIP' }),
  'leases/charts/gateway.yaml': `apiVersion: leasehold.dev/v1
kind: Reservation
spec:
  namespace: charts
  service: gateway
  zone: edge
  ipFamily: dual
  ports: [{ port: 80 }]
`,
};

describe.skipIf(inject('clusterIsMissing'))('Declared Services', () => {
  onBenches({ version: '0.16.1', layout: 'lease' }, (bench, layout) => {
    beforeAll(() => bench().commit(declared));
    afterEach(async () => {
      await removed(bench().kube, chart('charts', {}));
      await removeOwn(bench().kube, 'but namespaces');
    });

    test('are live as written, with and without annotations, on the planned addresses', async () => {
      const { kube, planned } = bench();
      await applyInOrder(kube, bench().inWaves());
      await bench().converged();
      await expectWritten(kube, withoutWhatIsLeftOut(planned));
      expect(planned.addresses.get('shop/sharer')).toBe(planned.addresses.get('shop/annotated'));
      await applyChart(bench());
      await bench().verify(0);
    });

    test('get a second family and give it back, and keep the address they had', async () => {
      await applyInOrder(bench().kube, bench().inWaves());
      await bench().converged();
      const [single = ''] = planOf(bench()).split(',');
      await become(
        bench(),
        serviceText('changing', { ipam: { zone: 'edge', 'ip-family': 'dual' } }),
      );
      expect(planOf(bench()).split(',')).toEqual([expect.stringContaining(':'), single]);
      await become(bench(), declared['leases/shop/changing.yaml']);
      expect(planOf(bench())).toBe(single);
    });

    test.each(['ipv4', 'ipv6', 'dual'])('turn ClusterIP in place: %s', async (family) => {
      const { kube } = bench();
      const leased = serviceText('changing', { ipam: { zone: 'edge', 'ip-family': family } });
      await bench().commit({ 'leases/shop/changing.yaml': undefined });
      await bench().commit({ 'leases/shop/changing.yaml': leased });
      await applyInOrder(kube, bench().inWaves());
      await bench().converged();
      const before = await liveOf(bench());
      const ipam = { zone: 'edge', 'ip-family': family };
      await become(bench(), serviceText('changing', { type: 'ClusterIP', ipam }));
      const after = await liveOf(bench());
      expect([after?.spec.type, after?.metadata.uid]).toEqual(['ClusterIP', before?.metadata.uid]);
      await bench().commit({ 'leases/shop/changing.yaml': undefined });
      await removeOwn(kube, 'but namespaces');
      await bench().commit({ 'leases/shop/changing.yaml': declared['leases/shop/changing.yaml'] });
    });

    test('leave the Service of a Reservation to other hands, and give it its address', async () => {
      const { kube } = bench();
      await applyInOrder(kube, bench().inWaves());
      expect(await bench().verify(1)).toMatch(/^not applied .* Service charts\/gateway /m);
      const applied = await applyChart(bench());
      expect(addressesOf(applied)).toMatch(/^2001:db8:30::.*,203\.0\.113\.\d+$|^203\..*,2001:/);
      await bench().verify(0);
    });

    test('keep a reserved address from a chart of another namespace', async () => {
      const { kube } = bench();
      await applyInOrder(kube, bench().inWaves());
      await kube.apply(strangers);
      const thief = chart(strangers.metadata.name, await valuesOf(bench()));
      await askFor(kube, layout, thief);
      if (layout === 'pool') return;
      await applyChart(bench());
      const live = await kube.get(thief);
      await removed(kube, thief);
      expect(live && addressesOf(live)).toBe('none');
    });
  });
});

interface Values {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** What `list -o values` prints for the chart. */
async function valuesOf(bench: Bench): Promise<Values> {
  const { out, err } = await bench.repository.leasehold('list', 'charts/gateway', '-o', 'values');
  const [values] = objectsIn(out);
  if (!values) throw new Error(err);
  return values.service as Values;
}

/** The Service that a chart renders from its values. */
function chart(namespace: string, { annotations, labels, ...spec }: Values): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'gateway',
      namespace,
      ...(annotations ? { annotations } : {}),
      ...(labels ? { labels } : {}),
    },
    spec: { ...spec, selector: { app: 'gateway' }, ports: [{ port: 80, protocol: 'TCP' }] },
  };
}

/** Applies the chart, and waits until its Service has an address. */
async function applyChart(bench: Bench): Promise<KubeObject> {
  const { kube, machine } = bench;
  const rendered = chart('charts', await valuesOf(bench));
  await kube.apply(rendered);
  const answered = async (): Promise<KubeObject | undefined> => {
    const live = await kube.get(rendered);
    return live && addressesOf(live) !== 'none' ? live : undefined;
  };
  return until(answered, { what: 'the address of a chart', programs: machine.metallb.programs });
}

const changing: KubeObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'changing', namespace: 'shop' },
};

function liveOf({ kube }: Bench): Promise<KubeObject | undefined> {
  return kube.get(changing);
}

function planOf({ planned }: Bench): string {
  return planned.addresses.get('shop/changing') ?? '';
}

/** Commits another declaration of the changing Service, and applies it as an engine does, pruning last. */
async function become(bench: Bench, text: string): Promise<void> {
  const before = bench.only('IPAddressPool', 'L2Advertisement');
  await bench.commit({ 'leases/shop/changing.yaml': text });
  await applyInOrder(bench.kube, bench.inWaves());
  const kept = new Set(
    bench.planned.objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
  );
  for (const object of before) {
    if (!kept.has(`${object.kind} ${object.metadata.name}`)) await removed(bench.kube, object);
  }
  await bench.converged();
}

/** The API server drops a `false` that is its default. */
function withoutWhatIsLeftOut({ objects, addresses }: Bench['planned']): Bench['planned'] {
  const stays = (object: KubeObject): KubeObject => {
    if (object.spec?.publishNotReadyAddresses !== false) return object;
    const { publishNotReadyAddresses: _, ...spec } = object.spec;
    return { ...object, spec };
  };
  return { addresses, objects: objects.map(stays) };
}
