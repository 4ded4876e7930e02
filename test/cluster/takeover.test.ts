import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { keyOf } from '../support/cluster/address-watch.ts';
import { applyInOrder } from '../support/cluster/by-hand.ts';
import { expectConverged, givenAddress } from '../support/cluster/convergence.ts';
import type { KubeObject } from '../support/cluster/kube.ts';
import {
  type Machine,
  startMachine,
  temporaryKeeper,
} from '../support/cluster/machines/machine.ts';
import { metallbNamespace } from '../support/cluster/machines/metallb-pods.ts';
import { plannedIn } from '../support/cluster/planned.ts';
import { akashDefinitions } from '../support/cluster/story.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { runProcess } from '../support/run/run-process.ts';
import { putFile } from '../support/trees/temp-tree.ts';

describe.skipIf(inject('clusterIsMissing'))('Taking over a cluster', () => {
  describe('MetalLB 0.14.9', () => {
    let machine: Machine;
    let program: BuiltProgram;

    beforeAll(async () => {
      program = buildProgram();
      machine = await startMachine(temporaryKeeper(), '0.14.9');
      for (const definition of akashDefinitions()) await machine.plane.kube.apply(definition);
    });
    afterAll(async () => {
      program?.remove();
      await machine?.keeper.close();
    });

    test('a Service of the Akash IP operator keeps its address when its lease is declared by hand', async () => {
      const { kube, kubeconfig } = machine.plane;
      for (const object of old) await kube.apply(object);
      await kube.apply(namespace);
      await kube.create(operatorService);
      const live = await givenAddress(kube, machine.metallb, operatorService);

      const root = declaredRepository(machine.folder, live);
      const leasehold = (...args: string[]) =>
        runProcess(process.execPath, [program.cli, ...args], { cwd: root });
      expect(await leasehold('synth', '--today', '2026-11-21')).toMatchObject({ status: 0 });
      const planned = plannedIn(root);
      expect(planned.addresses.get(keyOf(operatorService))).toBe(live);

      for (const object of [...old].reverse()) await kube.remove(object);
      // Why docs/manifests.md says --force-conflicts: the operator's Services have node ports.
      const [service] = planned.objects.filter(({ kind }) => kind === 'Service');
      const politely = kube.apply(service ?? operatorService, { force: false });
      await expect(politely).rejects.toThrow(/conflict.*allocateLoadBalancerNodePorts/);
      await applyInOrder(kube, planned.objects);
      await expectConverged(kube, machine.metallb, planned);
      const verified = await leasehold('verify', '--kubeconfig', kubeconfig, '--timeout', '120s');
      expect(`${verified.status} ${verified.out}${verified.err}`).toMatch(/^0 /);
    });
  });
});

const owner = 'akash17ye4gh0tdevfclxztxrfu53cvuq9gyzavnfxye';
const labels = { 'akash.network': 'true' };
/** The namespace of the declared lease. */
const name = 'evptppbrs9o36r3aq9n20cvmfn4t5n75vthichm0c97au';
const namespace: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };

/** What the operator writes: a sharing key, and no address (provider: operators/clients/metallb/client.go). */
const operatorService: KubeObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name: 'web-ip-80-tcp',
    namespace: name,
    labels: { ...labels, 'akash.network/service-target': 'metal-lb' },
    annotations: { 'metallb.universe.tf/allow-shared-ip': `${owner}-ip-site` },
  },
  spec: {
    type: 'LoadBalancer',
    selector: { ...labels, 'akash.network/manifest-service': 'web' },
    ports: [{ name: 'web-ip-80-tcp', protocol: 'TCP', port: 80, targetPort: 3000 }],
  },
};

/** The pool from which MetalLB gave addresses as it liked. */
const old: readonly KubeObject[] = [
  {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'IPAddressPool',
    metadata: { name: 'default', namespace: metallbNamespace },
    spec: { addresses: ['203.0.113.70-203.0.113.80'] },
  },
  {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'L2Advertisement',
    metadata: { name: 'default', namespace: metallbNamespace },
    spec: { ipAddressPools: ['default'] },
  },
];

const poolFile = `apiVersion: leasehold.dev/v1
kind: Pools
provider: akash1hwmenz63dp59uve5ytea09suwgr47y3rn9902y
metallb: { version: 0.14.9 }
defaultZone: inet
pools:
  - name: public
    zone: inet
    addresses: [203.0.113.64/27]
    reserved: [203.0.113.65]
`;

/** The declaration of a live lease, pinned to its address. */
function leaseFile(address: string): string {
  return `apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id: { owner: akash17ye4gh0tdevfclxztxrfu53cvuq9gyzavnfxye, dseq: '18500001', gseq: 1, oseq: 1 }
  endpoints:
    - { name: site, service: web, port: 3000, externalPort: 80, address: ${address} }
`;
}

function declaredRepository(folder: string, address: string): string {
  const root = join(folder, 'declared');
  putFile(root, 'leases/pools.yaml', poolFile);
  putFile(root, 'leases/ember/18500001.yaml', leaseFile(address));
  return root;
}
