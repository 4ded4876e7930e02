import { type LiveObject, textAt } from '../../core/model/live.ts';
import { containersOf, releaseIn } from './metallb-workload.ts';

/** Cilium's operator, which has LB-IPAM, in a namespace. */
export function operatorIn(
  deployments: readonly LiveObject[],
  namespace: string,
): LiveObject | undefined {
  return anyOperator(deployments.filter(({ metadata }) => metadata.namespace === namespace));
}

/** Cilium's operator in any namespace: by its label, or by its name. */
export function anyOperator(deployments: readonly LiveObject[]): LiveObject | undefined {
  return (
    deployments.find(({ metadata: { labels = {} } }) => labels['io.cilium/app'] === 'operator') ??
    deployments.find(({ metadata }) => metadata.name === 'cilium-operator')
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
