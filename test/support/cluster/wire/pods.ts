import type { Kube, KubeObject } from '../kube.ts';
import { until } from '../wait.ts';
import { podAddresses } from './wire.ts';

/** Where a pod is reached. */
type PodAddresses = Readonly<Record<'ipv4' | 'ipv6', string>>;

/**
 * Gives each Service a ready pod with its selector's labels, by default at the addresses of the one pod of the wire:
 * there is no kubelet to start others.
 */
export async function addPods(
  kube: Kube,
  services: readonly KubeObject[],
  at: PodAddresses = podAddresses,
): Promise<void> {
  for (const { metadata, spec } of services) await addPod(kube, metadata, spec.selector, at);
}

async function addPod(
  kube: Kube,
  { name, namespace }: KubeObject['metadata'],
  labels: Readonly<Record<string, string>>,
  { ipv4, ipv6 }: PodAddresses,
): Promise<void> {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels },
    spec: { nodeName: 'node-a', containers: [{ name: 'web', image: 'web' }] },
  } as KubeObject;
  // A pod is refused until its namespace has its account.
  await until(() => kube.apply(pod), { what: `the pod of ${namespace}/${name}` });
  const conditions = ['Ready', 'ContainersReady'].map((type) => ({ type, status: 'True' }));
  const podIPs = [ipv4, ipv6].map((ip) => ({ ip }));
  const status = { phase: 'Running', conditions, podIP: ipv4, podIPs };
  await kube.merge(pod, { status }, '/status');
}

/** Says whether the pod of a name and namespace is ready, as its kubelet would. A Service's pod has the name of the Service. */
export async function setReady(
  kube: Kube,
  { metadata }: KubeObject,
  isReady: boolean,
): Promise<void> {
  const { name, namespace = 'default' } = metadata;
  const pod: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace } };
  const status = isReady ? 'True' : 'False';
  const conditions = ['Ready', 'ContainersReady'].map((type) => ({ type, status }));
  await kube.merge(pod, { status: { conditions } }, '/status');
}
