import { expect, test } from 'vitest';
import type { Shards } from '../../../../../src/core/model/pools.ts';
import { liveChanges } from '../../../../../src/core/run/synth/live-changes.ts';
import { aTable } from '../../../../support/allocations/tables.ts';
import { thePools } from '../../../../support/declarations/pools-and-claims.ts';
import { treeOf } from '../../../../support/trees/memory-tree.ts';

type Files = Readonly<Record<string, string>>;

const web = `apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: shop
spec:
  type: ClusterIP
`;
const kept = (layout: string): string => `apiVersion: v1
kind: ConfigMap
metadata:
  name: leasehold
data:
  layout: ${layout}
`;

function found(shards: Shards, before: Files, after: Files): readonly string[] {
  const tree = treeOf(before);
  const writes = new Map(Object.entries(after));
  const removes = Object.keys(before).filter((path) => !writes.has(path));
  const table = aTable(['203.0.113.7']);
  const records = {
    before: table,
    after: table,
    clusters: thePools({ cluster: { shards } }).clusters,
  };
  return liveChanges(tree, tree.list('dist'), { writes, removes }, records).map(
    ({ code, at }) => `${code} ${at.file}`,
  );
}

const [first, second, third] = [
  'dist/default/ab/shop-web-ab0123456789.yaml',
  'dist/default/ac/shop-web-ac0123456789.yaml',
  'dist/default/b/bc/shop-web-bc0123456789.yaml',
];
const one = { 'dist/default/leasehold.yaml': kept('lease') };
const sixteen = {
  'dist/default/a/leasehold.yaml': kept('lease'),
  'dist/default/b/leasehold.yaml': kept('lease'),
};
const many = { 'dist/default/ab/leasehold.yaml': kept('lease') };

test.each([
  [one, 16],
  [one, 256],
  [sixteen, 1],
  [sixteen, 256],
  [many, 1],
  [many, 16],
] as const)('the shards %j do not become %i', (keep, shards) => {
  const before = { ...keep, [first]: web };
  expect(found(shards, before, { [second]: web })).toEqual(['SHARDS_CHANGED leases/pools.yaml']);
});

test.each([
  [one, 1],
  [sixteen, 16],
  [many, 256],
] as const)('the shards %j stay %i', (keep, shards) => {
  const before = { ...keep, [first]: web };
  expect(found(shards, before, { ...before, [first]: web })).toEqual([]);
});

test('the shards of an empty cluster may change, and do not affect another cluster', () => {
  expect(found(16, one, sixteen)).toEqual([]);
  const west = {
    'dist/west/leasehold.yaml': kept('lease'),
    'dist/west/ab/x-ab0123456789.yaml': web,
  };
  expect(found(16, west, { [third]: web })).toEqual([]);
});

test('a Service may go to another file of its shard, but not to another shard', () => {
  expect(found(1, { ...one, [first]: web }, { [second]: web })).toEqual([]);
  expect(found(256, { ...many, [first]: web }, { [second]: web })).toEqual([`SHARD_LEFT ${first}`]);
  const before = { ...sixteen, 'dist/default/a/ab/shop-web-ab0123456789.yaml': web };
  expect(found(16, before, { 'dist/default/a/ac/shop-web-ac0123456789.yaml': web })).toEqual([]);
  expect(found(16, before, { [third]: web })).toEqual([
    'SHARD_LEFT dist/default/a/ab/shop-web-ab0123456789.yaml',
  ]);
});

test('a change of many shards is one problem', () => {
  const after = Object.fromEntries(Object.keys(sixteen).map((path) => [path, kept('pool')]));
  expect(found(16, sixteen, after)).toEqual(['LAYOUT_CHANGED leases/pools.yaml']);
});
