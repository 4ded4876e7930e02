import type { Kube, KubeObject } from '../kube.ts';
import { theNode } from '../machines/metallb.ts';
import { metallbNamespace } from '../machines/metallb-pods.ts';
import {
  all,
  atLast,
  type Break,
  beside,
  changed,
  fails,
  type Line,
  once,
  onceUnserved,
  orphaned,
  passes,
  pools,
  type Sabotage,
  stale,
  without,
} from './sabotage.ts';
import { claims, kubeProxy, kubeProxyConfig, metallbSpace } from './site.ts';

export const ofMetallb = (apiVersion: string, kind: string, name: string): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, namespace: metallbNamespace },
});
const controller = ofMetallb('apps/v1', 'Deployment', 'controller');
const speaker = ofMetallb('apps/v1', 'DaemonSet', 'speaker');

/** The controller's container, with something else; its one pod stays, and the new one never starts. */
const container = (part: object) =>
  all(
    atLast('one pod of the controller', async (kube) => {
      const { metadata, status } = (await kube.get(controller)) ?? controller;
      return status?.observedGeneration === metadata.generation && status.replicas === 1;
    }),
    changed(controller, ({ spec }) => {
      const [first] = spec.template.spec.containers;
      return { spec: { template: { spec: { containers: [{ ...first, ...part }] } } } };
    }),
  );

/** The one pod of a workload stops being ready, as a kubelet would say it. */
const unready = (workload: KubeObject, readyOf: (status: Status) => number | undefined): Break =>
  all(
    async (site) => {
      const pods = await site.machine.plane.kube.list('v1', 'Pod');
      const component = workload.metadata.name;
      const pod = pods.find(({ metadata }) => metadata.labels?.component === component);
      const target = { ...workload, ...pod, apiVersion: 'v1', kind: 'Pod' };
      const conditions = [{ type: 'Ready', status: 'False' }];
      return changed(target, { status: { conditions } }, '/status')(site);
    },
    once(`a ${workload.metadata.name} that is not ready`, async (kube) => {
      const live = await kube.get(workload);
      return live !== undefined && (readyOf(live.status) ?? 0) === 0;
    }),
  );

interface Status {
  readonly readyReplicas?: number;
  readonly numberReady?: number;
}

const secondNode: KubeObject = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'node-b', labels: { 'kubernetes.io/os': 'linux' } },
};

const exclusion = 'node.kubernetes.io/exclude-from-external-load-balancers';

/** What a speaker says of a Service when its node has none of the interfaces. */
const announceFailed: KubeObject = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'app.speaker', namespace: 'web' },
  type: 'Warning',
  reason: 'announceFailed',
  message: 'the node lacks bond0',
  source: { component: 'metallb-speaker' },
  lastTimestamp: '2026-11-20T10:00:00Z',
  involvedObject: { apiVersion: 'v1', kind: 'Service', namespace: 'web', name: 'app' },
};

/** What kubeadm runs kube-proxy as; no node is selected. */
const kubeProxies: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'kube-proxy', namespace: 'kube-system' },
  spec: {
    selector: { matchLabels: { 'k8s-app': 'kube-proxy' } },
    template: {
      metadata: { labels: { 'k8s-app': 'kube-proxy' } },
      spec: {
        nodeSelector: { 'example.com/none': '' },
        containers: [{ name: 'kube-proxy', image: 'registry.k8s.io/kube-proxy:v1.36.3' }],
      },
    },
  },
};

/** A DaemonSet is not counted anew when a node has gone, but when it is touched. */
const areWanted = (count: number) => async (kube: Kube) => {
  const { metadata, status } = (await kube.get(speaker)) ?? speaker;
  const annotations = { 'example.com/touched': metadata.resourceVersion };
  await kube.merge(speaker, { metadata: { annotations } });
  return status?.desiredNumberScheduled === count;
};

