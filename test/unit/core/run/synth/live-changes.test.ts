import { expect, test } from 'vitest';
import { liveChanges } from '../../../../../src/core/run/synth/live-changes.ts';
import { aTable } from '../../../../support/allocations/tables.ts';
import { thePools } from '../../../../support/declarations/pools-and-claims.ts';
import { treeOf } from '../../../../support/trees/memory-tree.ts';

const service = (family: string): string =>
  `apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  namespace: shop\nspec:\n  ipFamilies:\n    - ${family}\n`;
const withSpec = (name: string, spec: string): string =>
  `apiVersion: v1\nkind: Service\nmetadata:\n  name: ${name}\n  namespace: shop\nspec:\n${spec}`;
const layout = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: leasehold\ndata:\n  layout: ${name}\n`;

function codesOf(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
) {
  const tree = treeOf(before);
  const writes = new Map(Object.entries(after));
  const removes = Object.keys(before).filter((path) => !writes.has(path));
  const table = aTable(['203.0.113.7']);
  const records = { before: table, after: table, clusters: thePools().clusters };
  const changes = liveChanges(tree, tree.list('dist'), { writes, removes }, records);
  return changes.map(({ code }) => code);
}

test('Services of the same name in two clusters are independent', () => {
  const before = { 'dist/default/a.yaml': service('IPv4') };
  expect(codesOf(before, { 'dist/default/b.yaml': service('IPv6') })).toEqual(['FAMILY_CHANGED']);
  expect(codesOf(before, { 'dist/west/b.yaml': service('IPv6') })).toEqual([]);
});

test.each([
  ['IPv6', '', true],
  ['', 'IPv6', true],
  ['IPv4', '', false],
  ['', 'IPv4', false],
  ['', '', false],
])('a Service that goes from the family "%s" to "%s" is refused: %s', (from, to, isRefused) => {
  const text = (family: string) =>
    family === '' ? withSpec('web', '  type: ClusterIP\n') : service(family);
  expect(
    codesOf({ 'dist/default/a.yaml': text(from) }, { 'dist/default/a.yaml': text(to) }),
  ).toEqual(isRefused ? ['FAMILY_CHANGED'] : []);
});

test.each([
  ['Local', '30090', 'Local', '30091', true],
  ['Local', '', 'Local', '30091', true],
  ['Local', '30090', 'Local', '30090', false],
  ['Local', '30090', 'Local', '', false],
  ['Cluster', '', 'Local', '30091', false],
])(
  'a health check from %s %s to %s %s is refused: %s',
  (...[policy, port, to, toPort, isRefused]) => {
    const text = (policy: string, port: string) =>
      withSpec(
        'web',
        `  externalTrafficPolicy: ${policy}\n${port && `  healthCheckNodePort: ${port}\n`}  type: LoadBalancer\n`,
      );
    const path = 'dist/default/a.yaml';
    expect(codesOf({ [path]: text(policy, port) }, { [path]: text(to, toPort) })).toEqual(
      isRefused ? ['HEALTH_CHECK_CHANGED'] : [],
    );
  },
);

test.each([
  ['', 'a/b', true],
  ['a/b', '', true],
  ['a/b', 'c', true],
  ['a/b', 'a/b', false],
])('a live Service of the class "%s" that gets "%s" is refused: %s', (from, to, isRefused) => {
  const text = (name: string) =>
    withSpec('web', `${name && `  loadBalancerClass: ${name}\n`}  type: LoadBalancer\n`);
  const path = 'dist/default/a.yaml';
  expect(codesOf({ [path]: text(from) }, { [path]: text(to) })).toEqual(
    isRefused ? ['CLASS_CHANGED'] : [],
  );
  const unleased = withSpec('web', '  type: ClusterIP\n');
  expect(codesOf({ [path]: unleased }, { [path]: text(to) })).toEqual([]);
});

test('NODE_PORT_TAKEN when a node port goes from a live Service to another', () => {
  const text = (name: string, port: number) =>
    withSpec(name, `  ports:\n    - nodePort: ${port}\n      port: 80\n`);
  const [a, b] = ['dist/default/a.yaml', 'dist/default/b.yaml'];
  const before = { [a]: text('one', 30080) };
  expect(codesOf(before, { [b]: text('two', 30080) })).toEqual(['NODE_PORT_TAKEN']);
  const swapped = { [a]: text('one', 30081), [b]: text('two', 30080) };
  expect(codesOf(before, swapped)).toEqual(['NODE_PORT_TAKEN']);
  expect(codesOf(before, { [b]: text('two', 30081) })).toEqual([]);
  expect(codesOf(before, { [b]: text('one', 30080) })).toEqual([]);
});

test('the layout of a cluster without held addresses may change', () => {
  const change = (cluster: string) => {
    const path = `dist/${cluster}/leasehold.yaml`;
    return codesOf({ [path]: layout('lease') }, { [path]: layout('pool') });
  };
  expect(change('default')).toEqual(['LAYOUT_CHANGED']);
  expect(change('west')).toEqual([]);
});

test.each([
  ['lease', 'pool', true],
  ['pool', 'lease', true],
  ['lease', 'both', false],
  ['both', 'pool', false],
  ['pool', 'both', false],
  ['both', 'lease', false],
])('the change from layout %s to %s is refused: %s', (from, to, isRefused) => {
  const path = 'dist/default/leasehold.yaml';
  const codes = codesOf({ [path]: layout(from) }, { [path]: layout(to) });
  expect(codes).toEqual(isRefused ? ['LAYOUT_CHANGED'] : []);
});
