import { afterEach, describe, inject, test } from 'vitest';
import { type Bench, onEveryBench } from '../support/cluster/bench.ts';
import { applyAll, applyInOrder, removeOwn } from '../support/cluster/by-hand.ts';
import { until } from '../support/cluster/wait.ts';
import { seeded } from '../support/seeded.ts';

describe.skipIf(inject('clusterIsMissing'))('Whatever comes first', () => {
  onEveryBench((bench) => {
    afterEach(() => removeOwn(bench().kube, 'but namespaces'));

    test('ten random orders of applying give the planned addresses', async () => {
      const { kube, planned } = bench();
      await removeOwn(kube, 'and namespaces');
      for (const seed of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
        await applyInOrder(kube, seeded(seed).shuffled(planned.objects));
        await bench()
          .converged()
          .catch((error: Error) => {
            throw new Error(`seed ${seed}: ${error.message}`);
          });
        await removeOwn(kube, 'but namespaces');
      }
    });

    test('Services that come before their pools wait for them', async () => {
      await applyAll(bench().kube, bench().only('Namespace', 'Service'));
      await applyInOrder(bench().kube, [...bench().inWaves()].reverse());
      await bench().converged();
      await bench().verify(0);
    });

    test.each(['before', 'after'] as const)(
      'a claim of another lease joins a holder, its Service %s its pool',
      async (when) => {
        await applyInOrder(bench().kube, bench().inWaves());
        await bench().converged();
        await bench().undisturbed(async () => {
          await bench().commit({ [another]: anotherOf(bench()) });
          const services = bench().only('Namespace', 'Service');
          if (when === 'before') await applyInOrder(bench().kube, services);
          await applyInOrder(bench().kube, bench().inWaves());
          await bench().converged();
        });
        await bench().verify(0);
        await bench().commit({ [another]: undefined });
      },
    );

    test("MetalLB's controller is killed while everything comes", async () => {
      const { kube, machine } = bench();
      const objects = bench().inWaves();
      const half = Math.floor(objects.length / 2);
      await applyInOrder(kube, objects.slice(0, half));
      await machine.metallb.stopController('SIGKILL');
      await applyAll(kube, bench().only('Namespace', 'Service'));
      await machine.metallb.startController();
      await applyInOrder(kube, objects.slice(half));
      await bench().converged();
    });

    test("MetalLB's controller restarts, and no address changes", async () => {
      const { kube, machine } = bench();
      await applyInOrder(kube, bench().inWaves());
      await bench().converged();
      await bench().undisturbed(async () => {
        await machine.metallb.stopController('SIGTERM');
        await machine.metallb.startController();
        await until(() => (hasLookedAtServices(bench()) ? true : undefined), {
          what: 'a controller that has looked at every Service',
          programs: machine.metallb.programs,
        });
      });
      await bench().verify(0);
    });
  });
});

const another = 'leases/aurora/18412034.yaml';

/** A second lease of the shop's owner, with a claim on the shop's address. */
function anotherOf({ repository }: Bench): string {
  const endpoint = '{ name: shop, service: admin, port: 9000, externalPort: 9443 }';
  return repository
    .read('leases/aurora/18412033.yaml')
    .replaceAll('18412033', '18412034')
    .replace(/endpoints:[\s\S]*/, `endpoints:\n    - ${endpoint}\n`);
}

/** True once the controller's log has each Service, by namespace and name. */
function hasLookedAtServices({ machine, planned }: Bench): boolean {
  const log = machine.metallb.controllerLog();
  const since = log.slice(log.lastIndexOf('MetalLB controller starting'));
  return [...planned.addresses.keys()].every((key) => since.includes(key));
}
