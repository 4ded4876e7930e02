import { type LiveObject, textAt } from '../../../../core/model/live.ts';
import { containersOf, releaseIn } from '../../../../lib/kubernetes/metallb-workload.ts';

/** Cilium's operator, which has LB-IPAM, in a namespace: by its label, or by its name. */
export function operatorIn(
  deployments: readonly LiveObject[],
  namespace: string,
): LiveObject | undefined {
  const here = deployments.filter(({ metadata }) => metadata.namespace === namespace);
  return (
    here.find(({ metadata: { labels = {} } }) => labels['io.cilium/app'] === 'operator') ??
    here.find(({ metadata }) => metadata.name === 'cilium-operator')
  );
}

/** Its version; undefined without a tag that names one. */
export function releaseOf(operator: LiveObject): string | undefined {
  const images = containersOf(operator).map((container) => textAt(container, 'image') ?? '');
  return images.map(releaseIn).find((found) => found !== undefined);
}

/** The command that starts it again. */
export function restarting({ metadata: { namespace, name } }: LiveObject): string {
  return `kubectl -n ${namespace} rollout restart deployment ${name}`;
}
