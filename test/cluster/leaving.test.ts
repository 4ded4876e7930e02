import { expect, test } from 'vitest';
import { givenAddress, liveIds } from '../support/cluster/convergence.ts';
import { service } from '../support/cluster/declared.ts';
import { runPrinted } from '../support/cluster/kubectl.ts';
import { describeStories } from '../support/cluster/stories.ts';
import type { Place } from '../support/cluster/story.ts';
import { printedIn } from '../support/docs/printed-commands.ts';
import { inScope } from '../support/run/scope.ts';

const places: readonly Place[] = [
  { metallb: '0.16.1', engine: 'Flux', layout: 'pool' },
  { metallb: '0.14.9', engine: 'Argo CD', layout: 'pool' },
];
const placesInScope = inScope(places, ({ engine }) => engine === 'Flux');
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
    const line =
      place.engine === 'Flux'
        ? printedIn('day-two', 'kubectl -n flux-system delete kustomization')
        : printedIn('day-two', 'kubectl -n argocd delete application');
    await runPrinted({ kube: kube() }, line);
    await story.engine.stop();
    expect(await liveIds(kube())).toEqual(before);
    expectKept();
  });

  test('with autoAssign, MetalLB gives a new Service an address, and no other Service changes', async () => {
    const line = printedIn('day-two', 'kubectl -n metallb-system patch ipaddresspool public');
    await runPrinted({ kube: kube() }, line.replace(' public ', ' default '));
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
