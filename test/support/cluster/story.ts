import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Shards } from '../../../src/core/model/pools.ts';
import { type AddressWatch, watchAddresses } from './address-watch.ts';
import { expectConverged } from './convergence.ts';
import { startArgoCD, startServerSideArgoCD } from './engines/argocd.ts';
import type { Engine, StartEngine } from './engines/engine.ts';
import { startFlux } from './engines/flux.ts';
import { type GitServer, startGitServer } from './engines/git-server.ts';
import { startHands } from './engines/hands.ts';
import type { KubeObject } from './kube.ts';
import {
  type Edit,
  type Layout,
  type LeaseRepository,
  leaseRepository,
} from './lease-repository.ts';
import type { Keeper } from './machines/keeper.ts';
import { type Machine, startMachine, temporaryKeeper } from './machines/machine.ts';
import type { MetallbVersion } from './machines/metallb.ts';
import { objectsIn } from './manifests.ts';
import { type Planned, plannedIn } from './planned.ts';
import { programFolder } from './programs/programs.ts';

/** What applies what is committed. */
export type EngineName = 'Flux' | 'Argo CD' | 'Argo CD with server-side diff' | 'by hand';

/** Where a story takes place. */
export interface Place {
  readonly metallb: MetallbVersion;
  readonly engine: EngineName;
  readonly layout: Layout;
  /** With shards the engine goes by what `leasehold gitops` prints for them, and not by docs/gitops.md. */
  readonly shards?: Shards;
}

/** How each of them begins. */
export const engines: Readonly<Record<EngineName, StartEngine>> = {
  Flux: startFlux,
  'Argo CD': startArgoCD,
  'Argo CD with server-side diff': startServerSideArgoCD,
  'by hand': startHands,
};

/** What of `leasehold gitops` prints the objects of an engine. */
const commands = {
  Flux: 'flux',
  'Argo CD': 'argocd',
  'Argo CD with server-side diff': 'argocd',
} as const;

/** The objects that `leasehold gitops` prints in a repository. */
export async function printedBy(
  repository: LeaseRepository,
  ...words: readonly string[]
): Promise<readonly KubeObject[]> {
  const { status, out, err } = await repository.leasehold('gitops', ...words);
  if (status !== 0) throw new Error(`leasehold gitops ${words.join(' ')}: ${err}`);
  return objectsIn(out);
}

/** How a place is called in a title. */
export function titleOf({ metallb, engine, layout, shards }: Place): string {
  const title = `MetalLB ${metallb}, ${engine}, layout ${layout}`;
  return shards === undefined ? title : `${title}, ${shards} shards`;
}

/** Definitions of the Akash provider's kinds, which a cluster must have before leases come. */
export function akashDefinitions() {
  return objectsIn(readFileSync(join(programFolder('akash-provider'), 'crd.yaml'), 'utf8'));
}

/**
 * A repository, an engine that follows it, and a cluster; commits go in, live addresses come out. It has them between
 * {@link begin} and {@link end}.
 */
export class Story {
  /** Services that somebody else applies, `namespace/name`, and the addresses that are reserved for them. */
  readonly others = new Map<string, string>();
  private readonly place: Place;
  private parts!: Parts;
  private current!: Running;

  constructor(place: Place) {
    this.place = place;
  }

  /** Starts with the shipped example committed. `cli` is the compiled CLI. */
  async begin(cli: string): Promise<void> {
    const { place } = this;
    const keeper = temporaryKeeper();
    try {
      const server = await startGitServer(keeper.folder);
      const repository = leaseRepository({ cli, url: server.url, folder: keeper.folder }, place);
      await repository.change({}, '2026-11-20');
      this.parts = { keeper, repository, server };
      this.current = await run(this.parts, place);
    } catch (error) {
      await keeper.close();
      throw error;
    }
  }

  get repository(): LeaseRepository {
    return this.parts.repository;
  }

  get machine(): Machine {
    return this.current.machine;
  }

  /** What people clone. */
  get url(): string {
    return this.parts.server.url;
  }

  /** What serves it. */
  get server(): GitServer {
    return this.parts.server;
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
  follow(...commits: readonly (() => Promise<string>)[]): Promise<void> {
    return this.through(async () => {
      if (commits.length > 1) await this.engine.suspend();
      let commit = '';
      for (const make of commits) commit = await make();
      if (commits.length > 1) await this.engine.resume();
      await this.engine.synced(commit);
    });
  }

  /** Lets something happen, and waits until all that is committed is live. What {@link follow} promises holds. */
  async through(happens: () => Promise<void>): Promise<void> {
    const { watch } = this.current;
    await watch.settled();
    watch.mark();
    const before = [...this.wanted].filter(([key, now]) => watch.since(key)[0] === now);
    await happens();
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
    this.current = await run(this.parts, this.place);
  }

  /** Kills the API server, and starts it again. */
  async restartApiServer(): Promise<void> {
    const { machine, watch } = this.current;
    await machine.plane.restartApiServer();
    await watch.goOn();
  }

  /** Keeps the data of etcd as they are now. */
  async keepEtcd(): Promise<void> {
    const { machine, watch } = this.current;
    await machine.plane.snapshot('keep');
    await watch.goOn();
  }

  /** Puts back the data of etcd that were kept. What each Service had until then is forgotten. */
  async restoreEtcd(): Promise<void> {
    const { machine, watch } = this.current;
    await machine.plane.snapshot('put back');
    watch.close();
    this.current = { ...this.current, watch: await watchAddresses(machine.plane.kube) };
  }

  /** Kills the engine's programs, and starts them again as they are installed. */
  async restartEngine(): Promise<void> {
    const { machine, engine, watch } = this.current;
    await engine.stop();
    this.current = { machine, watch, engine: await begun(this.place, machine, this.parts) };
  }

  async end(): Promise<void> {
    this.current?.watch.close();
    await this.parts?.server.close();
    await this.parts?.keeper.close();
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

async function run(parts: Parts, place: Place): Promise<Running> {
  const machine = await startMachine(parts.keeper, place.metallb);
  const { kube } = machine.plane;
  for (const definition of akashDefinitions()) await kube.apply(definition);
  const watch = await watchAddresses(kube);
  return { machine, engine: await begun(place, machine, parts), watch };
}

/** The engine of a place, at work. */
async function begun(
  place: Place,
  machine: Machine,
  { repository, server: { url } }: Parts,
): Promise<Engine> {
  const isSharded = place.shards !== undefined && place.engine !== 'by hand';
  const words = isSharded ? [commands[place.engine], '--repo', url] : undefined;
  const printed = words && (await printedBy(repository, ...words));
  return engines[place.engine](machine, url, printed);
}
