import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { applyInOrder, removed } from '../support/cluster/by-hand.ts';
import { expectConverged, ownObjects } from '../support/cluster/convergence.ts';
import { declared } from '../support/cluster/declared.ts';
import {
  emptyRepository,
  type Layout,
  type LeaseRepository,
} from '../support/cluster/lease-repository.ts';
import type { Keeper } from '../support/cluster/machines/keeper.ts';
import { temporaryKeeper } from '../support/cluster/machines/machine.ts';
import { type MetallbVersion, metallbVersions } from '../support/cluster/machines/metallb.ts';
import { nameOf } from '../support/cluster/manifests.ts';
import { inWaves, plannedIn } from '../support/cluster/planned.ts';
import { akashDefinitions } from '../support/cluster/story.ts';
import { addPods } from '../support/cluster/wire/pods.ts';
import { greeting } from '../support/cluster/wire/wire.ts';
import { heardFrom, untilHeard } from '../support/cluster/wire/wire-client.ts';
import { isLacking, wireIsMissing } from '../support/cluster/wire/wire-requirements.ts';
import { startWiredCluster, type WiredCluster } from '../support/cluster/wire/wired-cluster.ts';
import { providerPoolsText } from '../support/declarations/pools-text.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { inScope } from '../support/run/scope.ts';

const day = '2026-11-20';
const isSkipped =
  inject('clusterIsMissing') !== '' || isLacking('renames on the wire', wireIsMissing());

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program?.remove());

const dual = { annotations: { 'ipam.vitistack.io/ip-family': 'dual' } };

function declarationsFor(
  version: MetallbVersion,
  layout: Layout,
): Readonly<Record<string, string>> {
  return {
    'leases/pools.yaml': providerPoolsText(`metallb: { version: ${version}, layout: ${layout} }
emit: { namespaces: true }
pools: [{ name: lan, zone: lan, addresses: [192.168.77.128/28, 'fd77::80/124'] }]
`),
    'leases/web/one.yaml': declared('web', 'one', dual),
    'leases/web/two.yaml': declared('web', 'two'),
  };
}

const places = metallbVersions.flatMap((version) =>
  (['pool', 'lease'] as const).map((layout) => [version, layout] as const),
);

// Each is a cluster of its own: the usual run has the version that the docs use.
describe.skipIf(isSkipped)('Renames on the wire', () => {
  describe.each(inScope(places, ([version, layout]) => version === '0.14.9' && layout === 'pool'))(
    'MetalLB %s, layout %s',
    (version, layout) => {
      let keeper: Keeper;
      let cluster: WiredCluster;
      let repository: LeaseRepository;

      beforeAll(async () => {
        keeper = temporaryKeeper();
        cluster = await startWiredCluster(keeper, version);
        for (const object of akashDefinitions()) await cluster.plane.kube.apply(object);
        const folder = mkdtempSync(join(cluster.folder, 'repository-'));
        repository = emptyRepository({ cli: program.cli, folder });
        await repository.change(declarationsFor(version, layout), day);
        await applied();
        for (const address of addresses()) await untilHeard(address, cluster.programs);
      });
      afterAll(async () => {
        await cluster?.close();
        await keeper?.close();
      });

      /** Applies what is committed and then prunes, as engines do; the pods of new Services run already. */
      async function applied(): Promise<void> {
        const { kube } = cluster.plane;
        const planned = plannedIn(repository.root);
        await applyInOrder(kube, inWaves(planned));
        const services = planned.objects.filter(({ kind }) => kind === 'Service');
        await addPods(kube, services);
        const wanted = new Set(planned.objects.map(nameOf));
        for (const object of await ownObjects(kube)) {
          if (!wanted.has(nameOf(object))) await removed(kube, object);
        }
        await expectConverged(kube, cluster, planned);
      }

      function addresses(): readonly string[] {
        const { addresses: planned } = plannedIn(repository.root);
        return [...planned.values()].flatMap((list) => list.split(',')).sort();
      }

      /** Applies a rename while a client connects to each address again and again. Gives the longest silence in milliseconds. */
      async function silenceDuring(rename: () => Promise<unknown>): Promise<number> {
        const watched = addresses();
        let isOver = false;
        const silences = watched.map(async (address) => {
          let [longest, last] = [0, performance.now()];
          while (!isOver) {
            if ((await heardFrom(address, 80, 200)) !== greeting) continue;
            const now = performance.now();
            longest = Math.max(longest, now - last);
            last = now;
          }
          return longest;
        });
        try {
          await rename();
          await applied();
          for (const address of watched) await untilHeard(address, cluster.programs);
        } finally {
          isOver = true;
        }
        return Math.max(...(await Promise.all(silences)));
      }

      test.each([
        ['a Service', 'web/one', 'web/uno'],
        ['a namespace', 'web', 'store'],
      ])('%s has its addresses under the new name, and is heard again', async (what, from, to) => {
        const before = addresses();
        const silence = await silenceDuring(() => repository.run(day, 'rename', from, to));
        console.log(`${version} ${layout} ${what}: silent for ${Math.round(silence)} ms`);
        expect(addresses()).toEqual(before);
      });
    },
  );
});
