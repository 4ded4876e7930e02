import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Verification } from '../../src/features/cluster/verification-answer.ts';
import { applyOnly } from '../support/cluster/by-hand.ts';
import { expectConverged } from '../support/cluster/convergence.ts';
import { declared } from '../support/cluster/declared.ts';
import type { KubeObject } from '../support/cluster/kube.ts';
import { emptyRepository, type LeaseRepository } from '../support/cluster/lease-repository.ts';
import type { Keeper } from '../support/cluster/machines/keeper.ts';
import { temporaryKeeper } from '../support/cluster/machines/machine.ts';
import { metallbNamespace } from '../support/cluster/machines/metallb-pods.ts';
import { plannedIn } from '../support/cluster/planned.ts';
import { akashDefinitions } from '../support/cluster/story.ts';
import { until } from '../support/cluster/wait.ts';
import { type Bird, birdPeer, startBird } from '../support/cluster/wire/bird.ts';
import { type FrrPod, startFrrPod } from '../support/cluster/wire/frr-k8s.ts';
import { addPods } from '../support/cluster/wire/pods.ts';
import {
  birdIsMissing,
  frrIsMissing,
  isLacking,
  wireIsMissing,
} from '../support/cluster/wire/wire-requirements.ts';
import { startWiredCluster, type WiredCluster } from '../support/cluster/wire/wired-cluster.ts';
import { poolsText } from '../support/declarations/pools-text.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { scope } from '../support/run/scope.ts';

const day = '2026-11-20';
const isSkipped =
  inject('clusterIsMissing') !== '' ||
  isLacking('BGP with frr-k8s', wireIsMissing() ?? birdIsMissing() ?? frrIsMissing());

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program?.remove());

/** A pool of both families that BGP announces, from nodes with these labels. */
function poolsFile(nodeSelectors: string): string {
  return poolsText(`metallb: { version: 0.16.1, layout: pool }
pools:
  - name: routed
    zone: routed
    addresses: [192.168.78.0/28, 'fd78::80/124']
    advertise: { bgp: { nodeSelectors: [{ matchLabels: { ${nodeSelectors} } }] } }
`);
}

const [everyNode, onlyNodeB, noNode] = [
  'kubernetes.io/os: linux',
  'kubernetes.io/hostname: node-b',
  'kubernetes.io/hostname: node-c',
];

/** It takes IPv6 routes too, and forgets the routes of a session as soon as that ends. */
const strictly = 'ipv6 { import all; export none; }; graceful restart off;';

/** FRR tries to connect again after a second, and not after two minutes. */
const peer = { ...birdPeer, spec: { ...birdPeer.spec, connectTime: '1s' } };

/** A configuration of somebody else for frr-k8s, with another ASN of the nodes. */
const conflicting: KubeObject = {
  apiVersion: 'frrk8s.metallb.io/v1beta1',
  kind: 'FRRConfiguration',
  metadata: { name: 'conflicting', namespace: metallbNamespace },
  spec: { bgp: { routers: [{ asn: 64_999, neighbors: [] }] } },
};

/** What is seen of a Service: the state by verify, and the nodes that announce its addresses, IPv4 first. */
type Seen = readonly [state: string, ...nodes: string[]];

const textOf = ([name, seen]: readonly [string, readonly string[]]) =>
  `${name}: ${seen.join(', ')}`;

const both = 'node-a node-b';
const onNodeB = { four: ['ok', 'node-b'], dual: ['ok', 'node-b', 'node-b'] } as const;

