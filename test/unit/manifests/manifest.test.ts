import { expect, test } from 'vitest';
import { yamlText } from '../../../src/manifests/yaml-text.ts';

test('an object starts with apiVersion, kind and metadata; all other keys go by code unit', () => {
  const manifest = {
    spec: { b: 1, a: [{ d: 1, c: 2 }], B: 3, 'a-b': 4, metadata: 5, kind: 6, gone: undefined },
    data: { z: '1', ä: '2' },
    metadata: { namespace: 'n', name: 'm' },
    kind: 'K',
    apiVersion: 'v1',
  };
  const lines = yamlText([manifest]).split('\n');
  expect(lines.map((line) => line.replace(/:.*/, ''))).toEqual([
    ...['apiVersion', 'kind', 'metadata', '  name', '  namespace', 'data', '  z', '  "ä"', 'spec'],
    ...['  B', '  a', '    - c', '      d', '  a-b', '  b', '  kind', '  metadata', ''],
  ]);
});

test('what stands in two places is written twice, without an alias', () => {
  const labels = { a: 'b' };
  expect(yamlText([{ one: labels, two: labels }])).toBe('one:\n  a: b\ntwo:\n  a: b\n');
});

test('a map of nothing but missing values is an empty map', () => {
  expect(yamlText([{ spec: { gone: undefined }, kind: 'K' }])).toBe('kind: K\nspec: {}\n');
  expect(yamlText([{ gone: undefined }])).toBe('{}\n');
});
