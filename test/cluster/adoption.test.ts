import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import {
  type AddressWatch,
  addressesOf,
  keyOf,
  watchAddresses,
} from '../support/cluster/address-watch.ts';
import { expectKept } from '../support/cluster/convergence.ts';
import type { Engine } from '../support/cluster/engines/engine.ts';
import { type GitServer, startGitServer } from '../support/cluster/engines/git-server.ts';
import type { Kube } from '../support/cluster/kube.ts';
import { emptyRepository, type LeaseRepository } from '../support/cluster/lease-repository.ts';
import { applyLiveServices, liveServices } from '../support/cluster/live-services.ts';
import {
  type Machine,
  startMachine,
  temporaryKeeper,
} from '../support/cluster/machines/machine.ts';
import { akashDefinitions, type EngineName, engines } from '../support/cluster/story.ts';
import { noneByItself } from '../support/cluster/unasked.ts';
import { until } from '../support/cluster/wait.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { inScope } from '../support/run/scope.ts';

const today = '2026-11-20';

/** Every MetalLB with one engine or the other, and one with both. */
const places = [
  ['0.14.9', 'Flux'],
  ['0.14.9', 'Argo CD'],
  ['0.13.9', 'Argo CD'],
  ['0.16.1', 'Flux'],
  ['0.16.1', 'by hand'],
] as const;

/** In a namespace of Kubernetes itself, where nobody may declare anything. */
const undeclared = ['kube-system/gate'];
const isUndeclared = (key: string): boolean => undeclared.includes(key);

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program?.remove());

