import { serveLabels, type TreeMap } from '../../../manifests/manifest.ts';

/** How `leasehold serve` runs in a cluster. */
export interface ServeTarget {
  /** The name of the Deployment, the Service and the ServiceAccount. */
  readonly name: string;
  readonly namespace: string;
  /** An image with `leasehold`, git and a shell on its path. */
  readonly image: string;
  readonly repository: { readonly url: string; readonly branch: string };
  /** The Secret that git authenticates with; undefined for a public repository. */
  readonly secret: string | undefined;
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
/** The user `node` of Node.js images. ssh requires a user that exists in the image. */
const user = 1000;
const folder = '/srv/leases';
const secrets = '/secrets';

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
  const { secret } = target;
  const volumes = [
    { name: 'leases', emptyDir: {} },
    { name: 'tmp', emptyDir: {} },
    ...(secret === undefined
      ? []
      : [{ name: 'secrets', secret: { secretName: secret, defaultMode: 0o440 } }]),
  ];
  return {
    serviceAccountName: target.name,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: user,
      runAsGroup: user,
      fsGroup: user,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    initContainers: [cloneContainer(target)],
    containers: [serveContainer(target)],
    volumes,
  };
}

/** Removes an earlier clone first: the volume outlives a restart of the container. */
function cloneContainer(target: ServeTarget): TreeMap {
  const { url, branch } = target.repository;
  const script =
    'rm -rf "$2" && exec git clone --quiet --no-tags --single-branch --branch "$1" -- "$0" "$2"';
  return {
    name: 'clone',
    ...runtimeOf(target),
    command: ['/bin/sh', '-c', script, url, branch, folder],
  };
}

function serveContainer(target: ServeTarget): TreeMap {
  const { cluster, repository, domain, pendingRefs, interval } = target;
  return {
    name: 'serve',
    ...runtimeOf(target),
    command: ['leasehold'],
    args: [
      'serve',
      `--directory=${folder}`,
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

function runtimeOf({ image, secret, repository }: ServeTarget): TreeMap {
  return {
    image,
    env: [
      { name: 'HOME', value: '/tmp' },
      ...(secret === undefined ? [] : authenticationOf(repository.url)),
    ],
    resources: {
      requests: { cpu: '50m', memory: '128Mi' },
      limits: { memory: '2Gi' },
    },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [
      { name: 'leases', mountPath: '/srv' },
      { name: 'tmp', mountPath: '/tmp' },
      ...(secret === undefined ? [] : [{ name: 'secrets', mountPath: secrets, readOnly: true }]),
    ],
  };
}

/**
 * Git's variables: key and known hosts for ssh, else a helper that reads user name and password.
 */
function authenticationOf(url: string): readonly TreeMap[] {
  if (!url.startsWith('https://')) {
    const options = `-i ${secrets}/identity -o IdentitiesOnly=yes -o UserKnownHostsFile=${secrets}/known_hosts -o StrictHostKeyChecking=yes -o ConnectTimeout=10 -o ServerAliveInterval=15`;
    return [{ name: 'GIT_SSH_COMMAND', value: `ssh ${options}` }];
  }
  const helper = `!f() { read -r u < ${secrets}/username; read -r p < ${secrets}/password; echo "username=$u"; echo "password=$p"; }; f`;
  return [
    { name: 'GIT_CONFIG_COUNT', value: '1' },
    { name: 'GIT_CONFIG_KEY_0', value: 'credential.helper' },
    { name: 'GIT_CONFIG_VALUE_0', value: helper },
  ];
}
