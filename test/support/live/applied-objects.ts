import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readManifests } from '../../../src/core/manifests/manifest-objects.ts';
import type { LiveKind } from '../../../src/core/model/kinds.ts';
import type { LiveObject } from '../../../src/core/model/live.ts';

/** Objects by kind, which a test may change before a fake cluster gives them. */
export type Applied = Record<LiveKind, Mutable[]>;

// biome-ignore lint/suspicious/noExplicitAny: a test changes the parts it is about
type Mutable = LiveObject & { [field: string]: any; metadata: any };

const nothing: () => Applied = () => ({
  ...{ service: [], namespace: [], configMap: [], event: [], pod: [], deployment: [] },
  ...{ daemonSet: [], statefulSet: [], endpointSlice: [], webhook: [], storageClass: [] },
  ...{
    admissionPolicy: [],
    admissionPolicyBinding: [],
    addressPool: [],
    l2Advertisement: [],
    bgpAdvertisement: [],
  },
  ...{ ciliumPool: [], ciliumL2Policy: [], ciliumBGPAdvertisement: [] },
  ...{ ciliumBGPPeerConfig: [], ciliumBGPNodeConfig: [], l2Lease: [] },
  ...{ configurationState: [], leasedIP: [], providerHost: [], networkPolicy: [], dnsEndpoint: [] },
  ...{
    gateway: [],
    httpRoute: [],
    grpcRoute: [],
    ingress: [],
    clientSettingsPolicy: [],
    proxySettingsPolicy: [],
  },
  ...{
    node: [],
    serviceL2Status: [],
    serviceBGPStatus: [],
    bgpPeer: [],
    bgpSessionState: [],
    frrNodeState: [],
  },
});

/** A node and a speaker of MetalLB on it, whose pod is ready. */
function announcing(objects: Applied): void {
  const namespace = objects.addressPool[0]?.metadata.namespace ?? 'metallb-system';
  const labels = { app: 'metallb', component: 'speaker' };
  const containers = [{ name: 'speaker', image: 'quay.io/metallb/speaker:v0.14.9', args: [] }];
  const metadata = { name: 'speaker', namespace, labels };
  objects.node.push({
    metadata: { name: 'node-a', labels: { rack: 'one', role: 'edge' } },
    spec: {},
    status: { conditions: [{ type: 'NetworkUnavailable', status: 'False' }] },
  });
  objects.daemonSet.push({
    metadata,
    spec: { selector: { matchLabels: labels }, template: { spec: { containers } } },
    status: { desiredNumberScheduled: 1, numberReady: 1 },
  });
  for (const service of objects.service.filter(({ spec }) => spec.type === 'LoadBalancer')) {
    const status = statusOf(service);
    status.metadata.namespace = namespace;
    objects.serviceL2Status.push(status);
  }
  objects.pod.push({
    metadata: { ...metadata, name: 'speaker-a', uid: 'uid-speaker-a' },
    spec: { nodeName: 'node-a', containers },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  });
}

/** What the speaker on node-a writes of a Service that it announces. */
export function statusOf(
  { metadata: { name, namespace } }: Pick<Mutable, 'metadata'>,
  kind: 'l2' | 'bgp' = 'l2',
): Mutable {
  return {
    metadata: {
      name: `${kind}-${namespace}-${name}`,
      namespace: 'metallb-system',
      labels: {
        'metallb.io/node': 'node-a',
        'metallb.io/service-name': name,
        'metallb.io/service-namespace': namespace,
      },
      ownerReferences: [{ kind: 'Pod', name: 'speaker-a', uid: 'uid-speaker-a' }],
    },
    status: { node: 'node-a', serviceName: name, serviceNamespace: namespace },
  };
}

/** The EndpointSlice of a Service with one ready pod on node-a: it has the labels of the Service. */
export function endpointsOf({ metadata: { name, namespace, labels: own } }: Mutable): Mutable {
  const labels = {
    ...own,
    'kubernetes.io/service-name': name,
    'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
  };
  const endpoint = { addresses: ['10.244.0.9'], nodeName: 'node-a', conditions: { ready: true } };
  return { metadata: { name: `${name}-x`, namespace, labels }, endpoints: [endpoint] };
}

/**
 * What a cluster with one node has once `dist/<cluster>/` below root is applied and MetalLB has answered: with the fields
 * that an API server adds.
 */
export function applied(root: string, cluster = 'default'): Applied {
  const objects = nothing();
  const folder = join(root, 'dist', cluster);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.yaml')).sort()) {
    for (const { kind, object } of readManifests(readFileSync(join(folder, file), 'utf8'))) {
      const live = structuredClone(object) as Mutable;
      live.metadata.uid = `uid-${live.metadata.name}`;
      live.metadata.managedFields = [{ manager: 'kubectl' }];
      if (kind === 'service') answer(live);
      if (kind === 'namespace') live.spec = { finalizers: ['kubernetes'] };
      objects[kind].push(live);
      if (kind === 'service' && live.spec.selector) objects.endpointSlice.push(endpointsOf(live));
    }
  }
  announcing(objects);
  objects.gateway.push(...gatewaysOf(objects.httpRoute));
  return objects;
}

/** The Gateways of routes, each once: `dist/` has none. */
function gatewaysOf(routes: readonly Mutable[]): Mutable[] {
  const parents = routes.flatMap(({ spec }) => spec.parentRefs as readonly Mutable['metadata'][]);
  const gateways = parents.map(
    ({ namespace, name }): Mutable => ({ metadata: { namespace, name } }),
  );
  return [...new Map(gateways.map((one) => [JSON.stringify(one), one])).values()];
}

/** What the API server adds to a Service, and MetalLB to one that asks for an address. */
function answer(service: Mutable): void {
  const { metadata, spec } = service;
  spec.clusterIP ??= '10.96.0.7';
  spec.clusterIPs = [spec.clusterIP];
  spec.internalTrafficPolicy ??= 'Cluster';
  spec.sessionAffinity ??= 'None';
  if (spec.publishNotReadyAddresses === false) delete spec.publishNotReadyAddresses;
  for (const port of spec.ports) port.targetPort ??= port.port;
  if (spec.type !== 'LoadBalancer') return;
  spec.allocateLoadBalancerNodePorts ??= true;
  spec.externalTrafficPolicy ??= 'Cluster';
  const both = Object.entries(metadata.annotations).find(
    ([key]) => key.endsWith('BalancerIPs') || key === 'lbipam.cilium.io/ips',
  );
  const addresses = String(both?.[1] ?? spec.loadBalancerIP).split(',');
  metadata.annotations['metallb.io/ip-allocated-from-pool'] = 'somewhere';
  service.status = {
    loadBalancer: { ingress: addresses.map((ip) => ({ ip, ipMode: 'VIP' })) },
  };
}
