import { expect, test } from 'vitest';
import { yamlText } from '../../../../src/core/manifests/yaml-text.ts';

test('an object starts with apiVersion, kind and metadata; other keys are sorted by code unit', () => {
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

test('a value that is used twice is written twice, without an alias', () => {
  const labels = { a: 'b' };
  expect(yamlText([{ one: labels, two: labels }])).toBe('one:\n  a: b\ntwo:\n  a: b\n');
});

test('a map of undefined values is an empty map', () => {
  expect(yamlText([{ spec: { gone: undefined }, kind: 'K' }])).toBe('kind: K\nspec: {}\n');
  expect(yamlText([{ gone: undefined }])).toBe('{}\n');
});
