import { expect, test } from 'vitest';
import type { SourceTree } from '../../../../src/app/ports/tree.ts';
import { liveChanges } from '../../../../src/app/synth/live-changes.ts';
import { aTable } from '../../../support/allocation-builders.ts';
import { thePools } from '../../../support/builders.ts';

const service = (family: string): string =>
  `apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  namespace: shop\nspec:\n  ipFamilies:\n    - ${family}\n`;
const layout = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: leasehold\ndata:\n  layout: ${name}\n`;

function treeOf(files: Readonly<Record<string, string>>): SourceTree {
  return {
    list: () =>
      Object.entries(files).map(([path, text]) => ({ path, kind: 'file', size: text.length })),
    read: (path) => Buffer.from(files[path] ?? ''),
  };
}

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

test('a Service of one cluster is nothing to one of that name in another', () => {
  const before = { 'dist/default/a.yaml': service('IPv4') };
  expect(codesOf(before, { 'dist/default/b.yaml': service('IPv6') })).toEqual(['FAMILY_CHANGED']);
  expect(codesOf(before, { 'dist/west/b.yaml': service('IPv6') })).toEqual([]);
});

test('the layout of a cluster that holds nothing may change', () => {
  const change = (cluster: string) => {
    const path = `dist/${cluster}/leasehold.yaml`;
    return codesOf({ [path]: layout('lease') }, { [path]: layout('pool') });
  };
  expect(change('default')).toEqual(['LAYOUT_CHANGED']);
  expect(change('west')).toEqual([]);
});
