import type { KubeObject } from './kube.ts';
import { renderedChart } from './rendered-chart.ts';

/** The least that a user of the chart `leasehold-serve` sets. */
export const leastValues = {
  git: { url: 'ssh://git@git.example.com/acme/leases.git' },
  image: { repository: 'registry.example.com/leasehold' },
};

/** All values of the chart, unlike its defaults. */
export const allValues = {
  git: { url: 'https://git.example.com/acme/leases.git', branch: 'live', existingSecret: 'leases' },
  image: {
    repository: 'registry.example.com/leasehold',
    digest: `sha256:${'0'.repeat(64)}`,
    pullPolicy: 'Always',
  },
  imagePullSecrets: [{ name: 'registry' }],
  serve: {
    cluster: 'east',
    zone: 'edge',
    interval: '30s',
    pendingRefs: ['refs/pull/*/head'],
    allowedHosts: ['.example.net'],
    existingTokenSecret: 'token',
    openOperatorEndpoints: true,
  },
  clusterDomain: 'k8s.example.net',
  fullnameOverride: 'operator-ip',
  replicaCount: 2,
  serviceAccount: { name: 'reader', annotations: { a: 'b' } },
  podAnnotations: { a: 'b' },
  podLabels: { team: 'network' },
  podSecurityContext: { runAsUser: 2000 },
  securityContext: { privileged: false },
  resources: { limits: { cpu: '1' } },
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'edge', operator: 'Exists' }],
  affinity: { podAntiAffinity: {} },
  service: {
    type: 'LoadBalancer',
    port: 80,
    annotations: { 'metallb.io/loadBalancerIPs': '203.0.113.7' },
    labels: { 'leasehold.dev/reserved': 'true' },
    ipFamilyPolicy: 'SingleStack',
    ipFamilies: ['IPv4'],
  },
  ingress: {
    enabled: true,
    className: 'nginx',
    annotations: { a: 'b' },
    hosts: [{ host: 'leases.example.com', paths: [{ path: '/', pathType: 'Prefix' }] }],
    tls: [{ secretName: 'leases-tls', hosts: ['leases.example.com'] }],
  },
  networkPolicy: { enabled: true, from: [{ namespaceSelector: {} }] },
  metrics: {
    serviceMonitor: { enabled: true, interval: '1m', labels: { release: 'prometheus' } },
    prometheusRule: {
      enabled: true,
      labels: { release: 'prometheus' },
      docsURL: 'https://git.example.com/acme/leasehold/blob/v0.1.0/docs/',
      pageURL: 'https://leases.example.com',
    },
  },
};

/** The objects of the release `leases` in the namespace `web`, sorted by kind. */
export function serveChart(values: object): readonly KubeObject[] {
  const release = { name: 'leases', namespace: 'web', values };
  return byKind(renderedChart('charts/leasehold-serve', release));
}

/** Objects, sorted by kind. */
export function byKind(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.toSorted((left, right) => (left.kind < right.kind ? -1 : 1));
}

/** An object of the chart without what `bootstrap serve` does not print. */
export function withoutChartFields(object: KubeObject): KubeObject {
  const leftOut = ['app.kubernetes.io/managed-by', 'app.kubernetes.io/version', 'helm.sh/chart'];
  const isKept = (key: string) => key !== 'imagePullPolicy' && !leftOut.includes(key);
  return JSON.parse(JSON.stringify(object, (key, value) => (isKept(key) ? value : undefined)));
}
