import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { poolsText } from '../../declarations/pools-text.ts';
import { applyInOrder } from '../by-hand.ts';
import { expectConverged } from '../convergence.ts';
import { declared, leaseOf, reservation, service } from '../declared.ts';
import type { KubeObject } from '../kube.ts';
import { emptyRepository, type LeaseRepository } from '../lease-repository.ts';
import { type Machine, startMachine, temporaryKeeper } from '../machines/machine.ts';
import type { MetallbVersion } from '../machines/metallb.ts';
import { metallbNamespace } from '../machines/metallb-pods.ts';
import { inWaves, plannedIn } from '../planned.ts';
import { akashDefinitions } from '../story.ts';

/** A cluster, and the small repository that is applied to it by hand. */
export interface Site {
  readonly version: MetallbVersion;
  readonly machine: Machine;
  readonly repository: LeaseRepository;
}

/** A closed pool, and an open one that nobody uses. */
export function poolFile({ version }: Pick<Site, 'version'>): string {
  return poolsText(`provider: akash1hwmenz63dp59uve5ytea09suwgr47y3rn9902y
metallb: { version: ${version}, layout: pool }
defaultZone: inet
pools:
  - { name: public, zone: inet, addresses: [203.0.113.0/28] }
  - { name: old, zone: old, addresses: [198.51.100.0/28], fence: open }
`);
}

/** A declared Service, and a Service that somebody else renders for a Reservation. */
export const app = service('web', 'app', {
  annotations: { 'metallb.io/loadBalancerIPs': '203.0.113.2' },
});
export const door: KubeObject = {
  ...service('web', 'door'),
  metadata: {
    name: 'door',
    namespace: 'web',
    labels: { 'leasehold.dev/reserved': 'true' },
    annotations: { 'metallb.io/loadBalancerIPs': '203.0.113.3' },
  },
};
const owner = 'akash17ye4gh0tdevfclxztxrfu53cvuq9gyzavnfxye';
const endpoint = { name: 'site', service: 'web', port: 3000, externalPort: 80 };

const declarations = {
  'leases/web/app.yaml': declared('web', 'app', { annotations: app.metadata.annotations ?? {} }),
  'leases/web/door.yaml': reservation('web', 'door', { addresses: ['203.0.113.3'] }),
  'leases/aurora/7.yaml': leaseOf(owner, '7', { ...endpoint, address: '203.0.113.4' }),
};

/** The Services of all claims, in the order in which verify tells them. */
export const claims = [
  'Service 3ac0s2l4s91intarc5esv64hshb6f5dmr4gqcjhhlm9um/web-ip-80-tcp',
  'Service web/app',
  'Service web/door',
] as const;

/** kubeadm's, of which only what is looked at. */
export const kubeProxy: KubeObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'kube-proxy', namespace: 'kube-system' },
  data: { 'config.conf': kubeProxyConfig('iptables') },
};

/** What kube-proxy is told, in a mode, without strictARP. */
export function kubeProxyConfig(mode: string): string {
  return stringify({
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode,
    ipvs: { strictARP: false },
  });
}

/** Namespaces in which nothing is declared. */
const others = ['strangers', 'akash-services'].map(
  (name): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
);
export const [strangers, akashServices] = others as [KubeObject, KubeObject];

/** Starts a cluster and commits what it is to have; nothing of that is applied. */
export async function startSite(cli: string, version: MetallbVersion): Promise<Site> {
  const machine = await startMachine(temporaryKeeper(), version);
  const { kube } = machine.plane;
  for (const object of [...akashDefinitions(), ...others, kubeProxy]) await kube.apply(object);
  const folder = mkdtempSync(join(machine.folder, 'repository-'));
  const repository = emptyRepository({ cli, folder });
  const files = { ...declarations, 'leases/pools.yaml': poolFile({ version }) };
  await repository.change(files, '2026-11-20');
  return { version, machine, repository };
}

/** The namespace of MetalLB. */
export const metallbSpace: KubeObject = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: metallbNamespace },
};

/** Applies all that is committed, and what somebody else renders, and waits for the addresses. */
export async function settle({ machine, repository }: Site): Promise<void> {
  const { kube } = machine.plane;
  const planned = plannedIn(repository.root);
  await applyInOrder(kube, [...inWaves(planned), door]);
  const addresses = new Map([...planned.addresses, ['web/door', '203.0.113.3']]);
  await expectConverged(kube, machine.metallb, { ...planned, addresses });
}
