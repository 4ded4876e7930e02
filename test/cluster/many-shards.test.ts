import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Shards } from '../../src/model/pools.ts';
import { ownObjects } from '../support/cluster/convergence.ts';
import { leaseOf } from '../support/cluster/declared.ts';
import { committed, held } from '../support/cluster/engines/shards.ts';
import { nameOf } from '../support/cluster/manifests.ts';
import { type Place, Story, titleOf } from '../support/cluster/story.ts';
import { until } from '../support/cluster/wait.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { scope } from '../support/run/scope.ts';

/** For a full run: as many shards as there can be, and the layout whose pools serve leases of all shards. */
const places = [
  { metallb: '0.16.1', engine: 'Flux', layout: 'pool', shards: 256 },
  { metallb: '0.14.9', engine: 'Argo CD', layout: 'pool', shards: 256 },
  { metallb: '0.14.9', engine: 'Argo CD', layout: 'pool', shards: 16 },
] as const satisfies readonly (Omit<Place, 'cli'> & { readonly shards: Shards })[];

const day = '2026-11-20';
const ember = 'akash17ye4gh0tdevfclxztxrfu53cvuq9gyzavnfxye';
const path = 'leases/ember/18500003.yaml';

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program?.remove());

describe.skipIf(inject('clusterIsMissing') || scope !== 'full')('Delivery in many shards', () => {
  describe.each(places.map((place) => [titleOf(place), place] as const))('%s', (_, place) => {
    let story: Story;

    beforeAll(async () => {
      story = await Story.begin({ ...place, cli: program.cli });
    });
    afterAll(() => story?.end());

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

    /** Every live object of leasehold's, its name to its id. */
    async function lives(): Promise<Readonly<Record<string, unknown>>> {
      const own = await ownObjects(kube());
      return Object.fromEntries(own.map((object) => [nameOf(object), object.metadata.uid]));
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
      const before = await lives();
      const site = { name: 'site', service: 'web', port: 3000, externalPort: 80 };
      await story.change([{ [path]: leaseOf(ember, '18500003', site) }, day]);
      await expectHeld();
      expect(shardsOf(`${ember}-ip-site`)).toHaveLength(1);
      const during = await lives();
      expect(during).toMatchObject(before);
      expect(Object.keys(during).length).toBeGreaterThan(Object.keys(before).length);
      await story.change([{ [path]: undefined }, day]);
      await expectHeld();
      expect(await lives()).toEqual(before);
    });

    test('a declared pool changes in its shard, and every address stays', async () => {
      const before = await lives();
      const pools = story.repository.read('leases/pools.yaml');
      const more = pools.replace('203.0.113.16-203.0.113.47', '203.0.113.16-203.0.113.63');
      expect(more).not.toBe(pools);
      await story.change([{ 'leases/pools.yaml': more }, day]);
      await expectHeld();
      expect(await lives()).toEqual(before);
      const live = await kube().list('metallb.io/v1beta1', 'IPAddressPool');
      expect(live.flatMap(({ spec }) => spec.addresses)).toContain('203.0.113.16-203.0.113.63');
    });
  });
});
