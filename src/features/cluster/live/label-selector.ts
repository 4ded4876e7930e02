import { fieldAt, listAt, textAt } from '../../../core/model/live.ts';

/** The labels of an object; undefined when it has none. */
type Labels = Readonly<Record<string, string>> | undefined;

/**
 * True when a label selector of Kubernetes (`LabelSelector` of apimachinery) matches labels. One
 * without conditions matches everything.
 */
export function selects(selector: unknown, labels: Labels): boolean {
  return (
    Object.entries(fieldAt(selector, 'matchLabels') ?? {}).every(
      ([key, value]) => labels?.[key] === value,
    ) && listAt(selector, 'matchExpressions').every((expression) => holds(expression, labels))
  );
}

/** True when one of several selectors matches; also when there are none, as in MetalLB. */
export function anySelects(selectors: readonly unknown[], labels: Labels): boolean {
  return selectors.length === 0 || selectors.some((selector) => selects(selector, labels));
}

function holds(expression: unknown, labels: Labels): boolean {
  const found = labels?.[textAt(expression, 'key') ?? ''];
  const isListed = found !== undefined && listAt(expression, 'values').includes(found);
  switch (textAt(expression, 'operator')) {
    case 'In':
      return isListed;
    case 'NotIn':
      return !isListed;
    case 'Exists':
      return found !== undefined;
    case 'DoesNotExist':
      return found === undefined;
    default:
      return false;
  }
}
