import { firstMetalLB } from '../../../../src/core/model/planes.ts';
import { removeWhole } from '../by-hand.ts';
import type { Kube, KubeObject } from '../kube.ts';
import { startLoggingNode } from '../machines/kubelet.ts';
import {
  all,
  atLast,
  type Break,
  beside,
  fails,
  inventory,
  type Line,
  once,
  pools,
  type Sabotage,
  stale,
} from './sabotage.ts';
import { akashServices } from './site.ts';

const namespace = akashServices.metadata.name;

/** A workload of one container that runs nowhere. */
const workload = (kind: 'Deployment' | 'StatefulSet', name: string, container: object) => {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 0,
          containers: [{ name: 'main', image: 'example.com/akash:1', ...container }],
        },
      },
    },
  };
};

const operator = workload('Deployment', 'operator-ip', {
  args: ['provider-services', 'operator', 'ip'],
});
const provider = (container: object) => workload('StatefulSet', 'akash-provider', container);
const asking = provider({ env: [{ name: 'AKASH_IP_OPERATOR', value: 'true' }] });

const withoutPolicies = { name: 'AKASH_DEPLOYMENT_NETWORK_POLICIES_ENABLED', value: 'false' };

/** A line of the pool file. */
const six = "  - { name: six, zone: six, addresses: ['2001:db8::/126'] }\n";

/** What of an Akash provider is expected beside addresses. */
const offered = inventory(`apiVersion: leasehold.dev/v1
kind: Inventory
clusters:
  - { name: default, clusterStorage: [beta3], nodes: [{ name: gpu-1 }] }
`);

const beta3: KubeObject = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'beta3' },
  provisioner: 'rook-ceph.rbd.csi.ceph.com',
};

/** What the chart of the inventory operator makes, of which no pod runs. */
const inventoryOperator: readonly KubeObject[] = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'operator-inventory', namespace },
    data: { 'config-path': '/akash/config.yaml', 'config.yaml': 'version: v1\n' },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'operator-inventory', namespace },
    spec: { selector: { app: 'none' }, ports: [{ name: 'rest', port: 8080 }] },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'operator-inventory', namespace },
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: 'operator-inventory' } },
      template: {
        metadata: { labels: { app: 'operator-inventory' } },
        spec: { containers: [{ name: 'operator', image: 'provider' }] },
      },
    },
  },
];

/** What the Service of the operator leads to. */
const answering: KubeObject = {
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: {
    name: 'operator-ip-1',
    namespace,
    labels: { 'kubernetes.io/service-name': 'operator-ip' },
  },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.0.0.7'], conditions: { ready: true } }],
};

const podsOf = async (kube: Kube): Promise<readonly KubeObject[]> =>
  (await kube.list('v1', 'Pod')).filter(({ metadata }) => metadata.namespace === namespace);

/** Workloads and the pods that the cluster makes of them, one of each. */
const running = (...workloads: readonly KubeObject[]): Break =>
  all(
    atLast('the end of the pods', async (kube) => (await podsOf(kube)).length === 0),
    beside(...workloads),
    once('a pod of each', async (kube) => (await podsOf(kube)).length === workloads.length),
  );

/** The pods of Akash are on a node whose kubelet has this log of them. */
const logged =
  (log: string): Break =>
  async ({ machine }) => {
    const { kube } = machine.plane;
    const { node, close } = await startLoggingNode(machine, 'node-l', log);
    for (const { metadata } of await podsOf(kube)) {
      const binding = {
        metadata: { name: metadata.name },
        target: { kind: 'Node', name: 'node-l' },
      };
      const path = `/api/v1/namespaces/${namespace}/pods/${metadata.name}/binding`;
      await kube.send('POST', path, binding);
    }
    return async () => {
      await close();
      await removeWhole(kube, node);
    };
  };

const operatorRuns: readonly Line[] = [
  ['problem', 'AKASH_OPERATOR', /\$ kubectl -n akash-services scale deployment operator-ip --repl/],
  [
    'caution',
    'METALLB_METRICS',
    /MetalLB 0.16.1 serves its metrics over HTTPS only/,
    firstMetalLB.secureMetrics,
  ],
];
const rewrites: Line = [
  'cluster problem',
  'Deployment akash-services/operator-ip',
  /kubectl -n akash-services scale deployment operator-ip --replicas=0/,
];

/** What of the Akash provider may stand beside leasehold, or in its way. */
export const akashSabotages: readonly Sabotage[] = [
  {
    title: 'the Akash IP operator runs, and is stuck',
    break: all(running(operator), logged("barrier is locked, can't service request\nfine\n")),
    doctor: fails(...operatorRuns, [
      'problem',
      'OPERATOR_BARRIER',
      /contains 'barrier is locked' once.*\$ kubectl -n akash-services delete pod operator-ip-\w+-\w+$/s,
    ]),
    verify: fails(rewrites),
  },
  {
    title: 'the Akash IP operator runs, its log is not to be had, and a provider asks it',
    break: all(running(operator, asking), beside(answering)),
    doctor: fails(
      ['caution', 'AKASH_PROVIDER', /set env statefulset\/akash-provider AKASH_IP_OPERATOR=false/],
      ...operatorRuns,
      ['unknown', 'OPERATOR_BARRIER', /^there is no log of akash-services\/operator-ip-\w+-\w+: /],
    ),
    verify: fails(rewrites),
  },
  {
    title: 'an Akash provider waits for an operator, and nothing answers',
    break: running(asking),
    doctor: fails([
      'problem',
      'AKASH_PROVIDER',
      /the Service akash-services\/operator-ip has no ready pod.*leasehold bootstrap serve/s,
    ]),
  },
  {
    title: 'an Akash provider takes its setting from a ConfigMap that is not there',
    break: running(provider({ envFrom: [{ configMapRef: { name: 'absent' } }] })),
    doctor: fails([
      'unknown',
      'AKASH_PROVIDER',
      /a ConfigMap that does not exist.*\$ kubectl -n akash-services describe statefulset akash-provider/s,
    ]),
  },
  {
    title: 'an Akash provider writes no NetworkPolicies, and a pool has IPv6',
    break: all(
      running(provider({ env: [withoutPolicies] })),
      pools((text) => `${text}${six}`),
    ),
    doctor: fails(
      ['ok', 'AKASH_PROVIDER', /uses no IP operator/],
      ['problem', 'AKASH_POLICIES', /fix: set emit.networkPolicies: false in leases\/pools.yaml/],
    ),
    verify: stale,
  },
  {
    title: 'an inventory is declared, and its operator is not there',
    break: offered,
    doctor: fails(
      ['problem', 'STORAGE_CLASS_LABEL', /there is no StorageClass beta3/],
      ['problem', 'NODE_LABELS', /there is no node gpu-1/],
      ['problem', 'INVENTORY_EMPTY', /does not answer: services "operator-inventory" not found/],
      ['problem', 'INVENTORY_CONFIG', /there is no ConfigMap akash-services\/operator-inventory/],
    ),
    verify: stale,
  },
  {
    title: 'a storage class is not labelled, and the inventory operator has no pod',
    break: all(beside(beta3, ...inventoryOperator), offered),
    doctor: fails(
      ['problem', 'STORAGE_CLASS_LABEL', /\$ kubectl label storageclass beta3 akash.network=true/],
      ['problem', 'NODE_LABELS', /there is no node gpu-1/],
      ['problem', 'INVENTORY_EMPTY', /does not answer: no endpoints available for service/],
      ['problem', 'INVENTORY_CONFIG', /is that of the operator's chart/],
    ),
    verify: stale,
  },
];
