import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Diagnosis } from '../../src/features/cluster/diagnosis-answer.ts';
import type {
  Verification,
  VerifiedClaim,
} from '../../src/features/cluster/verification-answer.ts';
import { applyInOrder } from '../support/cluster/by-hand.ts';
import { expectConverged } from '../support/cluster/convergence.ts';
import { declared } from '../support/cluster/declared.ts';
import type { KubeObject } from '../support/cluster/kube.ts';
import { runPrinted } from '../support/cluster/kubectl.ts';
import { emptyRepository, type LeaseRepository } from '../support/cluster/lease-repository.ts';
import {
  type Machine,
  startMachine,
  temporaryKeeper,
} from '../support/cluster/machines/machine.ts';
import { addSilentNode, theNode } from '../support/cluster/machines/metallb.ts';
import { metallbNamespace } from '../support/cluster/machines/metallb-pods.ts';
import { canOwnNetwork, ip } from '../support/cluster/machines/own-network.ts';
import { inWaves, plannedIn } from '../support/cluster/planned.ts';
import { akashDefinitions } from '../support/cluster/story.ts';
import { until } from '../support/cluster/wait.ts';
import { poolsText } from '../support/declarations/pools-text.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';

const declarations = {
  'leases/pools.yaml': poolsText(`metallb: { version: 0.14.9, layout: pool }
defaultZone: inet
pools: [{ name: public, zone: inet, addresses: [203.0.113.0/28] }]
`),
  'leases/web/far.yaml': declared('web', 'far', { spec: { externalTrafficPolicy: 'Local' } }),
  'leases/web/near.yaml': declared('web', 'near'),
};
const [far, near] = ['Service web/far', 'Service web/near'] as const;
const exclusion = 'node.kubernetes.io/exclude-from-external-load-balancers';

/** A ready pod behind a Service, on a node. */
const podBehind = (name: string, nodeName: string): KubeObject => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: {
    name: `${name}-by-hand`,
    namespace: 'web',
    labels: { 'kubernetes.io/service-name': name },
  },
  addressType: 'IPv4',
  ports: [{ port: 80 }],
  endpoints: [{ addresses: ['10.1.0.1'], nodeName, conditions: { ready: true } }],
});

/** What the speaker of node-b would write of a Service: none runs there. That of node-a is alone, and announces nothing by L2. */
const statusOf = (name: string): KubeObject => ({
  apiVersion: 'metallb.io/v1beta1',
  kind: 'ServiceL2Status',
  metadata: {
    name: `l2-${name}`,
    namespace: metallbNamespace,
    labels: {
      'metallb.io/node': 'node-b',
      'metallb.io/service-name': name,
      'metallb.io/service-namespace': 'web',
    },
  },
  spec: {},
  status: { node: 'node-b', serviceName: name, serviceNamespace: 'web' },
});

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program?.remove());

