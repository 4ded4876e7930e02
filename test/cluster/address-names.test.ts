import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { applyOnly } from '../support/cluster/by-hand.ts';
import { expectConverged } from '../support/cluster/convergence.ts';
import { emptyRepository, type LeaseRepository } from '../support/cluster/lease-repository.ts';
import { type ClusterDns, startClusterDns } from '../support/cluster/machines/coredns.ts';
import {
  type Machine,
  startMachine,
  temporaryKeeper,
} from '../support/cluster/machines/machine.ts';
import { plannedIn } from '../support/cluster/planned.ts';
import { akashDefinitions } from '../support/cluster/story.ts';
import { until } from '../support/cluster/wait.ts';
import { leaseText } from '../support/declarations/lease-text.ts';
import { providerPoolsText } from '../support/declarations/pools-text.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';

const web = { name: 'web', service: 'app', port: 8080, externalPort: 80, ipFamily: 'dual' };
const declarations = {
  'leases/pools.yaml': providerPoolsText(`metallb: { version: 0.16.1 }
emit: { addressNames: true }
defaultZone: inet
pools: [{ name: public, zone: inet, addresses: [203.0.113.0/28, '2001:db8::10-2001:db8::1f'] }]
`),
  'leases/ann.yaml': leaseText('ann', 7, [web]),
};

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program?.remove());

describe.skipIf(inject('clusterIsMissing'))('The address name of an endpoint', () => {
  describe('MetalLB 0.16.1', () => {
    let machine: Machine;
    let repository: LeaseRepository;
    let dns: ClusterDns;

    beforeAll(async () => {
      machine = await startMachine(temporaryKeeper(), '0.16.1');
      for (const object of akashDefinitions()) await machine.plane.kube.apply(object);
      dns = await startClusterDns(machine);
      const folder = mkdtempSync(join(machine.folder, 'repository-'));
      repository = emptyRepository({ cli: program.cli, folder });
      await repository.change(declarations, '2026-11-20');
    });
    afterAll(() => machine?.keeper.close());

    /** Applies what is planned, removes what is not, and waits for the addresses. */
    async function applied(): Promise<void> {
      const { kube } = machine.plane;
      const planned = plannedIn(repository.root);
      await applyOnly(kube, planned);
      await expectConverged(kube, machine.metallb, planned);
    }

    async function leased() {
      const { items } = JSON.parse((await repository.leasehold('list', '-o', 'json')).out);
      const { holder, addresses, claims } = items.find(
        (one: { state: string }) => one.state === 'held',
      );
      return { holder, addresses, namespace: claims[0].namespace };
    }

    const expectFound = (namespace: string, addresses: readonly string[]) =>
      until(
        async () => {
          expect(await dns.addressesOf('leased-web', namespace)).toEqual(addresses);
          return true;
        },
        { what: 'the addresses of the name', programs: machine.metallb.programs },
      );

    async function expectVerified(): Promise<void> {
      const args = ['verify', '--kubeconfig', machine.plane.kubeconfig];
      const { status, out } = await repository.leasehold(...args);
      expect(`${status} ${out}`).toMatch(/^0 /);
    }

    test('gives a pod the addresses of its endpoint, both families', async () => {
      await applied();
      const { addresses, namespace } = await leased();
      expect(addresses).toHaveLength(2);
      await expectFound(namespace, addresses);
      await expectVerified();
    });

    test('follows a move with no new deployment', async () => {
      const before = await leased();
      await repository.run('2026-11-21', 'move', before.holder);
      await applied();
      const after = await leased();
      expect(after.addresses).not.toEqual(before.addresses);
      await expectFound(after.namespace, after.addresses);
      await expectVerified();
    });

    test('ends with the lease', async () => {
      const { namespace } = await leased();
      await repository.change({ 'leases/ann.yaml': undefined }, '2026-11-22');
      await applied();
      await expectFound(namespace, []);
    });
  });
});