describe.skipIf(isSkipped)('BGP with frr-k8s', () => {
  describe.each(['0.16.1'] as const)('MetalLB %s', (version) => {
    let keeper: Keeper;
    let cluster: WiredCluster;
    let repository: LeaseRepository;
    let bird: Bird | undefined;
    const pods: FrrPod[] = [];

    beforeAll(async () => {
      keeper = temporaryKeeper();
      cluster = await startWiredCluster(keeper, version, 'frr-k8s');
      const { plane, wire, folder } = cluster;
      for (const object of akashDefinitions()) await plane.kube.apply(object);
      const starting = wire.nodes.map((node) => startFrrPod({ keeper, plane, node }));
      pods.push(...(await Promise.all(starting)));
      bird = await startBird(keeper, strictly);
      await plane.kube.apply(peer);
      repository = emptyRepository({
        cli: program.cli,
        folder: mkdtempSync(join(folder, 'repository-')),
      });
      await declare({
        'leases/pools.yaml': poolsFile(everyNode),
        'leases/web/four.yaml': declared('web', 'four'),
        'leases/web/dual.yaml': declared('web', 'dual', {
          annotations: { 'ipam.vitistack.io/ip-family': 'dual' },
        }),
      });
    });
    afterAll(async () => {
      await cluster?.close();
      await keeper?.close();
    });

    const programs = () => [...cluster.programs, ...pods.flatMap((pod) => pod.programs)];

    /** Commits a change and applies it, with a pod behind each Service. */
    async function declare(change: Readonly<Record<string, string | undefined>>): Promise<void> {
      const { kube } = cluster.plane;
      await repository.change(change, day);
      const planned = plannedIn(repository.root);
      await applyOnly(kube, planned);
      await addPods(
        kube,
        planned.objects.filter(({ kind }) => kind === 'Service'),
      );
      await expectConverged(kube, cluster, planned);
    }

    async function verify(): Promise<Verification> {
      const args = ['--kubeconfig', cluster.plane.kubeconfig, '-o', 'json'];
      return JSON.parse((await repository.leasehold('verify', ...args)).out);
    }

    /** The nodes that announce an address. */
    function announcing(address: string): string {
      const prefix = `${address}/${address.includes(':') ? 128 : 32}`;
      const routes = bird?.routes().filter((route) => route.prefix === prefix) ?? [];
      const { nodes } = cluster.wire;
      return nodes
        .filter(({ ipv4, ipv6 }) => routes.some(({ from }) => from === ipv4 || from === ipv6))
        .map(({ name }) => name)
        .join(' ');
    }

    /** What is seen of each Service, and the problems of the cluster, once it is as it must be. */
    async function expectSeen(
      what: string,
      expected: Readonly<Record<string, Seen>>,
    ): Promise<Verification> {
      const isSo = async (): Promise<Verification> => {
        const verification = await verify();
        const seen = verification.claims.map(
          ({ object, state, addresses }) =>
            [object.replace('Service web/', ''), [state, ...addresses.map(announcing)]] as const,
        );
        expect(seen.map(textOf).sort()).toEqual(Object.entries(expected).map(textOf).sort());
        return verification;
      };
      return until(isSo, { what, within: 60_000, programs: programs() });
    }

    async function killBird(): Promise<void> {
      await bird?.program.stop('SIGKILL');
      bird = undefined;
    }

    const changePeer = (spec: object) => cluster.plane.kube.merge(peer, { spec });
    const well = { four: ['ok', both], dual: ['ok', both, both] } as const;
    const down = { four: ['not announced', ''], dual: ['not announced', '', ''] } as const;

    test('an address of a family that no peer takes is not announced, and verify says so', async () => {
      const { claims } = await expectSeen('a peer of IPv4', {
        four: ['ok', both],
        dual: ['not announced', both, ''],
      });
      const said = claims.flatMap(({ details }) => details.map(({ message }) => message));
      expect(said).toEqual(['no BGPPeer that MetalLB announces it to takes IPv6 addresses']);
    });

    test('without an established session no address is announced, and verify says so', async () => {
      await changePeer({ dualStackAddressFamily: true, password: 'another' });
      await expectSeen('a peer with another password', down);
      if (scope === 'full') {
        await changePeer({ password: null, peerASN: 64_999 });
        await expectSeen('a peer with another ASN', down);
      }
      await changePeer({ password: null, peerASN: birdPeer.spec.peerASN });
      await expectSeen('a peer of both families', well);
    });

    test('what frr-k8s has said before it ended is no proof of a session', async () => {
      for (const pod of pods) await pod.kill('frr-status');
      await killBird();
      await expectSeen('no peer, and nobody who says so', {
        four: ['unknown', ''],
        dual: ['unknown', '', ''],
      });
      for (const pod of pods) await pod.start('frr-status');
      await expectSeen('no peer', down);
      bird = await startBird(keeper, strictly);
      await expectSeen('the peer again', well);
    });

    test('while frr-k8s is dead, or refuses its configuration, verify does not say that a new Service is announced', async () => {
      const unsure = {
        four: ['unknown', both],
        dual: ['unknown', both, both],
        late: ['unknown', ''],
      } as const;
      for (const pod of pods) await pod.kill('frr-k8s');
      await declare({ 'leases/web/late.yaml': declared('web', 'late') });
      await expectSeen('no frr-k8s', unsure);
      await cluster.plane.kube.apply(conflicting);
      for (const pod of pods) await pod.start('frr-k8s');
      const refusal = async () => {
        const [found] = (await verify()).findings;
        return found?.message.includes('different asns') ? true : undefined;
      };
      await until(refusal, { what: 'the refusal', within: 60_000, programs: programs() });
      await expectSeen('a refused configuration', unsure);
      await cluster.plane.kube.remove(conflicting);
      await expectSeen('a valid configuration', { ...well, late: ['ok', both] });
    });

    test('only the selected nodes announce, and verify says when none is selected', async () => {
      const ended = { 'leases/web/late.yaml': undefined };
      if (scope === 'full') {
        await declare({ 'leases/pools.yaml': poolsFile(noNode), ...ended });
        await expectSeen('no node', down);
      }
      const rest = scope === 'full' ? {} : ended;
      await declare({ 'leases/pools.yaml': poolsFile(onlyNodeB), ...rest });
      await expectSeen('one node', onNodeB);
      // A configuration that FRR has in part would be tried again only half a minute later.
      const isAtRest = () =>
        bird?.routes().length === 3 && !pods.some((pod) => pod.isReloading()) ? true : undefined;
      await until(isAtRest, { what: 'FRR with its configuration', programs: programs() });
    });

    test("while FRR's BGP daemon is dead, verify says ok until the pod is not ready", async () => {
      for (const pod of pods) {
        pod.pauseFrr(true);
        pod.killBgpd();
      }
      // Nobody can ask FRR, so what frr-k8s said of the sessions stays.
      await expectSeen('a dead daemon', { four: ['ok', ''], dual: ['ok', '', ''] });
      // Its liveness probe asks FRR for its daemons: the kubelet starts FRR again when it has failed three times.
      for (const pod of pods) await pod.setReady(false);
      await expectSeen('a pod that is not ready', {
        four: ['unknown', ''],
        dual: ['unknown', '', ''],
      });
      for (const pod of pods) pod.pauseFrr(false);
      for (const pod of pods) await pod.setReady(true);
      await expectSeen('the daemon again', onNodeB);
    });

    test('FRR announces what a dead speaker has told it, and verify does not say that nothing does', async () => {
      for (const { name } of cluster.wire.nodes) await cluster.killSpeaker(name);
      const { ok, findings } = await expectSeen('no speakers', {
        four: ['unknown', 'node-b'],
        dual: ['unknown', 'node-b', 'node-b'],
      });
      expect(ok).toBe(false);
      expect(findings.map(({ object, message }) => `${object} ${message}`)).toContainEqual(
        expect.stringMatching(/^DaemonSet metallb-system\/speaker has no ready pod on node-b: FRR/),
      );
    });
  });
});
