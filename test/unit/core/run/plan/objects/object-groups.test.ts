import { expect, test } from 'vitest';
import {
  groupText,
  kindsText,
  objectGroups,
} from '../../../../../../src/core/run/plan/objects/object-groups.ts';
import type { FieldChange } from '../../../../../../src/core/run/plan/plan-answer.ts';
import { aManifest } from '../../../../../support/plans/plan-builders.ts';

function changed(count: number, fieldsOf: (index: number) => readonly FieldChange[]) {
  return Array.from({ length: count }, (_, index) =>
    aManifest({
      path: `dist/default/shop/s${index}.yaml`,
      objects: [
        { action: 'changed', object: `Service shop/s${index}`, fields: [...fieldsOf(index)] },
      ],
    }),
  );
}

const label = { path: 'metadata.labels.team', after: 'a', grade: 'cosmetic' } as const;
const pin = (index: number): FieldChange => ({
  path: 'spec.loadBalancerIP',
  before: `10.0.0.${index}`,
  after: `10.0.1.${index}`,
  grade: 'reach',
});

test('equal changes are one group', () => {
  const manifests = changed(500, (index) => [label, pin(index)]);
  expect(objectGroups(manifests, 'cosmetic').map(groupText)).toEqual([
    '500 Services (shop/s0, shop/s1, shop/s2 and 497 more): metadata.labels.team none → a',
  ]);
  expect(objectGroups(manifests, 'identity')).toEqual([]);
});

test('few different changes are groups of their own, and many are one with an example', () => {
  expect(
    objectGroups(
      changed(2, (index) => [pin(index)]),
      'reach',
    ).map(groupText),
  ).toEqual([
    'Service shop/s0: spec.loadBalancerIP 10.0.0.0 → 10.0.1.0',
    'Service shop/s1: spec.loadBalancerIP 10.0.0.1 → 10.0.1.1',
  ]);
  expect(
    objectGroups(
      changed(9, (index) => [pin(index)]),
      'reach',
    ).map(groupText),
  ).toEqual([
    '9 Services (shop/s0, shop/s1, shop/s2 and 6 more): spec.loadBalancerIP 10.0.0.0 → 10.0.1.0 in shop/s0, other values in the others',
  ]);
});

test('an object names its cluster when there are several', () => {
  const [one] = changed(1, () => [label]);
  const other = { ...one!, path: 'dist/east/shop/s0.yaml' };
  expect(objectGroups([one!, other], 'cosmetic').map(groupText)).toEqual([
    '2 Services (shop/s0 in default, shop/s0 in east): metadata.labels.team none → a',
  ]);
});

test('an object with many fields has few of them in its text', () => {
  const fields = Array.from({ length: 30 }, (_, index) => ({
    ...label,
    path: `metadata.labels.k${index}`,
  }));
  const [group] = objectGroups(
    changed(1, () => fields),
    'cosmetic',
  );
  expect(groupText(group!)).toMatch(/metadata\.labels\.k7 none → a; and 22 more fields$/);
});

test.each([
  ['Service', '2 Services'],
  ['NetworkPolicy', '2 NetworkPolicies'],
  ['Ingress', '2 Ingresses'],
])('two of %s are %s', (kind, text) => {
  expect(kindsText(kind, 2)).toBe(text);
});
