import { expect, test } from 'vitest';
import type { WorkspaceSnapshot } from '../../../../src/features/ask/workspace-snapshot.ts';
import type { LongWork, ReadTree } from '../../../../src/features/serve/long-work.ts';
import {
  inParts,
  inWhole,
  type PartedWork,
  partedWorkMethods,
} from '../../../../src/features/serve/tree-parts.ts';
import type { Allocation } from '../../../../src/model/allocation.ts';
import type { Claim } from '../../../../src/model/claim.ts';
import { EnvironmentError, fail, ok } from '../../../../src/model/problem.ts';
import { aDay } from '../../../support/allocations/tables.ts';
import { noHostnames } from '../../../support/trees/workspace-snapshot.ts';

const day = aDay('2026-01-10');

/** A tree with so many records and holders. */
function tree(records: number, holders: number): ReadTree {
  const table = new Map(numbered(records).map((name) => [name, { pool: name } as Allocation]));
  const claims = new Map(numbered(holders).map((name) => [name, [{ service: name } as Claim]]));
  const pools = { defaultZone: 'inet' } as WorkspaceSnapshot['pools'];
  const snapshot = ok({ pools, table, claims, promises: new Map(), ...noHostnames, problems: [] });
  return { snapshot, capacity: undefined, commit: undefined, isUncommitted: true };
}

function numbered(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `n${index}`);
}

/** Work that reads a tree, whose answers are copied as a message of a thread is. */
function thread(read: ReadTree, kept?: ReadTree) {
  const work = {
    read: async () => read,
    readKept: async () => kept,
  } as Partial<LongWork> as LongWork;
  const parted = inParts(work);
  const asked: string[] = [];
  const methods = partedWorkMethods.map((name) => [
    name,
    async (argument: never) => {
      asked.push(name);
      return structuredClone(await parted[name](argument));
    },
  ]);
  return { asked, work: Object.fromEntries(methods) as PartedWork };
}

test.each([
  [0, 0, 0],
  [1, 0, 1],
  [0, 200, 1],
  [201, 3, 2],
  [1000, 1001, 6],
])(
  'a tree of %i records and %i holders comes whole in %i parts',
  async (records, holders, parts) => {
    const read = tree(records, holders);
    const { work, asked } = thread(read);
    expect(await inWhole(work).read(day)).toEqual(read);
    expect(asked).toEqual(['read', ...Array.from({ length: parts }, () => 'part')]);
  },
);

test('the tree of an earlier process comes in parts too, or not at all', async () => {
  const kept = tree(300, 300);
  expect(await inWhole(thread(tree(1, 1), kept).work).readKept(day)).toEqual(kept);
  expect(await inWhole(thread(tree(1, 1)).work).readKept(day)).toBeUndefined();
});

test('a tree with problems has no parts', async () => {
  const at = { file: 'leases/pools.yaml', line: 1, column: 1 };
  const problems = [{ code: 'YAML_SYNTAX', message: 'bad', at }] as const;
  const read = { ...tree(0, 0), snapshot: fail(problems) };
  const { work, asked } = thread(read);
  expect(await inWhole(work).read(day)).toEqual(read);
  expect(asked).toEqual(['read']);
});

test('a part that the thread no longer has is an error of the environment', async () => {
  const { work } = thread(tree(1, 1));
  await expect(work.part(0)).rejects.toThrow(EnvironmentError);
  await inWhole(work).read(day);
  await expect(work.part(0)).rejects.toThrow(EnvironmentError);
});
