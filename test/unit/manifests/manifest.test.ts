import { Yaml } from 'cdk8s';
import { expect, test } from 'vitest';
import { ordered } from '../../../src/manifests/manifest.ts';
import { plainText } from '../../../src/manifests/yaml-text.ts';

test('an object starts with apiVersion, kind and metadata; all other keys go by code unit', () => {
  const manifest = {
    spec: { b: 1, a: [{ d: 1, c: 2 }], B: 3, 'a-b': 4, metadata: 5, kind: 6, gone: undefined },
    data: { z: '1', ä: '2' },
    metadata: { namespace: 'n', name: 'm' },
    kind: 'K',
    apiVersion: 'v1',
  };
  expect(JSON.stringify(ordered(manifest))).toBe(
    '{"apiVersion":"v1","kind":"K","metadata":{"name":"m","namespace":"n"},' +
      '"data":{"z":"1","ä":"2"},' +
      '"spec":{"B":3,"a":[{"c":2,"d":1}],"a-b":4,"b":1,"kind":6,"metadata":5}}',
  );
});

test('what stands in two places is copied, so that YAML makes no alias of it', () => {
  const labels = { a: 'b' };
  const copy = ordered({ one: labels, two: labels });
  expect(copy.one).toEqual(copy.two);
  expect(copy.one).not.toBe(copy.two);
});

test('a map of nothing but missing values is an empty map, fast or not', () => {
  const document = { spec: { gone: undefined }, kind: 'K' };
  expect(plainText(document)).toBe('kind: K\nspec: {}\n');
  expect(plainText(document)).toBe(Yaml.stringify(ordered(document)));
});
