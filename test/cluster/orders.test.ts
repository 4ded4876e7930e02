import { afterEach, describe, expect, inject, test } from 'vitest';
import { addressesOf } from '../support/cluster/address-watch.ts';
import { type Bench, onBenches } from '../support/cluster/bench.ts';
import { applyAll, applyInOrder, removeOwn } from '../support/cluster/by-hand.ts';
import { declared } from '../support/cluster/declared.ts';
import type { KubeObject } from '../support/cluster/kube.ts';
import type { Edit } from '../support/cluster/lease-repository.ts';
import { until } from '../support/cluster/wait.ts';
import { repeats } from '../support/run/scope.ts';
import { seeded } from '../support/run/seeded.ts';

describe.skipIf(inject('clusterIsMissing'))('Whatever comes first', () => {
  onBenches({ version: '0.13.9', layout: 'lease' }, (bench, layout) => {
    afterEach(() => removeOwn(bench().kube, 'but namespaces'));

    test('random orders of applying give the planned addresses', async () => {
      const { kube, planned } = bench();
      await removeOwn(kube, 'and namespaces');
      for (let seed = 1; seed <= repeats(4, 10); seed += 1) {
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

    if (layout === 'lease') {
      test.each(['before', 'after'] as const)(
        'the first who shares with a live Service comes %s that one is changed',
        async (when) => {
          const { kube, machine } = bench();
          await bench().commit({ [paths[0]]: declared('shop', 'a') });
          await applyInOrder(kube, bench().inWaves());
          await bench().converged();
          await bench().undisturbed(async () => {
            await bench().commit(sharing([80], [81]));
            const both = serving(bench());
            for (const one of when === 'before' ? both.toReversed() : both) {
              const seen = looksAt(bench(), one);
              await kube.apply(one);
              await until(() => (looksAt(bench(), one) > seen ? true : undefined), {
                what: 'a controller that looked at a Service',
                programs: machine.metallb.programs,
              });
            }
            await applyInOrder(kube, bench().inWaves());
            await bench().converged();
          });
          await bench().commit({ [paths[0]]: undefined, [paths[1]]: undefined });
        },
      );

      test('a Service that gets a port before another gives it up waits until it is touched: synth refuses that', async () => {
        const { kube, machine, repository } = bench();
        await bench().commit(sharing([80, 443], [81]));
        await applyInOrder(kube, bench().inWaves());
        await bench().converged();
        const said = await repository.refused(sharing([80], [81, 443]), '2026-11-20');
        expect(said).toMatch(/ SHARING_STRANDED Service shop\/b would wait for /);
        const [a, b] = serving(bench());
        const withPorts = (service: KubeObject, ...numbers: readonly number[]): KubeObject => ({
          ...service,
          spec: { ...service.spec, ports: portsOf(numbers) },
        });
        const has = (address: string) => async (): Promise<true | undefined> => {
          const live = await kube.get(b);
          return live && addressesOf(live) === address ? true : undefined;
        };
        const { programs } = machine.metallb;
        const lookedAt = looksAt(bench(), b);
        await kube.apply(withPorts(b, 81, 443));
        await until(has('none'), { what: 'a Service that lost its address', programs });
        const isQuiet = () =>
          looksAt(bench(), b) > lookedAt && hasLookedAtAll(bench()) ? true : undefined;
        await until(isQuiet, { what: 'a controller that has looked at all', programs });
        const seen = looksAt(bench(), a);
        await kube.apply(withPorts(a, 80));
        const isSeen = () => (looksAt(bench(), a) > seen ? true : undefined);
        await until(isSeen, { what: 'a controller that looked at shop/a', programs });
        expect(await has('none')()).toBe(true);
        const isTouched = async (): Promise<true | undefined> => {
          await kube.merge(b, { metadata: { annotations: { touched: String(Date.now()) } } });
          return has(a.spec.loadBalancerIP)();
        };
        await until(isTouched, { what: 'a Service that was touched', programs });
        await bench().commit({ [paths[0]]: undefined, [paths[1]]: undefined });
      });
    }
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

const paths = ['leases/shop/a.yaml', 'leases/shop/b.yaml'] as const;

/** A Service on an address of two. */
function sharer(name: string, ports: readonly number[]): string {
  const annotations = { 'ipam.vitistack.io/allow-local-shared-ip': 'duo' };
  return declared('shop', name, { annotations, spec: { ports: portsOf(ports) } });
}

/** Two on one address, with these ports. */
function sharing(first: readonly number[], second: readonly number[]): Edit {
  return { [paths[0]]: sharer('a', first), [paths[1]]: sharer('b', second) };
}

function portsOf(numbers: readonly number[]): readonly object[] {
  return numbers.map((port) => ({ name: `p${port}`, port, protocol: 'TCP' }));
}

/** The Services of both, as committed. */
function serving(bench: Bench): readonly [KubeObject, KubeObject] {
  const [a, b] = ['a', 'b'].map((name) =>
    bench.only('Service').find(({ metadata }) => metadata.name === name),
  );
  if (!a || !b) throw new Error('there are no sharers');
  return [a, b];
}

/** How often the controller has looked at a Service. */
function looksAt({ machine }: Bench, { metadata }: KubeObject): number {
  const key = `${metadata.namespace}/${metadata.name}`;
  return machine.metallb.controllerLog().split(`"end reconcile":"${key}"`).length;
}

/** False from when the controller means to look at all Services until it has. */
function hasLookedAtAll({ machine }: Bench): boolean {
  const log = machine.metallb.controllerLog();
  const [means, begins, ends] = [
    'force service reload',
    '"start reconcile":"metallbreload/reload"',
    '"end reconcile":"metallbreload/reload"',
  ].map((text) => log.lastIndexOf(text)) as [number, number, number];
  return means < begins && begins < ends;
}

/** True once the controller's log has each Service, by namespace and name. */
function hasLookedAtServices({ machine, planned }: Bench): boolean {
  const log = machine.metallb.controllerLog();
  const since = log.slice(log.lastIndexOf('MetalLB controller starting'));
  return [...planned.addresses.keys()].every((key) => since.includes(key));
}
