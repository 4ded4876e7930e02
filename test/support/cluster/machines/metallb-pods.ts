import type { Kube, KubeObject } from '../kube.ts';
import { until } from '../wait.ts';
import type { ControlPlane } from './control-plane.ts';

export const metallbNamespace = 'metallb-system';

/**
 * The pod that the cluster made for a component, found by a label such as `component=speaker`. It has no node to run
 * on: the suite runs its program, and says what a scheduler and a kubelet would.
 */
export async function podOf(
  { kube, programs }: ControlPlane,
  label: string,
  { node, address }: { readonly node: string; readonly address?: string | undefined },
): Promise<string> {
  const path = `/api/v1/namespaces/${metallbNamespace}/pods`;
  const ask = async (): Promise<KubeObject | undefined> => {
    const { items } = await kube.send('GET', `${path}?labelSelector=${encodeURIComponent(label)}`);
    return items.find((pod: KubeObject) => (wantedNode(pod) ?? node) === node);
  };
  const pod = await until(ask, { what: `a pod with ${label}`, programs });
  const { name } = pod.metadata;
  if (!pod.spec.nodeName) {
    const target = { kind: 'Node', name: node };
    await kube.send('POST', `${path}/${name}/binding`, { metadata: { name }, target });
  }
  const conditions = ['Ready', 'ContainersReady'].map((type) => ({ type, status: 'True' }));
  const type = 'application/merge-patch+json';
  const addresses = address ? { podIP: address, podIPs: [{ ip: address }] } : {};
  const state = { running: { startedAt: new Date().toISOString() } };
  const containerStatuses = pod.spec.containers.map(({ name, image }: Record<string, string>) => ({
    ...{ name, image, imageID: image, ready: true, started: true, restartCount: 0, state },
  }));
  const status = { phase: 'Running', conditions, containerStatuses, ...addresses };
  await kube.send('PATCH', `${path}/${name}/status`, { status }, type);
  return name;
}

/** The node that a pod of a DaemonSet is for. */
function wantedNode({ spec }: KubeObject): string | undefined {
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required?.nodeSelectorTerms[0]?.matchFields?.[0]?.values[0];
}

/** A kubeconfig of one of the service accounts in MetalLB's namespace. */
export async function accountConfig(plane: ControlPlane, account: string): Promise<string> {
  const path = `/api/v1/namespaces/${metallbNamespace}/serviceaccounts/${account}/token`;
  const { status } = await plane.kube.send('POST', path, { spec: { expirationSeconds: 86_400 } });
  return plane.kubeconfigFor(`metallb-${account}`, status.token);
}

/** Says whether a pod in MetalLB's namespace is ready, as its kubelet would. */
export async function sayReady(kube: Kube, name: string, isReady: boolean): Promise<void> {
  const metadata = { name, namespace: metallbNamespace };
  const status = isReady ? 'True' : 'False';
  const conditions = ['Ready', 'ContainersReady'].map((type) => ({ type, status }));
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata };
  await kube.merge(pod, { status: { conditions } }, '/status');
}
