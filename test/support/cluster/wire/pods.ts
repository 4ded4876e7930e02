import type { Kube, KubeObject } from '../kube.ts';
import { until } from '../wait.ts';
import { podAddresses } from './wire.ts';

/**
 * Gives each Service a ready pod with its selector's labels. All of these are the one pod of the wire: there is no
 * kubelet to start others.
 */
export async function addPods(kube: Kube, services: readonly KubeObject[]): Promise<void> {
  for (const { metadata, spec } of services) await addPod(kube, metadata, spec.selector);
}

async function addPod(
  kube: Kube,
  { name, namespace }: KubeObject['metadata'],
  labels: Readonly<Record<string, string>>,
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
  const podIPs = [podAddresses.ipv4, podAddresses.ipv6].map((ip) => ({ ip }));
  const status = { phase: 'Running', conditions, podIP: podAddresses.ipv4, podIPs };
  await kube.merge(pod, { status }, '/status');
}
