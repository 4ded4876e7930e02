import { describe, expect, test } from 'vitest';
import type { Layout } from '../../../../../src/core/model/planes.ts';
import type { Shards } from '../../../../../src/core/model/pools.ts';
import {
  engineCautions,
  layoutCautions,
  mostHeldPools,
  mostObjects,
} from '../../../../../src/core/run/plan/scale-cautions.ts';
import type { Review } from '../../../../../src/core/run/review/review.ts';
import { aTable } from '../../../../support/allocations/tables.ts';
import { thePools } from '../../../../support/declarations/pools-and-claims.ts';
import { aDeclared } from '../../../../support/plans/plan-builders.ts';
import { treeOf } from '../../../../support/trees/memory-tree.ts';

/** A manifest of some objects. */
const manifest = (objects: number): string =>
  `${'kind: Service\n---\n'.repeat(objects - 1)}kind: Service\n`;

/** What is told when a file of the folder gets objects, beside files with others. */
function told(
  others: readonly number[],
  [before, after]: readonly [number, number],
  { shards = 1 as Shards, folder = 'dist/default' } = {},
): readonly string[] {
  const head = aDeclared({ pools: thePools({ cluster: { shards } }) });
  const files = others.map((objects, index) => [
    `${folder}/shop/s${index}.yaml`,
    manifest(objects),
  ]);
  const path = `${folder}/shop/web.yaml`;
  const texts = [before, after].map((count) => (count === 0 ? undefined : manifest(count)));
  const [old, text] = texts;
  if (text !== undefined) files.push([path, text]);
  // A cluster and a shard of their own, which do not count.
  files.push(['dist/west/shop/web.yaml', manifest(50)], ['dist/default/f/shop/a.yaml', '']);
  const comparison = { headTree: treeOf(Object.fromEntries(files)) };
  const manifests = [{ path, before: old, after: text }];
  const review = { base: aDeclared(), head, manifests, comparison } as unknown as Review;
  return engineCautions(review).map(({ code, message }) => `${code} ${message}`);
}

describe('ENGINE_LOADED', () => {
  // The empty file counts as one object.
  const most = mostObjects - 1;
  test.each([
    ['the last object that fits', [most - 1], [0, 1], false],
    ['one object more', [most], [0, 1], true],
    ['one in the same file', [most - 1], [1, 2], true],
    ['one more beyond', [most + 1], [0, 1], false],
    ['as many as before', [most], [1, 1], false],
    ['fewer', [most + 9], [9, 1], false],
    ['all at once', [], [0, most + 1], true],
    ['more files than objects fit', Array.from({ length: most + 2 }, () => 1), [0, 1], false],
  ] as const)('%s', (_, others, change, isTold) => {
    expect(told(others, change).length > 0).toBe(isTold);
  });

  test('names the shards that would be enough', () => {
    expect(told([most], [0, 1])).toEqual([
      'ENGINE_LOADED cluster default would have 2001 objects in one Application or Kustomization; shards: 16 would be enough',
    ]);
    expect(told([], [0, 60_000])[0]).toMatch(/; shards: 256 would be enough$/);
    expect(told([], [0, 500_000])[0]).toMatch(/Kustomization$/);
    const sharded = { shards: 16, folder: 'dist/default/b' } as const;
    expect(told([], [0, mostObjects], sharded)).toEqual([]);
    expect(told([], [0, mostObjects + 1], sharded)).toEqual([
      'ENGINE_LOADED shard b of default would have 2001 objects in one Application or Kustomization; shards: 256 would be enough',
    ]);
  });
});

describe('LAYOUT_COSTLY', () => {
  const holding = (count: number, layout: Layout) =>
    aDeclared({
      pools: thePools({
        cluster: { plane: { kind: 'metallb', version: '0.16.1', namespace: 'm', layout } },
      }),
      table: aTable(
        ...Array.from({ length: count }, (_, index) => {
          const name = `s${index}`;
          return [`10.0.${index >> 8}.${index & 255}`, { name }] as const;
        }),
      ),
    });
  const told = (before: number, after: number, layout: Layout = 'lease') =>
    layoutCautions({
      base: holding(before, layout),
      head: holding(after, layout),
    } as unknown as Review).map(({ message }) => message);

  test.each([
    [mostHeldPools - 1, mostHeldPools, false],
    [mostHeldPools, mostHeldPools + 1, true],
    [mostHeldPools + 1, mostHeldPools + 2, false],
    [mostHeldPools + 2, mostHeldPools + 1, false],
  ])('from %d pools to %d: %s', (before, after, isTold) => {
    expect(told(before, after).length > 0).toBe(isTold);
    expect(told(before, after, 'pool')).toEqual([]);
  });

  test('names the number of pools, and the way to another layout', () => {
    expect(told(0, mostHeldPools + 1)).toEqual([
      `cluster default would have ${mostHeldPools + 1} IPAddressPools with layout: lease; \`leasehold migrate-layout pool --cluster default\` changes it without an outage`,
    ]);
  });
});