describe.skipIf(inject('clusterIsMissing'))('The adoption of a cluster', () => {
  describe.each(inScope(places, ([, engine]) => engine === 'by hand'))(
    'MetalLB %s, %s',
    (version, engineName: EngineName) => {
      let machine: Machine;
      let server: GitServer;
      let repository: LeaseRepository;
      let assigned: ReadonlyMap<string, string>;
      let watch: AddressWatch;
      let engine: Engine;
      let kube: Kube;
      let reserved: readonly string[];

      beforeAll(async () => {
        machine = await startMachine(temporaryKeeper(), version);
        kube = machine.plane.kube;
        for (const definition of akashDefinitions()) await kube.apply(definition);
        assigned = await applyLiveServices(kube, machine.metallb);
        server = await startGitServer(machine.folder);
        const folder = mkdtempSync(join(machine.folder, 'repository-'));
        repository = emptyRepository({ cli: program.cli, url: server.url, folder });
        watch = await watchAddresses(kube);
      });
      afterAll(async () => {
        watch?.close();
        await server?.close();
        await machine?.keeper.close();
      });

      const asked = (): readonly string[] => ['--kubeconfig', machine.plane.kubeconfig];

      const kept = (isMeant: (key: string) => boolean = () => true): Promise<void> =>
        expectKept(
          watch,
          [...assigned].filter(([key]) => isMeant(key)),
        );

      async function restarted(): Promise<void> {
        await machine.metallb.stopController('SIGKILL');
        await machine.metallb.startController();
        await noneByItself(machine);
      }

      /** What verify says of Services that a closed pool would cut off, sorted. */
      async function wouldLose(): Promise<readonly string[]> {
        const { out, err } = await repository.leasehold('verify', ...asked(), '-o', 'json');
        expect(out, err).not.toBe('');
        const pools: readonly { readonly services: readonly { readonly object: string }[] }[] =
          JSON.parse(out).openPools;
        const names = pools.flatMap(({ services }) => services.map(({ object }) => object));
        return [...new Set(names.map((name) => name.replace('Service ', '')))].sort();
      }

      test('import declares forty Services on the addresses that they have, and ends in a green check', async () => {
        expect(assigned.size).toBe(40);
        await repository.run(today, 'import', 'cluster', ...asked(), '--metallb', version);
        expect(await repository.leasehold('check')).toMatchObject({ status: 0 });
        const again = ['import', 'cluster', ...asked(), '-o', 'json', '--today', today];
        const { out } = await repository.leasehold(...again);
        const { declarations, edited } = JSON.parse(out);
        expect(edited).toEqual([]);
        const found = new Map<string, string>(
          declarations.map((one: Declaration) => [one.name, one.addresses.toSorted().join(',')]),
        );
        const wanted = [...assigned].filter(([key]) => !isUndeclared(key));
        expect([...found].sort()).toEqual(wanted.sort());
        reserved = declarations.flatMap(({ kind, name }: Declaration) =>
          kind === 'Reservation' ? [name] : [],
        );
        const others = liveServices.filter(
          ({ by, object }) => by !== 'kubectl' || isShared(keyOf(object)),
        );
        expect([...reserved].sort()).toEqual(others.map(({ object }) => keyOf(object)).sort());
      });

      test('doctor knows the live pools for those of dist/ before the first sync, and says to delete none', async () => {
        const { out, err } = await repository.leasehold('doctor', ...asked(), '-o', 'json');
        expect(out, err).not.toBe('');
        const found: readonly PoolFinding[] = JSON.parse(out).findings.filter(
          ({ code }: PoolFinding) => code === 'FOREIGN_POOLS',
        );
        expect(found.filter(({ level }) => level !== 'ok')).toEqual([]);
        expect(found[0]?.found).toMatch(/^IPAddressPool .* the first sync takes it over$/);
      });

      test('the engine applies it, and no address changes, also after a restart of MetalLB', async () => {
        const commit = await repository.run(today, 'synth');
        engine = await engines[engineName](machine, server.url);
        await engine.synced(commit);
        await noneByItself(machine);
        await kept();
        await restarted();
        await kept();
        expect(await wouldLose()).toEqual([...reserved, ...undeclared].sort());
      });

      test('whoever renders the other Services gives them the printed values one by one, and no address changes', async () => {
        for (const { object } of liveServices.filter((one) =>
          reserved.includes(keyOf(one.object)),
        )) {
          const { out } = await repository.leasehold('list', '-o', 'values', keyOf(object));
          const { annotations, labels } = parse(out).service;
          const key = Object.entries(annotations).find(([name]) =>
            name.endsWith('allow-shared-ip'),
          );
          if (isShared(keyOf(object))) expect(key?.[1]).toBe('one');
          const spec = { loadBalancerIP: null };
          await kube.merge(object, { metadata: { annotations, labels }, spec });
          await noneByItself(machine);
          await kept();
        }
        expect(await wouldLose()).toEqual([...undeclared].sort());
        await restarted();
        await kept();
      });

      test('the fence is closed in a commit of its own, and what is declared keeps its address', async () => {
        const pools = repository.read('leases/pools.yaml');
        const closed = pools.replaceAll('    fence: open\n', '');
        const commit = await repository.change({ 'leases/pools.yaml': closed }, today);
        const plan = await repository.leasehold('plan', '--base', 'HEAD~1');
        expect(plan.out).toContain('FENCE_CLOSED');
        await engine.synced(commit);
        for (const { object } of liveServices.filter((one) => isUndeclared(keyOf(one.object)))) {
          const isCut = async () => {
            const found = await kube.get(object);
            return found && addressesOf(found) === 'none' ? true : undefined;
          };
          const what = `the end of ${keyOf(object)} on its address`;
          await until(isCut, { what, programs: machine.metallb.programs });
        }
        await restarted();
        await kept((key) => !isUndeclared(key));
        const { status, out } = await repository.leasehold('verify', ...asked());
        expect(`${status} ${out}`).toMatch(/^0 /);
        expect(out).not.toContain('open fence');
      });
    },
  );
});

/** What an import says of a declaration. */
interface PoolFinding {
  readonly code: string;
  readonly level: string;
  readonly found: string;
}

interface Declaration {
  readonly kind: string;
  readonly name: string;
  readonly addresses: readonly string[];
}

/** With a sharing key that is not leasehold's, so that it keeps it. */
function isShared(key: string): boolean {
  return key.startsWith('shared-') || key.endsWith('/door');
}
