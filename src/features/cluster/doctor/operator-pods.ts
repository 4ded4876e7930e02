import type { LiveObject } from '../../../model/live.ts';
import { compareText } from '../../../model/order.ts';
import { fieldAt } from '../../../model/unstructured.ts';

/** The pods of a Deployment, of all in its namespace, by its selector; in the order of their names. */
export function podsOf(deployment: LiveObject, pods: readonly LiveObject[]): readonly LiveObject[] {
  const selector = Object.entries(fieldAt(deployment, 'spec', 'selector', 'matchLabels') ?? {});
  if (selector.length === 0) return [];
  return pods
    .filter(({ metadata }) => selector.every(([key, value]) => metadata.labels?.[key] === value))
    .toSorted((left, right) => compareText(left.metadata.name, right.metadata.name));
}