/** What may be wrong with MetalLB and with what it needs of a cluster. */
export const metallbSabotages: readonly Sabotage[] = [
  {
    title: 'the pool file names another namespace for MetalLB',
    break: pools((text) => text.replace('layout: pool', 'layout: pool, namespace: lb')),
    doctor: fails(
      ['problem', 'METALLB_NAMESPACE', /there is no namespace lb,/],
      ['problem', 'METALLB_CONTROLLER', /fix: set metallb.namespace: metallb-system in/],
      ['problem', 'METALLB_SPEAKERS', /fix: set metallb.namespace: metallb-system in/],
    ),
    verify: stale,
  },
  {
    title: 'the cluster stops serving L2Advertisement',
    break: unserved('l2advertisements.metallb.io', '/apis/metallb.io/v1beta1/l2advertisements'),
    ends: 'MetalLB is installed again, with its definitions',
    doctor: fails(['problem', 'METALLB_KINDS', /not serve l2advertisements of metallb/]),
    verify: fails(
      ...claims.map(
        (claim): Line => ['not applied', claim, /L2Advertisement .*\/public does not exist/],
      ),
      ['not applied', 'L2Advertisement metallb-system/old', /does not exist/],
      ['cluster problem', 'L2Advertisement', /install MetalLB 0.13.9 or later/],
    ),
  },
  {
    title: "MetalLB's controller is not ready",
    break: unready(controller, ({ readyReplicas }) => readyReplicas),
    doctor: fails([
      'problem',
      'METALLB_CONTROLLER',
      /has no ready pod.*\$ kubectl -n metallb-system describe deployment controller/s,
    ]),
  },
  {
    title: 'MetalLB is older than its annotations',
    break: container({ image: 'quay.io/metallb/controller:v0.13.12' }),
    doctor: fails([
      'problem',
      'METALLB_RELEASE',
      /0.13.12 runs, but leases\/pools.yaml declares (0\.\d+\.\d).*fix: upgrade MetalLB to \1; to stay at 0.13.12, set/s,
    ]),
    verify: fails([
      'cluster problem',
      'Deployment metallb-system/controller',
      /is MetalLB 0.13.12, which ignores/,
    ]),
  },
  {
    title: 'MetalLB is a little older than declared',
    since: '0.16.1',
    break: container({ image: 'quay.io/metallb/controller:v0.15.2' }),
    doctor: passes([
      'caution',
      'METALLB_RELEASE',
      /fix: upgrade MetalLB to 0.16.1; to stay at 0.15.2, set metallb.version: 0.15.2/,
    ]),
  },
  {
    title: 'the image of MetalLB names no version',
    break: container({ image: 'quay.io/metallb/controller:main' }),
    doctor: passes(['unknown', 'METALLB_RELEASE', /controller:main .* has no version/]),
  },
  {
    title: 'MetalLB serves a class that is not declared',
    break: container({ args: ['--lb-class=example.com/lb'] }),
    doctor: fails([
      'problem',
      'METALLB_CLASS',
      /fix: start .* without --lb-class .*before the first Service.*set metallb.loadBalancerClass: example.com\/lb/,
    ]),
  },
  {
    title: 'a pool asks for IPv6 by BGP, and MetalLB speaks it natively',
    break: pools(
      (text) =>
        `${text}  - { name: routed, zone: routed, addresses: ['2001:db8::/120'], advertise: { bgp: {} } }\n`,
    ),
    doctor: fails(
      ['ok', 'METALLB_KINDS', /bgpadvertisements/],
      ['problem', 'METALLB_BGP', /native mode, but pools need IPv6 \(pool routed\)/],
    ),
    verify: stale,
  },
  {
    title: 'no speaker is ready',
    break: unready(speaker, ({ numberReady }) => numberReady),
    doctor: fails([
      'problem',
      'METALLB_SPEAKERS',
      /0 of 1 speakers.*\$ kubectl -n metallb-system describe daemonset speaker/s,
    ]),
    verify: fails(
      ...claims.map(
        (claim): Line => [
          'not announced',
          claim,
          /no MetalLB speaker is ready on node-a\n.*describe daemonset speaker/,
        ],
      ),
    ),
  },
  {
    title: 'every node is excluded from load balancers',
    break: changed(theNode, { metadata: { labels: { [exclusion]: '' } } }),
    doctor: fails([
      'problem',
      'METALLB_NODES',
      /not announce from node-a.*\$ kubectl label node node-a .*-$/s,
    ]),
    verify: fails(
      ...claims.map(
        (claim): Line => ['not announced', claim, /not announce from node-a.*--ignore-exclude-lb/s],
      ),
    ),
  },
  {
    title: 'a speaker says that its node lacks the interface of a pool',
    break: all(
      pools((text) =>
        text.replace(
          'addresses: [203.0.113.0/28]',
          'addresses: [203.0.113.0/28], advertise: { l2: { interfaces: [bond0] } }',
        ),
      ),
      beside(announceFailed),
    ),
    doctor: fails(['problem', 'METALLB_INTERFACES', /lacks bond0.*fix: set advertise.l2.interf/s]),
    verify: stale,
  },
  {
    title: 'a second node has no speaker that is ready',
    break: all(
      atLast('one speaker that is wanted', areWanted(1)),
      beside(secondNode),
      once('two speakers that are wanted', areWanted(2)),
    ),
    doctor: passes(['caution', 'METALLB_SPEAKERS', /1 of 2 speakers are ready/]),
  },
  {
    title: 'the speakers are gone',
    break: orphaned(speaker),
    doctor: fails([
      'problem',
      'METALLB_SPEAKERS',
      /there are no MetalLB speakers in metallb-system/,
    ]),
    verify: passes(
      ...claims.map((claim): Line => ['unknown', claim, /has no speakers.*verify --reach/s]),
    ),
  },
  {
    title: 'the namespace of MetalLB lets no privileged pod start',
    break: podSecurity('baseline'),
    doctor: fails([
      'problem',
      'POD_SECURITY',
      /\$ kubectl label namespace metallb-system pod-security.kubernetes.io\/enforce=privileged/,
    ]),
  },
  {
    title: 'the namespace of MetalLB says nothing of privileged pods',
    break: podSecurity(null),
    doctor: passes(['caution', 'POD_SECURITY', /has no label/]),
  },
  {
    title: 'kube-proxy runs in IPVS mode without strictARP',
    break: all(
      beside(kubeProxies),
      changed(kubeProxy, { data: { 'config.conf': kubeProxyConfig('ipvs') } }),
    ),
    doctor: fails(['problem', 'STRICT_ARP', /leasehold bootstrap strict-arp - \| kubectl apply/]),
  },
  {
    title: 'nothing says how kube-proxy runs',
    break: without(kubeProxy),
    doctor: passes(['unknown', 'STRICT_ARP', /no ConfigMap kube-system\/kube-proxy/]),
  },
];

function podSecurity(level: string | null): Break {
  const labels = { 'pod-security.kubernetes.io/enforce': level };
  return changed(metallbSpace, { metadata: { labels } });
}

/** A definition that is kept and not served: as if it were gone, and its objects come back with it. */
function unserved(name: string, path: string): Break {
  const definition: KubeObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
  };
  return all(
    changed(definition, ({ spec }) => ({
      spec: { versions: spec.versions.map((one: object) => ({ ...one, served: false })) },
    })),
    onceUnserved(path),
  );
}
