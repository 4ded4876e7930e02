import type { LiveKind } from '../../../src/core/model/kinds.ts';
import type { LiveObject } from '../../../src/core/model/live.ts';
import { DeniedError } from '../../../src/core/model/problem.ts';
import type {
  DryRunAnswer,
  LiveCluster,
  ServiceAnswer,
  ServicePort,
} from '../../../src/lib/kubernetes/live-cluster.ts';

/** What a cluster in memory has and says; whatever is left out is as in a healthy cluster. */
export interface Live {
  readonly version?: string;
  /** The objects of a kind in place of those of a healthy cluster; undefined for a kind that is not served. */
  readonly objects?: { readonly [Kind in LiveKind]?: readonly LiveObject[] | undefined };
  /** Kinds whose listing RBAC denies, logs, and requests to Services. */
  readonly denied?: readonly (LiveKind | 'log' | 'service/proxy')[];
  readonly dryRun?: DryRunAnswer;
  /** What the inventory operator says. */
  readonly inventory?: ServiceAnswer;
  /** By pod. */
  readonly logs?: Readonly<Record<string, string>>;
}

/** What MetalLB 0.14.9 answers to a pool that overlaps itself. */
const overlapping =
  'admission webhook "ipaddresspoolvalidationwebhook.metallb.io" denied the request: CIDR "192.0.2.0/25" in pool "leasehold-doctor" overlaps with already defined CIDR "192.0.2.0/24"';

/** A cluster in memory, and everything that was asked of it, as `list deployments` or `dry run …`. */
export class HealthyCluster implements LiveCluster {
  readonly name = 'test (https://cluster.test:6443)';
  readonly asked: string[] = [];
  readonly dryRuns: LiveObject[] = [];
  readonly #live: Live;

  constructor(live: Live = {}) {
    this.#live = live;
  }

  async list(kind: LiveKind, namespace?: string): Promise<readonly LiveObject[] | undefined> {
    this.asked.push(`list ${kind} ${namespace ?? '*'}`);
    if (this.#live.denied?.includes(kind)) throw new DeniedError('no', `list ${kind}`);
    const { objects = {} } = this.#live;
    const all = kind in objects ? objects[kind] : healthyObjects[kind];
    return namespace === undefined
      ? all
      : all?.filter(({ metadata }) => metadata.namespace === namespace);
  }

  async version(): Promise<string> {
    return this.#live.version ?? 'v1.34.1';
  }

  async dryRun(kind: LiveKind, object: LiveObject): Promise<DryRunAnswer> {
    this.asked.push(`dry run ${kind} ${object.metadata.namespace}`);
    this.dryRuns.push(object);
    return this.#live.dryRun ?? { verdict: 'refused', message: overlapping };
  }

  async log(namespace: string, pod: string, lines: number): Promise<string | undefined> {
    this.asked.push(`log ${namespace}/${pod} ${lines}`);
    if (this.#live.denied?.includes('log')) throw new DeniedError('no', 'get pods/log');
    return this.#live.logs?.[pod];
  }

  async askService({ namespace, name, port }: ServicePort, path: string): Promise<ServiceAnswer> {
    this.asked.push(`proxy ${namespace}/${name}:${port} ${path}`);
    if (this.#live.denied?.includes('service/proxy')) {
      throw new DeniedError('no', 'get services/proxy');
    }
    return this.#live.inventory ?? { isAnswered: false, reason: 'there is no such Service' };
  }
}

/** A Deployment, DaemonSet or StatefulSet of one container. */
export function workload(
  name: string,
  { namespace = 'metallb-system', labels = {}, container = {}, ...rest }: WorkloadParts = {},
): LiveObject {
  return {
    metadata: { name, namespace, labels },
    spec: {
      replicas: rest.replicas ?? 1,
      selector: { matchLabels: { app: name } },
      template: { spec: { containers: [{ name: 'main', ...container }] } },
    },
    status: rest.status ?? { readyReplicas: 1 },
  };
}

interface WorkloadParts {
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly container?: object;
  readonly replicas?: number;
  readonly status?: object;
}

/** The controller of MetalLB's own manifests, of a version. */
export function controller(tag = 'v0.14.9', parts: WorkloadParts = {}): LiveObject {
  return workload('controller', {
    labels: { app: 'metallb', component: 'controller' },
    container: { name: 'controller', image: `quay.io/metallb/controller:${tag}` },
    ...parts,
  });
}

/** A ValidatingWebhookConfiguration of one webhook for IPAddressPools. */
export function poolWebhook(webhook: object = {}): LiveObject {
  return {
    metadata: { name: 'metallb-webhook-configuration' },
    webhooks: [
      { name: 'other', rules: [{ apiGroups: ['metallb.io'], resources: ['bgppeers'] }] },
      {
        name: 'ipaddresspoolvalidationwebhook.metallb.io',
        failurePolicy: 'Fail',
        clientConfig: { caBundle: 'LS0t', service: { name: 'metallb-webhook-service' } },
        rules: [{ apiGroups: ['metallb.io'], resources: ['ipaddresspools'] }],
        ...webhook,
      },
    ],
  };
}

/** kubeadm's ConfigMap for kube-proxy. */
export function kubeProxyConfig(text: string): LiveObject {
  return {
    metadata: { name: 'kube-proxy', namespace: 'kube-system' },
    data: { 'config.conf': text, 'kubeconfig.conf': 'apiVersion: v1\nkind: Config\n' },
  };
}

/** The namespace of MetalLB. */
export function metalLBNamespace(labels: Readonly<Record<string, string>>): LiveObject {
  return { metadata: { name: 'metallb-system', labels } };
}

const kubeProxy = `apiVersion: kubeproxy.config.k8s.io/v1alpha1
bindAddress: 0.0.0.0
conntrack:
  maxPerCore: null
ipvs:
  strictARP: false
kind: KubeProxyConfiguration
mode: ""
`;

/** A ready pod of the DaemonSet `speaker` on a node. */
export function speakerPod(nodeName: string): LiveObject {
  return {
    metadata: {
      name: `speaker-${nodeName}`,
      namespace: 'metallb-system',
      labels: { app: 'speaker' },
    },
    spec: { nodeName },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

/** The objects of a healthy cluster with MetalLB 0.14.9. */
export const healthyObjects: { readonly [Kind in LiveKind]?: readonly LiveObject[] } = {
  namespace: [metalLBNamespace({ 'pod-security.kubernetes.io/enforce': 'privileged' })],
  service: [],
  deployment: [controller()],
  daemonSet: [
    workload('speaker', {
      labels: { app: 'metallb', component: 'speaker' },
      status: { desiredNumberScheduled: 3, numberReady: 3 },
    }),
  ],
  statefulSet: [],
  configMap: [kubeProxyConfig(kubeProxy)],
  webhook: [poolWebhook()],
  addressPool: [],
  l2Advertisement: [],
  bgpAdvertisement: [],
  leasedIP: [],
  providerHost: [],
  endpointSlice: [],
  node: [{ metadata: { name: 'node-a', labels: {} } }],
  event: [],
  pod: [speakerPod('node-a')],
};
