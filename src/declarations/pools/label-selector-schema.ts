import * as z from 'zod';
import { compareText } from '../../model/order.ts';
import type { LabelSelector } from '../../model/pools.ts';
import { labelKey, labels, labelValue } from '../../text/name-fields.ts';
import { type Refusal, refusing } from '../../text/shape.ts';

const requirement = z
  .strictObject({
    key: labelKey,
    operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
    values: z.array(labelValue).max(100).optional(),
  })
  .superRefine(refusing(checkValues));

/**
 * A label selector. Kubernetes wants values with `In` and `NotIn` and none with the others;
 * MetalLB refuses a value that stands twice (config.go validateLabelSelectorDuplicate).
 */
export const labelSelector = z.strictObject({
  matchLabels: labels.optional(),
  matchExpressions: z.array(requirement).max(32).optional(),
});

/** Nodes, as selectors of which one must match; none twice: MetalLB refuses that. */
export const nodeSelectors = z
  .array(labelSelector)
  .max(32)
  .superRefine(refusing(sameSelectors))
  .default([])
  .describe('Nodes that announce; one selector must match. Empty: all nodes.');

/** A list of texts without one that stands twice. */
export function distinct<Item extends z.ZodType<string>>(item: Item) {
  return z.array(item).max(100).superRefine(refusing(twice));
}

function sameSelectors(selectors: readonly LabelSelector[]): Refusal[] {
  const refusals = twice(selectors.map(selectorText));
  return refusals.map((refusal) => ({ ...refusal, message: 'the selector stands twice' }));
}

/** Equal for selectors that MetalLB takes for one: labels in any order, empty lists or none. */
function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const names = Object.keys(matchLabels).sort(compareText);
  return JSON.stringify({
    matchLabels: names.map((name) => [name, matchLabels[name]]),
    matchExpressions: matchExpressions.map(({ key, operator, values = [] }) => [
      key,
      operator,
      ...values,
    ]),
  });
}

function checkValues(value: {
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}): Refusal | readonly Refusal[] | undefined {
  const { operator, values = [] } = value;
  const wantsValues = operator === 'In' || operator === 'NotIn';
  if (wantsValues === values.length > 0) return twice(values, ['values']);
  const message = `the operator ${operator} needs ${wantsValues ? 'at least one value' : 'no values'}`;
  return { code: 'FIELD_VALUE', message };
}

function twice(texts: readonly string[], path: readonly PropertyKey[] = []): Refusal[] {
  return texts.flatMap((text, index): Refusal[] => {
    if (texts.indexOf(text) === index) return [];
    return [{ code: 'FIELD_VALUE', message: `'${text}' stands twice`, path: [...path, index] }];
  });
}