describe.skipIf(inject('clusterIsMissing'))('Whether an address is announced', () => {
  describe('MetalLB 0.14.9', () => {
    let machine: Machine;
    let repository: LeaseRepository;

    beforeAll(async () => {
      machine = await startMachine(temporaryKeeper(), '0.14.9');
      await addSilentNode(machine.plane, 'node-b');
      for (const object of akashDefinitions()) await machine.plane.kube.apply(object);
      const folder = mkdtempSync(join(machine.folder, 'repository-'));
      repository = emptyRepository({ cli: program.cli, folder });
      await repository.change(declarations, '2026-11-20');
      const planned = plannedIn(repository.root);
      await applyInOrder(machine.plane.kube, inWaves(planned));
      await expectConverged(machine.plane.kube, machine.metallb, planned);
    });
    afterAll(() => machine?.keeper.close());

    async function asked(command: string, ...more: readonly string[]) {
      const args = ['--kubeconfig', machine.plane.kubeconfig, '-o', 'json', ...more];
      const { status, out } = await repository.leasehold(command, ...args);
      return { status, answer: JSON.parse(out) };
    }

    /** The exit status of verify, and the state of each Service with what is said of it. */
    async function verified(): Promise<readonly unknown[]> {
      const { status, answer } = await asked('verify');
      const { claims }: Verification = answer;
      return [
        status,
        ...claims.map(({ object, state, details }) => [object, state, details[0]?.message ?? '']),
      ];
    }

    /** Waits for an answer: the accounts and the pods of MetalLB are a moment behind. */
    const expectVerified = (...expected: readonly unknown[]) =>
      until(
        async () => {
          expect(await verified()).toEqual(expected);
          return true;
        },
        { what: 'what verify says', programs: machine.metallb.programs },
      );

    test('Services without pods are told, and do not fail', async () => {
      const message = 'has no ready endpoint, so MetalLB does not announce it';
      await expectVerified(0, [far, 'no endpoints', message], [near, 'no endpoints', message]);
    });

    /** Has MetalLB say that it announces a Service. */
    async function announce(name: string): Promise<void> {
      const { kube } = machine.plane;
      const status = statusOf(name);
      await kube.apply(status);
      const path = `/apis/metallb.io/v1beta1/namespaces/${metallbNamespace}/servicel2statuses`;
      const type = 'application/merge-patch+json';
      await kube.send('PATCH', `${path}/l2-${name}/status`, { status: status.status }, type);
    }

    test('with a ready pod on a node of MetalLB, and its status, all is well', async () => {
      const { kube } = machine.plane;
      for (const name of ['far', 'near']) await kube.apply(podBehind(name, 'node-a'));
      const message =
        'no node announces it: MetalLB has no ServiceL2Status of a live speaker for it';
      await expectVerified(1, [far, 'not announced', message], [near, 'not announced', message]);
      await announce('near');
      await expectVerified(1, [far, 'not announced', message], [near, 'ok', '']);
      await announce('far');
      await expectVerified(0, [far, 'ok', ''], [near, 'ok', '']);
    });

    test.skipIf(!canOwnNetwork())(
      '--reach connects to each address, and tells what refuses from what has no route',
      async () => {
        const addresses = (await asked('verify')).answer.claims.map(
          ({ addresses: [address] }: { addresses: string[] }) => address,
        );
        const [farAddress, nearAddress] = addresses;
        const noRoute = '2 TCP ports not tried: this machine has no route to the address';
        const first = await asked('verify', '--reach');
        expect([first.status, first.answer.notes]).toEqual([0, expect.arrayContaining([noRoute])]);
        // This machine takes the place of the nodes: it has both addresses, and a listener at one of them.
        for (const address of addresses) ip('addr', 'add', `${address}/32`, 'dev', 'lo');
        const server = createServer((socket) => socket.end()).listen(80, nearAddress);
        await once(server, 'listening');
        try {
          const { status, answer } = await asked('verify', '--reach');
          const states = answer.claims.map(({ state, details }: VerifiedClaim) => [
            state,
            details[0]?.message,
          ]);
          expect([status, states]).toEqual([
            1,
            [
              ['not reachable', `refuses a TCP connection to ${farAddress} port 80`],
              ['ok', undefined],
            ],
          ]);
        } finally {
          server.close();
          for (const address of addresses) ip('addr', 'del', `${address}/32`, 'dev', 'lo');
        }
      },
    );

    test('with Local, a pod on a node without a speaker is not enough', async () => {
      const { kube } = machine.plane;
      await kube.apply(podBehind('far', 'node-z'));
      const message = expect.stringMatching(/^externalTrafficPolicy is Local, and no ready/);
      await expectVerified(1, [far, 'not announced', message], [near, 'ok', '']);
      await kube.apply(podBehind('far', 'node-a'));
    });

    test.each([
      ['excluded from load balancers', { metadata: { labels: { [exclusion]: '' } } }, exclusion],
      ['cordoned', { spec: { unschedulable: true } }, 'is cordoned'],
    ])('nothing is announced when the node is %s', async (_, patch, says) => {
      const { kube } = machine.plane;
      const nodes = [theNode, { ...theNode, metadata: { name: 'node-b' } }];
      for (const node of nodes) await kube.merge(node, patch);
      const message = expect.stringContaining(says);
      await expectVerified(1, [far, 'not announced', message], [near, 'not announced', message]);
      const { status, answer } = await asked('doctor');
      const { findings }: Diagnosis = answer;
      expect(status).toBe(1);
      const ofNodes = ({ code }: Diagnosis['findings'][number]) => code === 'METALLB_NODES';
      const told = findings.find(ofNodes);
      expect(told).toMatchObject({ level: 'problem', found: message });
      await runPrinted(machine.plane, told?.command ?? '');
      const mended: Diagnosis = (await asked('doctor')).answer;
      expect(mended.findings.find(ofNodes)).toMatchObject({ level: 'ok' });
      // The statuses of this test are of node-b.
      const healed = { metadata: { labels: { [exclusion]: null } }, spec: { unschedulable: null } };
      for (const node of nodes) await kube.merge(node, healed);
      await expectVerified(0, [far, 'ok', ''], [near, 'ok', '']);
    });
  });
});
