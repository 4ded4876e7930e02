import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { stringify } from 'yaml';
import {
  type AddressWatch,
  addressesOf,
  keyOf,
  watchAddresses,
} from '../support/cluster/address-watch.ts';
import { applyInOrder, removeWhole } from '../support/cluster/by-hand.ts';
import { expectKept } from '../support/cluster/convergence.ts';
import { service } from '../support/cluster/declared.ts';
import type { Kube, KubeObject } from '../support/cluster/kube.ts';
import { emptyRepository, type LeaseRepository } from '../support/cluster/lease-repository.ts';
import { applyLiveServices, livePools, liveServices } from '../support/cluster/live-services.ts';
import {
  type Machine,
  startMachine,
  temporaryKeeper,
} from '../support/cluster/machines/machine.ts';
import { metallbVersions } from '../support/cluster/machines/metallb.ts';
import { inWaves, plannedIn } from '../support/cluster/planned.ts';
import { noneByItself } from '../support/cluster/unasked.ts';
import { until } from '../support/cluster/wait.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { inScope } from '../support/run/scope.ts';

const today = '2026-11-20';
/** Declared in the second step; of these, nobody shares an address. */
const declaredNamespaces = ['shop', 'games', 'edge', 'pairs', 'six'];
const isDeclared = (key: string): boolean => declaredNamespaces.includes(key.split('/')[0] ?? '');

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program?.remove());

describe.skipIf(inject('clusterIsMissing'))('The fence of a live pool', () => {
  describe.each(inScope(metallbVersions, (version) => version === '0.14.9'))(
    'MetalLB %s',
    (version) => {
      let machine: Machine;
      let repository: LeaseRepository;
      let assigned: ReadonlyMap<string, string>;
      let watch: AddressWatch;
      let kube: Kube;

      beforeAll(async () => {
        machine = await startMachine(temporaryKeeper(), version);
        kube = machine.plane.kube;
        assigned = await applyLiveServices(kube, machine.metallb);
        const folder = mkdtempSync(join(machine.folder, 'repository-'));
        repository = emptyRepository({ cli: program.cli, folder });
        const live = join(folder, 'live.yaml');
        writeFileSync(live, livePools.map((object) => `---\n${stringify(object)}`).join(''));
        await repository.run(today, 'import', 'metallb', live, '--metallb', version);
        watch = await watchAddresses(kube);
      });
      afterAll(async () => {
        watch?.close();
        await machine?.keeper.close();
      });

      const kept = (isMeant: (key: string) => boolean = () => true): Promise<void> =>
        expectKept(
          watch,
          [...assigned].filter(([key]) => isMeant(key)),
        );

      /** Applies what is committed, and waits until MetalLB works by it. */
      async function applied(): Promise<void> {
        await applyInOrder(kube, inWaves(plannedIn(repository.root)));
        await noneByItself(machine);
      }

      async function verified(): Promise<string> {
        const { plane } = machine;
        const { out } = await repository.leasehold('verify', '--kubeconfig', plane.kubeconfig);
        return out;
      }

      test('open, it takes no address from anybody, also after a restart of MetalLB', async () => {
        expect(assigned.size).toBe(40);
        await applied();
        await kept();
        await machine.metallb.stopController('SIGKILL');
        await machine.metallb.startController();
        await noneByItself(machine);
        await kept();
        expect(await verified()).toMatch(/closing it would remove the addresses of \d+ Services:/);
      });

      test('open, it serves anybody who asks: why it is to be closed', async () => {
        const thief = service('shop', 'thief', { spec: { loadBalancerIP: '203.0.113.127' } });
        await kube.apply(thief);
        const ask = async () => {
          const found = await kube.get(thief);
          return found && addressesOf(found) === '203.0.113.127' ? true : undefined;
        };
        await until(ask, { what: 'an address', programs: machine.metallb.programs });
        await removeWhole(kube, thief);
      });

      test('declaring what is live, while it is open, changes no address', async () => {
        const declared = liveServices
          .map(({ object }) => object)
          .filter((object) => isDeclared(keyOf(object)));
        const edit = declared.map((object) => [pathOf(object), pinned(object, assigned)] as const);
        await repository.change(Object.fromEntries(edit), today);
        await applied();
        await kept();
        const said = await verified();
        for (const key of assigned.keys())
          expect([key, said.includes(`Service ${key} on`)]).toEqual([key, !isDeclared(key)]);
      });

      test('closed, it keeps what has our label, and takes the address of what has not', async () => {
        const pools = repository.read('leases/pools.yaml');
        const closed = pools.replaceAll('    fence: open\n', '');
        await repository.change({ 'leases/pools.yaml': closed }, today);
        await applied();
        const others = liveServices.filter(({ object }) => !isDeclared(keyOf(object)));
        for (const { object } of others) {
          const isCut = async () => {
            const found = await kube.get(object);
            return found && addressesOf(found) === 'none' ? true : undefined;
          };
          const what = `the end of ${keyOf(object)} on its address`;
          await until(isCut, { what, programs: machine.metallb.programs });
        }
        await kept(isDeclared);
        for (const { object } of others) {
          expect(watch.since(keyOf(object))).toEqual([assigned.get(keyOf(object)), 'none']);
        }
        await machine.metallb.stopController('SIGKILL');
        await machine.metallb.startController();
        await noneByItself(machine);
        await kept(isDeclared);
      });
    },
  );
});

function pathOf({ metadata }: KubeObject): string {
  return `leases/${metadata.namespace}/${metadata.name}.yaml`;
}

/** The declaration of a live Service, on the addresses that it has. */
function pinned(object: KubeObject, assigned: ReadonlyMap<string, string>): string {
  const addresses = assigned.get(keyOf(object)) ?? '';
  const { metadata } = object;
  const annotations = { ...metadata.annotations, 'metallb.io/loadBalancerIPs': addresses };
  return stringify({ ...object, metadata: { ...metadata, annotations } });
}
