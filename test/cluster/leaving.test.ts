import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { addressesOf } from '../support/cluster/address-watch.ts';
import { removeWhole } from '../support/cluster/by-hand.ts';
import { ownObjects } from '../support/cluster/convergence.ts';
import { service } from '../support/cluster/declared.ts';
import { documented } from '../support/cluster/documented.ts';
import type { KubeObject } from '../support/cluster/kube.ts';
import { metallbNamespace } from '../support/cluster/machines/metallb.ts';
import { nameOf } from '../support/cluster/manifests.ts';
import { type Place, Story, titleOf } from '../support/cluster/story.ts';
import { until } from '../support/cluster/wait.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { inScope } from '../support/run/scope.ts';

const places: readonly Omit<Place, 'cli'>[] = [
  { metallb: '0.16.1', engine: 'Flux', layout: 'pool' },
  { metallb: '0.14.9', engine: 'Argo CD', layout: 'pool' },
];
const placesInScope = inScope(places, ({ engine }) => engine === 'Flux');
const objectOf = { Flux: 'Kustomization', 'Argo CD': 'Application' } as const;
const day = '2026-11-20';

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program?.remove());

describe.skipIf(inject('clusterIsMissing'))('Back to plain MetalLB', () => {
  describe.each(placesInScope.map((place) => [titleOf(place), place] as const))(
    '%s',
    (_, place) => {
      let story: Story;

      beforeAll(async () => {
        story = await Story.begin({ ...place, cli: program.cli });
      });
      afterAll(() => story?.end());

      const kube = () => story.machine.plane.kube;

      /** No Service has had another address, or none, since the pools were opened. */
      function expectKept(): void {
        const { addresses } = story.planned;
        expect(addresses.size).toBeGreaterThan(4);
        for (const [key, address] of addresses)
          expect([key, story.since(key)]).toEqual([key, [address]]);
      }

      /** Every live object of leasehold's, its name to the id that it has from its making to its end. */
      async function lives(): Promise<readonly (readonly [string, unknown])[]> {
        const own = await ownObjects(kube());
        return own.map((object) => [nameOf(object), object.metadata.uid] as const).sort();
      }

      /** Waits until MetalLB has given a Service an address. */
      async function given(object: KubeObject): Promise<string> {
        const ask = async (): Promise<string | undefined> => {
          const live = await kube().get(object);
          const text = live ? addressesOf(live) : 'none';
          return text === 'none' ? undefined : text;
        };
        const { programs } = story.machine.metallb;
        return until(ask, { what: `an address of ${nameOf(object)}`, programs });
      }

      test('the pools are opened, and the admission policy goes', async () => {
        await story.change([{}, day]);
        const pools = story.repository.read('leases/pools.yaml');
        const open = pools.replaceAll('    advertise:', '    fence: open\n    advertise:');
        await story.change([{ 'leases/pools.yaml': open }, day]);
        const policies = (await lives()).filter(([name]) => name.includes('Admission'));
        expect(policies).toEqual([]);
      });

      test('the object of the engine is deleted, and all that it applied stays', async () => {
        const before = await lives();
        await removeWhole(kube(), documented(objectOf[place.engine as keyof typeof objectOf]));
        await story.engine.stop();
        expect(await lives()).toEqual(before);
        expectKept();
      });

      test('with autoAssign, MetalLB gives a new Service an address, and no other Service changes', async () => {
        const pool = {
          apiVersion: 'metallb.io/v1beta1',
          kind: 'IPAddressPool',
          metadata: { name: 'default', namespace: metallbNamespace },
        };
        await kube().merge(pool, { spec: { autoAssign: true } });
        const fresh = service('default', 'fresh');
        await kube().apply(fresh);
        expect([...story.planned.addresses.values()]).not.toContain(await given(fresh));
        expectKept();
      });

      test('a Service without its pin keeps its address, also when MetalLB starts anew', async () => {
        const services = story.planned.objects.filter(({ kind }) => kind === 'Service');
        const pinned = services.filter(({ spec }) => spec.loadBalancerIP !== undefined);
        expect(pinned.length).toBeGreaterThan(2);
        for (const one of pinned) await kube().merge(one, { spec: { loadBalancerIP: null } });
        const { metallb } = story.machine;
        await metallb.stopController('SIGKILL');
        await metallb.startController();
        const later = service('default', 'later');
        await kube().apply(later);
        await given(later);
        expectKept();
      });
    },
  );
});
