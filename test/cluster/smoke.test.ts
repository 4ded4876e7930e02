import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Machine, startMachine } from '../support/cluster/machine.ts';
import { nameOf, objectsBelow, objectsIn } from '../support/cluster/manifests.ts';
import { metallbVersions } from '../support/cluster/metallb.ts';
import { programFolder } from '../support/cluster/programs.ts';
import { until } from '../support/cluster/wait.ts';

describe.each(metallbVersions)('%s', (version) => {
  let machine: Machine;
  beforeAll(async () => {
    const s = Date.now();
    machine = await startMachine(version);
    console.log(version, 'up', Date.now() - s);
  }, 120_000);
  afterAll(() => machine?.stop());
  test('example', async () => {
    const { kube } = machine.plane;
    const crd = readFileSync(`${programFolder('akash-provider')}/crd.yaml`, 'utf8');
    for (const object of objectsIn(crd)) await kube.apply(object);
    const order = [
      'Namespace',
      'ConfigMap',
      'IPAddressPool',
      'L2Advertisement',
      'ProviderLeasedIP',
      'Service',
    ];
    const objects = [...objectsBelow(resolve('dist'))].sort(
      (a, b) => order.indexOf(a.kind) - order.indexOf(b.kind),
    );
    const s = Date.now();
    for (const object of objects) {
      try {
        await kube.apply(object);
      } catch (e) {
        console.log(nameOf(object), String(e));
      }
    }
    console.log(objects.length, 'applied', Date.now() - s);
    const left = await until(
      async () => {
        const all = (await kube.list('v1', 'Service')).filter(
          (x) => x.spec.type === 'LoadBalancer',
        );
        const ready = all.filter((x) => x.status.loadBalancer.ingress);
        return ready.length === all.length ? all : undefined;
      },
      { what: 'addresses', programs: machine.metallb.programs, within: 15000 },
    );
    for (const x of left)
      console.log(
        x.metadata.name,
        JSON.stringify(x.status.loadBalancer),
        x.spec.loadBalancerIP,
        JSON.stringify(x.metadata.annotations),
      );
    console.log(
      (await kube.list('v1', 'Event')).map((e) => `${e.reason}: ${e.message}`).slice(0, 20),
    );
    console.log(machine.metallb.speakerLog().slice(-1500));
  });
});
