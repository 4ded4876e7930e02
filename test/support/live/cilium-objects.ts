import { type Applied, applied } from './applied-objects.ts';

/** The time of each Lease that is renewed. */
const now = '2026-11-20T10:00:30.000000Z';

/** The Lease of a node that announces a Service by L2. */
export function l2Lease(service: { metadata: { namespace?: string; name: string } }) {
  const { namespace, name } = service.metadata;
  return {
    metadata: { namespace: 'kube-system', name: `cilium-l2announce-${namespace}-${name}` },
    spec: { holderIdentity: 'node-a', leaseDurationSeconds: 15, renewTime: now },
  };
}

/** A CiliumBGPPeerConfig that selects the advertisements of a pool, for both families. */
export function peerConfig(pool: string) {
  const advertisements = { matchLabels: { 'leasehold.dev/pool': pool } };
  const families = ['ipv4', 'ipv6'].map((afi) => ({ afi, safi: 'unicast', advertisements }));
  return { metadata: { name: 'peers' }, spec: { families } };
}

/** The CiliumBGPNodeConfig of a node with one peer. */
export function nodeConfig(peeringState = 'established') {
  const peer = { name: 'router', peerConfigRef: { name: 'peers' } };
  return {
    metadata: { name: 'node-a' },
    spec: { bgpInstances: [{ name: 'own', peers: [peer] }] },
    status: { bgpInstances: [{ name: 'own', peers: [{ name: 'router', peeringState }] }] },
  };
}

/** The operator of Cilium's chart. */
export function operator(tag = 'v1.20.2') {
  const image = `quay.io/cilium/operator-generic:${tag}@sha256:0`;
  return {
    metadata: {
      namespace: 'kube-system',
      name: 'cilium-operator',
      labels: { 'io.cilium/app': 'operator' },
    },
    spec: { template: { spec: { containers: [{ image }] } } },
    status: { readyReplicas: 1 },
  };
}

/** What a cluster on Cilium 1.20.2 has once `dist/default/` below root is applied, and all is announced. */
export function appliedOnCilium(root: string): Applied {
  const objects = applied(root);
  for (const kind of ['daemonSet', 'pod', 'serviceL2Status'] as const) objects[kind] = [];
  for (const node of objects.node) node.metadata.labels.rack = 'a';
  objects.l2Lease = objects.service.map(l2Lease);
  objects.ciliumBGPPeerConfig = [peerConfig('edge')];
  objects.ciliumBGPNodeConfig = [nodeConfig()];
  objects.deployment = [operator()];
  return objects;
}
