import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parse, stringify } from 'yaml';
import {
  type AddressWatch,
  addressesOf,
  keyOf,
  watchAddresses,
} from '../support/cluster/address-watch.ts';
import { applyInOrder, applyOnly } from '../support/cluster/by-hand.ts';
import { chartService, declared, reservation } from '../support/cluster/declared.ts';
import type { Kube, KubeObject } from '../support/cluster/kube.ts';
import { runPrinted } from '../support/cluster/kubectl.ts';
import { emptyRepository } from '../support/cluster/lease-repository.ts';
import { ciliumVersions, type LBIPAM, startLBIPAM } from '../support/cluster/machines/cilium.ts';
import { type ControlPlane, startControlPlane } from '../support/cluster/machines/control-plane.ts';
import type { Keeper } from '../support/cluster/machines/keeper.ts';
import { temporaryKeeper } from '../support/cluster/machines/machine.ts';
import {
  type Metallb,
  metallbVersions,
  startMetallb,
} from '../support/cluster/machines/metallb.ts';
import { inWaves, type Planned, plannedIn } from '../support/cluster/planned.ts';
import { until } from '../support/cluster/wait.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';

const [cilium] = ciliumVersions;
const metallb = metallbVersions.at(-1) ?? '0.16.1';

const pools = {
  apiVersion: 'leasehold.dev/v1',
  kind: 'Pools',
  emit: { providerLeasedIP: false },
  defaultZone: 'inet',
  pools: [
    {
      name: 'public',
      zone: 'inet',
      addresses: ['203.0.113.0/28'],
      reserved: ['203.0.113.0'],
      advertise: { bgp: {} },
    },
    {
      name: 'edge',
      zone: 'edge',
      addresses: ['198.51.100.0/29', '2001:db8::/124'],
      advertise: { l2: {} },
    },
  ],
};

/** The Deployment of Cilium's operator. */
function operatorOf(version: string): KubeObject {
  const app = { 'io.cilium/app': 'operator' };
  const image = `quay.io/cilium/operator-generic:v${version}`;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: 'kube-system', name: 'cilium-operator', labels: app },
    spec: {
      selector: { matchLabels: app },
      template: { metadata: { labels: app }, spec: { containers: [{ name: 'operator', image }] } },
    },
  };
}

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program?.remove());

describe.skipIf(inject('clusterIsMissing'))('From MetalLB to Cilium', () => {
  let keeper: Keeper;
  let plane: ControlPlane;
  let kube: Kube;
  let balancer: Metallb;
  let lbipam: LBIPAM;
  let watch: AddressWatch;

  beforeAll(async () => {
    keeper = temporaryKeeper();
    plane = await startControlPlane(keeper, join(keeper.folder, 'plane'));
    kube = plane.kube;
    balancer = await startMetallb({ keeper, plane, folder: keeper.folder, version: metallb });
    lbipam = await startLBIPAM(keeper, plane, cilium);
    watch = await watchAddresses(kube);
  });
  afterAll(async () => {
    watch?.close();
    await keeper?.close();
  });

  async function converged({ addresses }: Planned): Promise<void> {
    const isThere = async () => {
      const live = new Map(
        (await kube.list('v1', 'Service')).map((one) => [keyOf(one), addressesOf(one)]),
      );
      const wrong = [...addresses].filter(([key, pin]) => live.get(key) !== pin);
      if (wrong.length > 0) throw new Error(`not yet: ${wrong.map(([key]) => key).join(', ')}`);
      return true;
    };
    await until(isThere, { what: 'the planned addresses' });
    await watch.settled();
  }

  test('no address changes at any moment', async () => {
    const folder = mkdtempSync(join(keeper.folder, 'repository-'));
    const repository = emptyRepository({ cli: program.cli, folder });
    const sharing = { annotations: { 'ipam.vitistack.io/allow-local-shared-ip': 'k' } };
    await repository.change(
      {
        'leases/pools.yaml': stringify({ ...pools, metallb: { version: metallb, layout: 'pool' } }),
        'leases/shop/web.yaml': declared('shop', 'web'),
        'leases/shop/a.yaml': declared('shop', 'a', sharing),
        'leases/shop/b.yaml': declared('shop', 'b', {
          ...sharing,
          spec: { ports: [{ port: 81 }] },
        }),
        'leases/edge/dual.yaml': declared('edge', 'dual', {
          annotations: { 'leasehold.dev/pool': 'edge', 'ipam.vitistack.io/ip-family': 'dual' },
        }),
        'leases/edge/chart.yaml': reservation('edge', 'chart'),
      },
      '2026-11-20',
    );
    const before = plannedIn(repository.root);
    await applyInOrder(kube, inWaves(before));
    // A chart writes the Service of a Reservation with the values that it is given.
    const { out: values } = await repository.leasehold('list', 'edge/chart', '-o', 'values');
    await kube.apply(chartService('edge', 'chart', parse(values)));
    await converged(before);
    watch.mark();
    const command = ['migrate-plane', '--kubeconfig', plane.kubeconfig];
    const blocked = await repository.leasehold(...command);
    expect([blocked.status, blocked.out]).toEqual([
      1,
      expect.stringContaining('no  Cilium 1.18.2 or later with LB-IPAM; none runs'),
    ]);
    // No kubelet runs: LB-IPAM is a process, and the operator's Deployment says which.
    await kube.apply(operatorOf(cilium));
    const open = await repository.leasehold(...command);
    expect(open.status).toBe(1);
    const commands = [...open.out.matchAll(/^ +(kubectl .*)$/gm)].map(([, one = '']) => one);
    expect(commands.map((one) => one.split(' ').slice(5, 7).join(' '))).toEqual([
      'label service',
      'label service',
      'label service',
      'annotate service',
      'annotate service',
      'scale deployment',
      'scale deployment',
    ]);
    for (const one of commands) await runPrinted({ kube, kubeconfig: plane.kubeconfig }, one);
    await Promise.all([balancer.stopController('SIGTERM'), lbipam.kill()]);
    await repository.run('2026-11-21', ...command);
    const after = plannedIn(repository.root);
    expect(after.addresses).toEqual(before.addresses);
    await applyOnly(kube, after);
    await converged(after);
    await lbipam.start();
    await converged(after);
    for (const [key, address] of before.addresses)
      expect([key, watch.since(key)]).toEqual([key, [address]]);
  });
});
