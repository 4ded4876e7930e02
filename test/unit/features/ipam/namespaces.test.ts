import { expect, test } from 'vitest';
import { namespaceNames } from '../../../../src/features/ipam/namespaces.ts';

const file = (name: string, value: unknown) => ({
  name,
  bytes: new TextEncoder().encode(JSON.stringify(value)),
});

const namespace = (name: string, uid: string) => ({ kind: 'Namespace', metadata: { name, uid } });

test('the names of each cluster are found by its id', () => {
  const names = namespaceNames([
    file('east', { kind: 'List', items: [namespace('kube-system', 'e'), namespace('shop', 'a')] }),
    file('west', { kind: 'List', items: [namespace('shop', 'c'), namespace('kube-system', 'w')] }),
  ]);
  expect(names.get('e')?.get('a')).toBe('shop');
  expect(names.get('w')?.get('c')).toBe('shop');
  expect(names.get('w')?.get('a')).toBeUndefined();
});

test.each([
  [namespace('shop', 'a')],
  [{ items: [{ kind: 'Pod', metadata: { name: 'shop', uid: 'a' } }] }],
  [{ items: [namespace('shop', '')] }],
  ['no list'],
])('another file is refused by its name: %j', (value) => {
  expect(() => namespaceNames([file('namespaces.json', value)])).toThrow(
    'namespaces.json is not what `kubectl get namespaces -o json` prints',
  );
});

test('a file that does not say which cluster it is of is refused', () => {
  expect(() => namespaceNames([file('some.json', { items: [namespace('shop', 'a')] })])).toThrow(
    'some.json is without the namespace kube-system',
  );
});
