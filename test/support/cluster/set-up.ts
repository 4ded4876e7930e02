import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { parse, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Verification } from '../../../src/features/cluster/verification-answer.ts';
import { type AddressWatch, keyOf, watchAddresses } from './address-watch.ts';
import { applyOnly, removeOwn, removeWhole } from './by-hand.ts';
import { expectKept, givenAddress } from './convergence.ts';
import type { KubeObject } from './kube.ts';
import { removalCommands, runPrinted } from './kubectl.ts';
import type { LeaseRepository } from './lease-repository.ts';
import type { Machine } from './machines/machine.ts';
import { objectsIn } from './manifests.ts';
import { plannedIn } from './planned.ts';
import { noneByItself } from './unasked.ts';

/** MetalLB's objects of somebody, live, with Services that have addresses. */
export class SetUp {
  readonly #machine: Machine;
  readonly #objects: readonly KubeObject[];
  readonly #assigned = new Map<string, string>();
  #watch: AddressWatch | undefined;

  constructor(machine: Machine, file: string) {
    this.#machine = machine;
    this.#objects = objectsIn(readFileSync(file, 'utf8'));
  }

  get #services(): readonly KubeObject[] {
    return this.#objects.filter(({ kind }) => kind === 'Service');
  }

  /** Applies it as people do, and waits until each Service has its address. */
  async begin(): Promise<void> {
    const { plane, metallb } = this.#machine;
    const namespaces = this.#services.map(({ metadata }) => metadata.namespace ?? '');
    for (const name of new Set(namespaces)) {
      await plane.kube.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
    for (const object of this.#objects) {
      // MetalLB is mostly set up by a chart, and what is announced by hand.
      const isService = object.kind === 'Service';
      await plane.kube.apply(object, { manager: isService ? 'kubectl' : 'helm' });
      if (!isService) continue;
      this.#assigned.set(keyOf(object), await givenAddress(plane.kube, metallb, object));
    }
    this.#watch = await watchAddresses(plane.kube);
  }

  /** Applies what is committed, starts MetalLB anew, and expects that no Service ever had another address or none. */
  async applied({ root }: LeaseRepository): Promise<void> {
    const { plane, metallb } = this.#machine;
    await applyOnly(plane.kube, plannedIn(root));
    await noneByItself(this.#machine);
    await this.kept();
    await metallb.stopController('SIGKILL');
    await metallb.startController();
    await noneByItself(this.#machine);
    await this.kept();
  }

  async kept(): Promise<void> {
    if (this.#watch) await expectKept(this.#watch, this.#assigned);
  }

  /** Gives the Services of other tools what `leasehold list -o values` prints, as their charts would. */
  async rendered(repository: LeaseRepository): Promise<void> {
    const { objects } = plannedIn(repository.root);
    const own = new Set(objects.filter(({ kind }) => kind === 'Service').map(keyOf));
    for (const object of this.#services) {
      if (own.has(keyOf(object))) continue;
      const { out } = await repository.leasehold('list', '-o', 'values', keyOf(object));
      const { annotations, labels } = parse(out).service;
      const spec = { loadBalancerIP: null };
      await this.#machine.plane.kube.merge(object, { metadata: { annotations, labels }, spec });
    }
  }

  /** Runs each command that verify prints about a field that somebody else has set. */
  async followed({ claims }: Verification): Promise<void> {
    const hints = claims.flatMap(({ details }) => details.map(({ hint = '' }) => hint));
    for (const command of new Set(hints.flatMap(removalCommands))) {
      await runPrinted(this.#machine.plane, command);
    }
  }

  async end(): Promise<void> {
    const { kube } = this.#machine.plane;
    this.#watch?.close();
    await removeOwn(kube, 'but namespaces');
    for (const object of this.#objects) if (await kube.get(object)) await removeWhole(kube, object);
  }
}

/** The pool file without the open fences that verify says no Service needs. Expects that there are some. */
export function withFences(text: string, { openPools }: Verification): string {
  const document = parseDocument(text);
  const pools = document.get('pools') as YAMLSeq<YAMLMap>;
  const unneeded = openPools.filter(({ services }) => services.length === 0);
  expect(unneeded, JSON.stringify(openPools)).not.toEqual([]);
  for (const { pool } of unneeded) {
    pools.items.find((one) => one.get('name') === pool)?.delete('fence');
  }
  return String(document);
}
