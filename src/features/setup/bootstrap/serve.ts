import { serveLabels, type TreeMap } from '../../../core/manifests/manifest.ts';
import { cloneFolder, type GitPod, gitPodSpec } from './git-pod.ts';

/** How `leasehold serve` runs in a cluster. */
export interface ServeTarget extends GitPod {
  /** The name of the Deployment, the Service and the ServiceAccount. */
  readonly name: string;
  readonly namespace: string;
  /** The cluster of the pool file whose leases are served. */
  readonly cluster: string;
  /** The DNS domain of the cluster in which it runs, such as `cluster.local`. */
  readonly domain: string;
  /** Patterns for the refs of open pull requests. */
  readonly pendingRefs: readonly string[];
  /** Milliseconds between two fetches, in whole seconds; undefined for the default. */
  readonly interval: number | undefined;
  /** True to add a ServiceMonitor of the Prometheus Operator. */
  readonly isMonitored: boolean;
}

/** The default DNS domain of a cluster. */
export const usualDomain = 'cluster.local';

const port = 8080;

/**
 * A ServiceAccount without permissions, a Deployment, and the Service where an Akash provider looks
 * up its IP operator, `_rest._TCP.operator-ip.akash-services` (Akash provider:
 * cluster/kube/operators/clients/ip/client.go). With `honorLabels`, the ServiceMonitor keeps the
 * label `cluster` of the metrics, which names a cluster of the pool file.
 */
export function serveObjects(target: ServeTarget): readonly TreeMap[] {
  const { name, namespace } = target;
  const labels = { ...serveLabels, 'app.kubernetes.io/instance': name };
  const metadata = { name, namespace, labels };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata, automountServiceAccountToken: false },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: {
        type: 'ClusterIP',
        selector: labels,
        ports: [{ name: 'rest', protocol: 'TCP', port, targetPort: 'rest' }],
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: podOf(target) },
      },
    },
    ...(target.isMonitored ? [monitorOf(metadata)] : []),
  ];
}

function monitorOf(metadata: TreeMap & { readonly labels: TreeMap }): TreeMap {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata,
    spec: {
      selector: { matchLabels: metadata.labels },
      endpoints: [{ port: 'rest', path: '/metrics', interval: '30s', honorLabels: true }],
    },
  };
}

function podOf(target: ServeTarget): TreeMap {
  return {
    serviceAccountName: target.name,
    automountServiceAccountToken: false,
    ...gitPodSpec(target, serveContainer(target)),
  };
}

function serveContainer(target: ServeTarget): TreeMap {
  const { cluster, repository, domain, pendingRefs, interval } = target;
  return {
    name: 'serve',
    command: ['leasehold'],
    args: [
      'serve',
      `--directory=${cloneFolder}`,
      `--branch=${repository.branch}`,
      `--cluster=${cluster}`,
      `--listen=0.0.0.0:${port}`,
      ...(domain === usualDomain ? [] : [`--allowed-host=.svc.${domain}`]),
      ...(interval === undefined ? [] : [`--interval=${timeText(interval)}`]),
      ...pendingRefs.map((pattern) => `--pending-refs=${pattern}`),
    ],
    ports: [{ name: 'rest', containerPort: port, protocol: 'TCP' }],
    livenessProbe: probe('/health', 10),
    readinessProbe: probe('/ready', 5),
  };
}

/** A time as `leasehold serve` reads it, in the largest unit without a fraction. */
function timeText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds % 3600 === 0) return `${seconds / 3600}h`;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}

/** On a busy node, a response may take longer than Kubernetes' default timeout of one second. */
function probe(path: string, periodSeconds: number): TreeMap {
  return { httpGet: { path, port: 'rest' }, periodSeconds, timeoutSeconds: 5 };
}
