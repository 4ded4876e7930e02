import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type AddressWatch, watchAddresses } from './address-watch.ts';
import { startArgoCD } from './argocd.ts';
import { expectConverged } from './convergence.ts';
import type { Engine, StartEngine } from './engine.ts';
import { startFlux } from './flux.ts';
import { type GitServer, startGitServer } from './git-server.ts';
import { startHands } from './hands.ts';
import type { Keeper } from './keeper.ts';
import {
  type Edit,
  type Layout,
  type LeaseRepository,
  leaseRepository,
} from './lease-repository.ts';
import { type Machine, startMachine, temporaryKeeper } from './machine.ts';
import { objectsIn } from './manifests.ts';
import type { MetallbVersion } from './metallb.ts';
import { type Planned, plannedIn } from './planned.ts';
import { programFolder } from './programs.ts';

/** What applies what is committed. */
export type EngineName = 'Flux' | 'Argo CD' | 'by hand';

/** Where a story takes place. */
export interface Place {
  readonly metallb: MetallbVersion;
  readonly engine: EngineName;
  readonly layout: Layout;
  /** The compiled CLI. */
  readonly cli: string;
}

/** How each of them begins. */
export const engines: Readonly<Record<EngineName, StartEngine>> = {
  Flux: startFlux,
  'Argo CD': startArgoCD,
  'by hand': startHands,
};

/** How a place is called in a title. */
export function titleOf({ metallb, engine, layout }: Omit<Place, 'cli'>): string {
  return `MetalLB ${metallb}, ${engine}, layout ${layout}`;
}

/** Definitions of the Akash provider's kinds, which a cluster must have before leases come. */
export function akashDefinitions() {
  return objectsIn(readFileSync(join(programFolder('akash-provider'), 'crd.yaml'), 'utf8'));
}

/** A repository, an engine that follows it, and a cluster; commits go in, live addresses come out. */
export class Story {
  readonly repository: LeaseRepository;
  /** Services that somebody else applies, `namespace/name`, and the addresses that are reserved for them. */
  readonly others = new Map<string, string>();
  private readonly keeper: Keeper;
  private readonly server: GitServer;
  private readonly place: Place;
  private current: Running;

  private constructor(place: Place, parts: Parts, current: Running) {
    this.place = place;
    this.keeper = parts.keeper;
    this.repository = parts.repository;
    this.server = parts.server;
    this.current = current;
  }

  /** Starts with the shipped example committed. */
  static async begin(place: Place): Promise<Story> {
    const keeper = temporaryKeeper();
    try {
      const server = await startGitServer(keeper.folder);
      const origin = { cli: place.cli, url: server.url, folder: keeper.folder };
      const repository = leaseRepository(origin, place);
      await repository.change({}, '2026-11-20');
      const current = await run(keeper, place, server.url);
      return new Story(place, { keeper, repository, server }, current);
    } catch (error) {
      await keeper.close();
      throw error;
    }
  }

  get machine(): Machine {
    return this.current.machine;
  }

  get engine(): Engine {
    return this.current.engine;
  }

  /** What is committed now. */
  get planned(): Planned {
    return plannedIn(this.repository.root);
  }

  /** What a Service had since the last change began; see {@link AddressWatch.since}. */
  since(service: string): readonly string[] {
    return this.current.watch.since(service);
  }

  /** Commits changes, each with its day, and waits until the last one is live; see {@link follow}. */
  change(...changes: readonly (readonly [edit: Edit, today: string])[]): Promise<void> {
    return this.follow(
      ...changes.map(
        ([edit, today]) =>
          () =>
            this.repository.change(edit, today),
      ),
    );
  }

  /**
   * Makes commits and waits until the last one is live. The engine sees several of them at once. No Service that had
   * its planned address and keeps it had another one, or none, at any moment in between.
   */
  async follow(...commits: readonly (() => Promise<string>)[]): Promise<void> {
    const { watch, engine } = this.current;
    await watch.settled();
    watch.mark();
    const before = [...this.wanted].filter(([key, now]) => watch.since(key)[0] === now);
    if (commits.length > 1) await engine.suspend();
    let commit = '';
    for (const make of commits) commit = await make();
    if (commits.length > 1) await engine.resume();
    await engine.synced(commit);
    await this.settle(new Map(before));
  }

  /** Waits until all that is committed is live, and `leasehold verify` says the same. */
  async settle(before: ReadonlyMap<string, string> = new Map()): Promise<void> {
    const { machine, watch } = this.current;
    const planned = this.planned;
    const wanted = { ...planned, addresses: this.wanted };
    await expectConverged(machine.plane.kube, machine.metallb, wanted);
    await watch.settled();
    const kept = [...this.wanted].filter(([key, address]) => before.get(key) === address);
    for (const [key, address] of kept) expect([key, watch.since(key)]).toEqual([key, [address]]);
    await this.verified(0);
  }

  private get wanted(): ReadonlyMap<string, string> {
    return new Map([...this.planned.addresses, ...this.others]);
  }

  /** What `leasehold verify` prints; it must end with this status. */
  async verified(status: number): Promise<string> {
    const config = this.machine.plane.kubeconfig;
    const result = await this.repository.leasehold('verify', '--kubeconfig', config);
    expect(`${result.status} ${result.out}${result.err}`).toMatch(new RegExp(`^${status} `));
    return result.out;
  }

  /** Loses the cluster with all its data, and builds a new one that follows the same repository. */
  async rebuild(): Promise<void> {
    this.current.watch.close();
    await this.engine.stop();
    await this.machine.stop();
    this.current = await run(this.keeper, this.place, this.server.url);
  }

  async end(): Promise<void> {
    this.current.watch.close();
    await this.server.close();
    await this.keeper.close();
  }
}

interface Parts {
  readonly keeper: Keeper;
  readonly repository: LeaseRepository;
  readonly server: GitServer;
}

interface Running {
  readonly machine: Machine;
  readonly engine: Engine;
  readonly watch: AddressWatch;
}

async function run(keeper: Keeper, place: Place, url: string): Promise<Running> {
  const machine = await startMachine(keeper, place.metallb);
  const { kube } = machine.plane;
  for (const definition of akashDefinitions()) await kube.apply(definition);
  const watch = await watchAddresses(kube);
  return { machine, engine: await engines[place.engine](machine, url), watch };
}
