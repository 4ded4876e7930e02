import { expect, test } from 'vitest';
import { leaseOf } from '../support/cluster/declared.ts';
import { runPrinted } from '../support/cluster/kubectl.ts';
import type { Edit } from '../support/cluster/lease-repository.ts';
import { metallbNamespace } from '../support/cluster/machines/metallb-pods.ts';
import { describeStories } from '../support/cluster/stories.ts';
import type { Place } from '../support/cluster/story.ts';
import { printedIn } from '../support/docs/printed-commands.ts';
import { inScope } from '../support/run/scope.ts';

const places: readonly Place[] = [
  { metallb: '0.14.9', engine: 'Flux', layout: 'pool' },
  { metallb: '0.16.1', engine: 'Argo CD', layout: 'lease' },
];
const placesInScope = inScope(places, ({ engine }) => engine === 'Flux');

const ember = 'akash17ye4gh0tdevfclxztxrfu53cvuq9gyzavnfxye';
const day = '2026-11-20';

const lease = (name: string, dseq: string): Edit => ({
  [`leases/ember/${name}.yaml`]: leaseOf(ember, dseq, {
    name,
    service: 'web',
    port: 3000,
    externalPort: 80,
  }),
});

describeStories('A restore of etcd', placesInScope, (story, { engine }) => {
  let commit: string;

  test('an old snapshot comes back, and verify says what is missing and what is left over', async () => {
    await story.change([{ ...lease('gone', '18500001'), ...lease('kept', '18500002') }, day]);
    await story.keepEtcd();
    await story.settle();
    await story.change([{ 'leases/ember/gone.yaml': undefined }, day]);
    const newer = { ...lease('young', '18500003'), ...lease('new', '18500004') };
    await story.follow(async () => {
      commit = await story.repository.change(newer, day);
      return commit;
    });
    await story.restoreEtcd();
    const said = await story.verified(1);
    for (const what of [/not applied .*young/, /not applied .*new/, /left over .*gone/])
      expect(said).toMatch(what);
  });

  // MetalLB and the engine wait for changes after a revision that etcd does not have any more.
  test('a restart of MetalLB and the engine brings back every address, and takes none from its holder', () =>
    story.through(async () => {
      const { metallb, plane } = story.machine;
      const restart = async (namespace: string): Promise<void> => {
        if (namespace !== metallbNamespace) return story.restartEngine();
        await metallb.stopController('SIGTERM');
        await metallb.startController();
      };
      const ofEngine =
        engine === 'Flux'
          ? printedIn('day-two', 'kubectl -n flux-system rollout restart')
          : printedIn('day-two', 'kubectl -n argocd rollout restart');
      const ofMetallb = printedIn('day-two', 'kubectl -n metallb-system rollout restart');
      for (const line of [ofMetallb, ofEngine])
        await runPrinted({ kube: plane.kube, restart }, line);
      await story.engine.synced(commit);
    }));
});
