import { expect, test } from 'vitest';
import type { Shards } from '../../src/core/model/pools.ts';
import { liveIds } from '../support/cluster/convergence.ts';
import { leaseOf } from '../support/cluster/declared.ts';
import { committed, held } from '../support/cluster/engines/shards.ts';
import { describeStories } from '../support/cluster/stories.ts';
import type { Place } from '../support/cluster/story.ts';
import { until } from '../support/cluster/wait.ts';
import { scope } from '../support/run/scope.ts';

/** For a full run: as many shards as there can be, and the layout whose pools serve leases of all shards. */
const places = [
  { metallb: '0.16.1', engine: 'Flux', layout: 'pool', shards: 256 },
  { metallb: '0.14.9', engine: 'Argo CD', layout: 'pool', shards: 256 },
  { metallb: '0.14.9', engine: 'Argo CD', layout: 'pool', shards: 16 },
] as const satisfies readonly (Place & { readonly shards: Shards })[];

const day = '2026-11-20';
const ember = 'akash17ye4gh0tdevfclxztxrfu53cvuq9gyzavnfxye';
const path = 'leases/ember/18500003.yaml';

describeStories(
  'Delivery in many shards',
  places,
  (story, place) => {
    const kube = () => story.machine.plane.kube;
    const now = () => committed(story, place.shards);

    /** The engine says of each shard that it has what is committed for it, and nothing else. */
    async function expectHeld(): Promise<void> {
      const isHeld = async (): Promise<true> => {
        expect(await held(kube(), place.engine)).toEqual(now());
        return true;
      };
      await until(isHeld, { what: 'each shard with its own objects', every: 1_000 });
    }

    /** The shards that have objects whose names hold a text. */
    const shardsOf = (text: string): readonly string[] =>
      [...now()].flatMap(([shard, names]) => {
        return names.some((name) => name.includes(text)) ? [shard] : [];
      });

    test('each shard has an object of the engine of its own, also those of pools without leases', async () => {
      await story.change([{}, day]);
      expect(now().size).toBe(place.shards);
      await expectHeld();
      const [pools, services] = [shardsOf('IPAddressPool '), shardsOf('Service ')];
      expect(pools.length).toBeGreaterThan(0);
      expect(services.filter((shard) => !pools.includes(shard)).length).toBeGreaterThan(0);
    });

    test('a lease comes and goes in its shard, from a pool of another one, and nothing else is touched', async () => {
      const before = await liveIds(kube());
      const site = { name: 'site', service: 'web', port: 3000, externalPort: 80 };
      await story.change([{ [path]: leaseOf(ember, '18500003', site) }, day]);
      await expectHeld();
      expect(shardsOf(`${ember}-ip-site`)).toHaveLength(1);
      const during = await liveIds(kube());
      expect(Object.fromEntries(during)).toMatchObject(Object.fromEntries(before));
      expect(during.size).toBeGreaterThan(before.size);
      await story.change([{ [path]: undefined }, day]);
      await expectHeld();
      expect(await liveIds(kube())).toEqual(before);
    });

    test('a declared pool changes in its shard, and every address stays', async () => {
      const before = await liveIds(kube());
      const pools = story.repository.read('leases/pools.yaml');
      const more = pools.replace('203.0.113.16-203.0.113.47', '203.0.113.16-203.0.113.63');
      expect(more).not.toBe(pools);
      await story.change([{ 'leases/pools.yaml': more }, day]);
      await expectHeld();
      expect(await liveIds(kube())).toEqual(before);
      const live = await kube().list('metallb.io/v1beta1', 'IPAddressPool');
      expect(live.flatMap(({ spec }) => spec.addresses)).toContain('203.0.113.16-203.0.113.63');
    });
  },
  { isSkipped: scope !== 'full' },
);
