import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type AddressWatch, watchAddresses } from '../support/cluster/address-watch.ts';
import { applyOnly } from '../support/cluster/by-hand.ts';
import { expectConverged } from '../support/cluster/convergence.ts';
import { declared } from '../support/cluster/declared.ts';
import type { KubeObject } from '../support/cluster/kube.ts';
import { type LeaseRepository, leaseRepository } from '../support/cluster/lease-repository.ts';
import {
  type BgpRouter,
  routerAsn,
  startBgpRouter,
} from '../support/cluster/machines/bgp-router.ts';
import type { Keeper } from '../support/cluster/machines/keeper.ts';
import {
  type Machine,
  startMachine,
  temporaryKeeper,
} from '../support/cluster/machines/machine.ts';
import { metallbNamespace } from '../support/cluster/machines/metallb-pods.ts';
import { plannedIn } from '../support/cluster/planned.ts';
import { akashDefinitions } from '../support/cluster/story.ts';
import { until } from '../support/cluster/wait.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';

const day = '2026-11-20';
const key = 'dns/resolver';

/** A declared cluster, and the real one that its tree is applied to. */
interface Site {
  readonly cluster: 'default' | 'south';
  /** By which the router knows its speaker. */
  readonly routerId: string;
  readonly machine: Machine;
  readonly watch: AddressWatch;
}

describe.skipIf(inject('clusterIsMissing'))('One address over two clusters', () => {
  describe('MetalLB 0.16.1, by hand, layouts lease and pool', () => {
    let keeper: Keeper;
    let program: BuiltProgram;
    let repository: LeaseRepository;
    let router: BgpRouter;
    let north: Site;
    let south: Site;

    beforeAll(async () => {
      keeper = temporaryKeeper();
      program = buildProgram();
      router = await startBgpRouter();
      repository = leaseRepository(
        { cli: program.cli, folder: keeper.folder },
        { metallb: '0.16.1', layout: 'lease' },
      );
      await repository.change({}, day);
      const pools = overTwoClusters(repository.read('leases/pools.yaml'));
      await repository.change({ 'leases/pools.yaml': pools }, day);
      north = await siteOf('default', '10.0.0.1', await startMachine(keeper, '0.16.1'));
    });
    afterAll(async () => {
      north?.watch.close();
      south?.watch.close();
      program?.remove();
      await router?.close();
      await keeper?.close();
    });

    async function siteOf(
      cluster: Site['cluster'],
      routerId: string,
      machine: Machine,
    ): Promise<Site> {
      const { kube } = machine.plane;
      for (const definition of akashDefinitions()) await kube.apply(definition);
      await kube.apply(peerOf(routerId, router.port));
      return { cluster, routerId, machine, watch: await watchAddresses(kube) };
    }

    /** Applies what is committed for a cluster, removes what is not any more, and waits until it is live. */
    async function applied({ cluster, machine }: Site): Promise<void> {
      const { kube, kubeconfig } = machine.plane;
      const planned = plannedIn(repository.root, cluster);
      await applyOnly(kube, planned);
      await expectConverged(kube, machine.metallb, planned);
      const options = ['--cluster', cluster, '--kubeconfig', kubeconfig, '--timeout', '120s'];
      const { status, out, err } = await repository.leasehold('verify', ...options);
      expect(`${status} ${out}${err}`).toMatch(/^0 /);
    }

    /** MetalLB's webhooks have a fixed port: the controller of one cluster at a time runs. */
    async function takeTurns(from: Site, to: Site): Promise<void> {
      await from.machine.metallb.stopController('SIGTERM');
      await to.machine.metallb.startController();
    }

    async function announced(
      { routerId, machine }: Site,
      prefixes: readonly string[],
    ): Promise<void> {
      const isIt = (): true => {
        expect(router.announcedBy(routerId)).toEqual(prefixes);
        return true;
      };
      await until(isIt, { what: `the routes of ${routerId}`, programs: machine.metallb.programs });
    }

    test('both clusters get it, each from its own tree, and both announce it', async () => {
      await repository.change(
        { [pathOf('default')]: member('default'), [pathOf('south')]: member('south') },
        day,
      );
      const address = plannedIn(repository.root).addresses.get(key);
      expect(plannedIn(repository.root, 'south').addresses.get(key)).toBe(address);
      await applied(north);
      await north.machine.metallb.stopController('SIGTERM');
      south = await siteOf('south', '10.0.0.2', await startMachine(keeper, '0.16.1'));
      await applied(south);
      for (const { machine, watch } of [north, south]) {
        await machine.plane.kube.apply(pods);
        await watch.settled();
        expect(watch.since(key).at(-1)).toBe(address);
      }
      await announced(north, [`${address}/32`]);
      await announced(south, [`${address}/32`]);
    });

    test('one member leaves and comes back, and the other keeps it all the time', async () => {
      const address = plannedIn(repository.root).addresses.get(key);
      north.watch.mark();
      await repository.change({ [pathOf('south')]: undefined }, day);
      await applied(south);
      await announced(south, []);
      await takeTurns(south, north);
      await applied(north);
      await repository.change({ [pathOf('south')]: member('south') }, '2026-12-20');
      await applied(north);
      await takeTurns(north, south);
      await applied(south);
      expect(plannedIn(repository.root, 'south').addresses.get(key)).toBe(address);
      await announced(south, [`${address}/32`]);
      await announced(north, [`${address}/32`]);
      await north.watch.settled();
      expect(north.watch.since(key)).toEqual([address]);
    });
  });
});

/** The shipped pool file with a second cluster, a pool that both announce by BGP, and a group over both. */
function overTwoClusters(pools: string): string {
  const one = 'clusters: [{ name: default, shards: 1 }]';
  expect(pools).toContain(one);
  const two = `clusters:
  - { name: default }
  - { name: south, metallb: { layout: pool } }
defaultCluster: default`;
  return `${pools.replace(one, two)}
  - name: any
    zone: any
    addresses: [198.51.100.0/28]
    advertise: { bgp: { localPref: 100, communities: ['64512:100'] } }
anycast:
  - name: resolver
    members:
      - { cluster: default, namespace: dns, service: resolver }
      - { cluster: south, namespace: dns, service: resolver }
`;
}

function pathOf(cluster: string): string {
  return `leases/dns/${cluster}.yaml`;
}

function member(cluster: string): string {
  const annotations = { 'leasehold.dev/cluster': cluster, 'ipam.vitistack.io/zone': 'any' };
  const ports = [
    { name: 'udp', port: 53, protocol: 'UDP' },
    { name: 'tcp', port: 53 },
  ];
  return declared('dns', 'resolver', { annotations, spec: { ports } });
}

function peerOf(routerID: string, peerPort: number): KubeObject {
  return {
    apiVersion: 'metallb.io/v1beta2',
    kind: 'BGPPeer',
    metadata: { name: 'router', namespace: metallbNamespace },
    spec: { myASN: routerAsn, peerASN: routerAsn, peerAddress: '127.0.0.1', peerPort, routerID },
  };
}

/** A pod behind the Service: without one, a speaker does not announce. */
const pods: KubeObject = {
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: {
    name: 'resolver-by-hand',
    namespace: 'dns',
    labels: { 'kubernetes.io/service-name': 'resolver' },
  },
  addressType: 'IPv4',
  ports: [
    { name: 'udp', port: 53, protocol: 'UDP' },
    { name: 'tcp', port: 53, protocol: 'TCP' },
  ],
  endpoints: [{ addresses: ['10.1.0.1'], nodeName: 'node-a', conditions: { ready: true } }],
};
