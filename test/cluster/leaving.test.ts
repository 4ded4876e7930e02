import { expect, test } from 'vitest';
import { removeWhole } from '../support/cluster/by-hand.ts';
import { givenAddress, liveIds } from '../support/cluster/convergence.ts';
import { service } from '../support/cluster/declared.ts';
import { documented } from '../support/cluster/documented.ts';
import { metallbNamespace } from '../support/cluster/machines/metallb-pods.ts';
import { describeStories } from '../support/cluster/stories.ts';
import type { Place } from '../support/cluster/story.ts';
import { inScope } from '../support/run/scope.ts';

const places: readonly Place[] = [
  { metallb: '0.16.1', engine: 'Flux', layout: 'pool' },
  { metallb: '0.14.9', engine: 'Argo CD', layout: 'pool' },
];
const placesInScope = inScope(places, ({ engine }) => engine === 'Flux');
const objectOf = { Flux: 'Kustomization', 'Argo CD': 'Application' } as const;
const day = '2026-11-20';

describeStories('Back to plain MetalLB', placesInScope, (story, place) => {
  const kube = () => story.machine.plane.kube;

  /** No Service has had another address, or none, since the pools were opened. */
  function expectKept(): void {
    const { addresses } = story.planned;
    expect(addresses.size).toBeGreaterThan(4);
    for (const [key, address] of addresses)
      expect([key, story.since(key)]).toEqual([key, [address]]);
  }

  test('the pools are opened, and the admission policy goes', async () => {
    await story.change([{}, day]);
    const pools = story.repository.read('leases/pools.yaml');
    const open = pools.replaceAll('    advertise:', '    fence: open\n    advertise:');
    await story.change([{ 'leases/pools.yaml': open }, day]);
    const policies = [...(await liveIds(kube())).keys()].filter((name) =>
      name.includes('Admission'),
    );
    expect(policies).toEqual([]);
  });

  test('the object of the engine is deleted, and all that it applied stays', async () => {
    const before = await liveIds(kube());
    await removeWhole(kube(), documented(objectOf[place.engine as keyof typeof objectOf]));
    await story.engine.stop();
    expect(await liveIds(kube())).toEqual(before);
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
    expect([...story.planned.addresses.values()]).not.toContain(
      await givenAddress(kube(), story.machine.metallb, fresh),
    );
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
    await givenAddress(kube(), metallb, later);
    expectKept();
  });
});
