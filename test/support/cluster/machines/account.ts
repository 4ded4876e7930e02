import type { KubeObject } from '../kube.ts';
import type { ControlPlane } from './control-plane.ts';

/** The ServiceAccount that `leasehold bootstrap rbac` grants permissions to. */
export const machineAccount: KubeObject = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'leasehold', namespace: 'leasehold' },
};

/** Makes that account, without any permission, and gives a kubeconfig of it; `name` names the file. */
export async function machineAccountConfig(
  { kube, kubeconfigFor }: ControlPlane,
  name: string,
): Promise<string> {
  await kube.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'leasehold' } });
  await kube.apply(machineAccount);
  const path = '/api/v1/namespaces/leasehold/serviceaccounts/leasehold/token';
  const { status } = await kube.send('POST', path, { spec: { expirationSeconds: 3_600 } });
  return kubeconfigFor(`leasehold-${name}`, status.token);
}
