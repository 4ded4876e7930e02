import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import {
  type AddressWatch,
  addressesOf,
  keyOf,
  watchAddresses,
} from '../support/cluster/address-watch.ts';
import { startArgoCD } from '../support/cluster/argocd.ts';
import type { Engine, StartEngine } from '../support/cluster/engine.ts';
import { startFlux } from '../support/cluster/flux.ts';
import { type GitServer, startGitServer } from '../support/cluster/git-server.ts';
import {
  type Edit,
  type Layout,
  type LeaseRepository,
  leaseRepository,
} from '../support/cluster/lease-repository.ts';
import { type Machine, startMachine } from '../support/cluster/machine.ts';
import { nameOf, objectsIn } from '../support/cluster/manifests.ts';
import type { MetallbVersion } from '../support/cluster/metallb.ts';
import { plannedIn } from '../support/cluster/planned.ts';
import { programFolder } from '../support/cluster/programs.ts';
import { until } from '../support/cluster/wait.ts';

const engines: Readonly<Record<string, StartEngine>> = { Flux: startFlux, 'Argo CD': startArgoCD };
const places: readonly [MetallbVersion, string, Layout][] = [
  ['0.14.9', 'Flux', 'lease'],
  ['0.14.9', 'Argo CD', 'lease'],
];

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program.remove());

describe.each(places)('MetalLB %s, %s, layout %s', (metallb, engineName, layout) => {
  let machine: Machine;
  let server: GitServer;
  let repository: LeaseRepository;
  let engine: Engine;
  let watch: AddressWatch;
  beforeAll(async () => {
    machine = await startMachine(metallb);
    const crd = readFileSync(join(programFolder('akash-provider'), 'crd.yaml'), 'utf8');
    for (const object of objectsIn(crd)) await machine.plane.kube.apply(object);
    server = await startGitServer(machine.folder);
    repository = leaseRepository(
      { cli: program.cli, url: server.url, folder: machine.folder },
      { metallb, layout },
    );
    await repository.change({}, '2026-11-20');
    const start = engines[engineName]!;
    engine = await start(machine, server.url);
    watch = await watchAddresses(machine.plane.kube);
  }, 120_000);
  afterAll(async () => {
    watch?.close();
    await server?.close();
    await machine?.stop();
  });

  async function step(edit: Edit, today: string): Promise<void> {
    await watch.settled();
    watch.mark();
    const before = plannedIn(repository.root).addresses;
    const commit = await repository.change(edit, today);
    const s = Date.now();
    await engine.synced(commit);
    console.log(engineName, 'synced in', Date.now() - s);
    await converged();
    const after = plannedIn(repository.root).addresses;
    for (const [service, address] of after) {
      if (before.get(service) === address)
        expect([service, watch.since(service)]).toEqual([service, [address]]);
    }
  }
  async function converged(): Promise<void> {
    const { kube } = machine.plane;
    const { addresses, objects } = plannedIn(repository.root);
    await until(
      async () => {
        const live = (await kube.list('v1', 'Service')).filter(
          ({ spec }) => spec.type === 'LoadBalancer',
        );
        const found = new Map(live.map((one) => [keyOf(one), addressesOf(one)]));
        const wrong = [...addresses].filter(([key, address]) => found.get(key) !== address);
        const more = [...found.keys()].filter((key) => !addresses.has(key));
        if (wrong.length + more.length === 0) return true;
        throw new Error(`wrong ${JSON.stringify(wrong)}, left over ${more}`);
      },
      { what: 'planned addresses', programs: machine.metallb.programs, within: 20000 },
    );
    await watch.settled();
    const wanted = new Set(objects.map(nameOf));
    for (const [api, kind] of [
      ['metallb.io/v1beta1', 'IPAddressPool'],
      ['metallb.io/v1beta1', 'L2Advertisement'],
      ['akash.network/v2beta2', 'ProviderLeasedIP'],
    ] as const) {
      const live = (await kube.list(api, kind)).map(nameOf);
      expect(live.filter((name) => !wanted.has(name))).toEqual([]);
    }
    const verify = await repository.leasehold('verify', '--kubeconfig', machine.plane.kubeconfig);
    if (verify.status !== 0) console.log(verify.out, verify.err);
    expect(verify.status).toBe(0);
  }

  test('the shipped example', async () => {
    const s = Date.now();
    await engine.synced(await repository.change({}, '2026-11-20'));
    console.log(engineName, 'first', Date.now() - s);
    await converged();
    for (const object of plannedIn(repository.root).objects) {
      const live = await machine.plane.kube.get(object);
      if (object.kind === 'ProviderLeasedIP') expect(live?.spec).toEqual(object.spec);
      await machine.plane.kube.apply(object, { dryRun: true });
    }
  });
  test('a lease is added', async () => {
    await step(
      {
        'leases/ember/1.yaml': `apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id: { owner: akash17ye4gh0tdevfclxztxrfu53cvuq9gyzavnfxye, dseq: '18500001', gseq: 1, oseq: 1 }
  endpoints:
    - { name: site, service: web, port: 3000, externalPort: 80 }
`,
      },
      '2026-11-20',
    );
  });
  test('released', async () => {
    await step({ 'leases/ember/1.yaml': undefined }, '2026-11-20');
  });
});
