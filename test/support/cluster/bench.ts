import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BuiltProgram, buildProgram } from '../run/built-program.ts';
import { inScope } from '../run/scope.ts';
import { type AddressWatch, watchAddresses } from './address-watch.ts';
import { expectConverged } from './convergence.ts';
import type { Kube, KubeObject } from './kube.ts';
import {
  type Edit,
  type Layout,
  type LeaseRepository,
  leaseRepository,
} from './lease-repository.ts';
import { type Machine, startMachine, temporaryKeeper } from './machines/machine.ts';
import { type MetallbVersion, metallbVersions } from './machines/metallb.ts';
import { inWaves, type Planned, plannedIn } from './planned.ts';
import { akashDefinitions } from './story.ts';

/** A cluster without an engine: a test applies what is committed, as it likes. */
export class Bench {
  readonly machine: Machine;
  readonly version: MetallbVersion;
  readonly layout: Layout;
  readonly repository: LeaseRepository;
  planned: Planned;

  constructor(
    { machine, version }: { readonly machine: Machine; readonly version: MetallbVersion },
    { layout, repository }: { readonly layout: Layout; readonly repository: LeaseRepository },
  ) {
    this.machine = machine;
    this.version = version;
    this.layout = layout;
    this.repository = repository;
    this.planned = plannedIn(repository.root);
  }

  get kube(): Kube {
    return this.machine.plane.kube;
  }

  /** What is committed, in the order of the waves. */
  inWaves(): readonly KubeObject[] {
    return inWaves(this.planned);
  }

  /** What is committed of some kinds. */
  only(...kinds: readonly string[]): readonly KubeObject[] {
    return this.inWaves().filter(({ kind }) => kinds.includes(kind));
  }

  /** Waits until exactly what is committed is live, with the planned addresses. */
  converged(): Promise<void> {
    return expectConverged(this.kube, this.machine.metallb, this.planned);
  }

  /** Commits a change; nothing is applied. */
  async commit(edit: Edit): Promise<void> {
    await this.repository.change(edit, '2026-11-20');
    this.planned = plannedIn(this.repository.root);
  }

  /** Watches while something happens: no Service that is live now may have any other address. */
  async undisturbed(act: () => Promise<void>): Promise<void> {
    const { addresses } = this.planned;
    const watch: AddressWatch = await watchAddresses(this.kube);
    try {
      await act();
      await watch.settled();
      for (const [key, address] of addresses)
        expect([key, ...watch.since(key)]).toEqual([key, address]);
    } finally {
      watch.close();
    }
  }

  /** What `leasehold verify` prints; it must end with this status. */
  verify(status: number, kubeconfig = this.machine.plane.kubeconfig): Promise<string> {
    return this.asked('verify', status, kubeconfig);
  }

  /** What a command prints about the cluster; it must end with this status. */
  async asked(command: string, status: number, kubeconfig: string): Promise<string> {
    const done = await this.repository.leasehold(command, '--kubeconfig', kubeconfig);
    expect(`${done.status} ${done.out}${done.err}`).toMatch(new RegExp(`^${status} `));
    return done.out;
  }
}

/** A MetalLB version and a layout. */
interface BenchPlace {
  readonly version: MetallbVersion;
  readonly layout: Layout;
}

const benchPlaces: readonly BenchPlace[] = metallbVersions.flatMap((version) =>
  (['lease', 'pool'] as const).map((layout) => ({ version, layout })),
);

/**
 * Runs tests on every MetalLB version with both layouts, one cluster for a version; in a smaller scope than a full
 * run on the usual place alone. Each test clears up after itself.
 */
export function onBenches(
  usual: BenchPlace,
  tests: (bench: () => Bench, layout: Layout) => void,
): void {
  const isUsual = (place: BenchPlace): boolean =>
    place.version === usual.version && place.layout === usual.layout;
  const places = inScope(benchPlaces, isUsual);
  let program: BuiltProgram;
  beforeAll(() => {
    program = buildProgram();
  });
  afterAll(() => program?.remove());
  describe.each([...new Set(places.map(({ version }) => version))])('MetalLB %s', (version) => {
    let machine: Machine;
    beforeAll(async () => {
      machine = await startMachine(temporaryKeeper(), version);
      for (const definition of akashDefinitions()) await machine.plane.kube.apply(definition);
    });
    afterAll(() => machine?.keeper.close());
    const layouts = places.filter((place) => place.version === version);
    describe.each(layouts.map(({ layout }) => layout))('layout %s', (layout) => {
      let bench: Bench;
      beforeAll(async () => {
        const folder = mkdtempSync(join(machine.folder, 'repository-'));
        const repository = leaseRepository(
          { cli: program.cli, folder },
          { metallb: version, layout },
        );
        await repository.change({}, '2026-11-20');
        bench = new Bench({ machine, version }, { layout, repository });
      });
      tests(() => bench, layout);
    });
  });
}
