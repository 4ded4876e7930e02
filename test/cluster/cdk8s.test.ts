import { App, Chart } from 'cdk8s';
import { Service } from 'cdk8s-plus-28';
import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { LeasedAddress, LeasedService } from '../../src/cdk8s/index.ts';
import { addressesOf } from '../support/cluster/address-watch.ts';
import { type Bench, onBenches } from '../support/cluster/bench.ts';
import { applyInOrder, removed, removeOwn } from '../support/cluster/by-hand.ts';
import type { KubeObject } from '../support/cluster/kube.ts';
import { until } from '../support/cluster/wait.ts';

function reservation(service: string, family: string): string {
  return `apiVersion: leasehold.dev/v1
kind: Reservation
spec: { namespace: charts, service: ${service}, zone: edge, ipFamily: ${family}, ports: [{ port: 80 }] }
`;
}

/** The objects of an app with a LeasedService, and with a Service of cdk8s-plus that is pinned. */
function appOn(repository: string): readonly KubeObject[] {
  const chart = new Chart(new App(), 'charts', { namespace: 'charts' });
  const place = { repository, namespace: 'charts' };
  new LeasedService(chart, 'web', { ...place, name: 'web', selector: { app: 'web' } });
  const plus = new Service(chart, 'plus', { metadata: { name: 'plus' }, ports: [{ port: 80 }] });
  plus.selectLabel('app', 'plus');
  new LeasedAddress(chart, 'plus-address', { ...place, name: 'plus' }).pin(plus);
  return chart.toJson();
}

/** Waits until a Service has an address, and returns its addresses. */
function addressOf({ kube, machine }: Bench, service: KubeObject): Promise<string> {
  const answered = async (): Promise<string | undefined> => {
    const live = await kube.get(service);
    const addresses = live ? addressesOf(live) : 'none';
    return addresses === 'none' ? undefined : addresses;
  };
  const { programs } = machine.metallb;
  return until(answered, { what: `the address of ${service.metadata.name}`, programs });
}

describe.skipIf(inject('clusterIsMissing'))('The library for cdk8s apps', () => {
  onBenches({ version: '0.16.1', layout: 'pool' }, (bench) => {
    beforeAll(() =>
      bench().commit({
        'leases/charts/web.yaml': reservation('web', 'ipv4'),
        'leases/charts/plus.yaml': reservation('plus', 'dual'),
      }),
    );
    afterEach(async () => {
      for (const service of appOn(bench().repository.root)) await removed(bench().kube, service);
      await removeOwn(bench().kube, 'but namespaces');
    });

    test('puts a LeasedService and a pinned Service of cdk8s-plus on their addresses', async () => {
      const { kube, repository } = bench();
      await applyInOrder(kube, bench().inWaves());
      const services = appOn(repository.root);
      for (const service of services) await kube.apply(service);
      const place = { repository: repository.root, namespace: 'charts' };
      const chart = new Chart(new App(), 'expected');
      for (const service of services) {
        const { name } = service.metadata;
        const { addresses } = new LeasedAddress(chart, name, { ...place, name });
        const live = await addressOf(bench(), service);
        expect(live.split(',').sort()).toEqual([...addresses].sort());
      }
      await bench().verify(0);
    });
  });
});
