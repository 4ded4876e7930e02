import { expect, test } from 'vitest';
import type { Allocation } from '../../../../src/core/model/allocation.ts';
import type { Claim } from '../../../../src/core/model/claim.ts';
import { EnvironmentError, fail, ok } from '../../../../src/core/model/problem.ts';
import type { LongWork, ReadTree } from '../../../../src/features/serve/long-work.ts';
import {
  inParts,
  inWhole,
  type PartedWork,
  partedWorkMethods,
} from '../../../../src/features/serve/tree-parts.ts';
import type { WorkspaceSnapshot } from '../../../../src/lib/list/workspace-snapshot.ts';
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

function tableOf({ snapshot }: ReadTree): ReadonlyMap<string, Allocation> {
  return snapshot.ok ? snapshot.value.table : new Map();
}

/** Work that reads a tree, whose answers are copied as a message of a thread is. */
function thread(read: ReadTree | (() => ReadTree), kept?: ReadTree) {
  const work = {
    read: async () => (typeof read === 'function' ? read() : read),
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
  [0, 0, 0, 0],
  [1, 0, 1, 1],
  [0, 301, 2, 8],
  [1000, 1001, 8, 40],
])(
  'a tree of %i records and %i holders comes whole in %i to %i parts',
  async (records, holders, least, most) => {
    const read = tree(records, holders);
    const { work, asked } = thread(read);
    expect(await inWhole(work).read(day)).toEqual(read);
    expect(asked[0]).toBe('read');
    expect(asked.slice(1).every((name) => name === 'part')).toBe(true);
    expect(asked.length - 1).toBeGreaterThanOrEqual(least);
    expect(asked.length - 1).toBeLessThanOrEqual(most);
  },
);

test('of a tree that is read again only changed parts come, and the others are the same objects', async () => {
  const first = tree(5000, 5000);
  if (!first.snapshot.ok) throw new Error('the tree has problems');
  const { table, claims } = first.snapshot.value;
  const read = { ...first };
  const { work, asked } = thread(() => read);
  const whole = inWhole(work);
  const was = await whole.read(day);
  asked.length = 0;
  expect(await whole.read(day)).toEqual(first);
  expect(asked).toEqual(['read']);
  const changed = [...table].flatMap(([name, record], index): [string, Allocation][] => [
    ...(index === 2000 ? [['more', { pool: 'more' } as Allocation] as [string, Allocation]] : []),
    [name, record],
  ]);
  read.snapshot = ok({ ...first.snapshot.value, table: new Map(changed), claims });
  asked.length = 0;
  const now = await whole.read(day);
  expect(now).toEqual(read);
  expect([...tableOf(now)]).toEqual(changed);
  expect(asked.length).toBeLessThanOrEqual(3);
  expect(tableOf(now).get('n4999')).toBe(tableOf(was).get('n4999'));
});

test('a changed value is sent, also one that is no JSON', async () => {
  const read = { ...tree(0, 0) };
  const { work } = thread(() => read);
  const whole = inWhole(work);
  for (const value of [1n, 2n]) {
    const record = { address: { family: 'ipv4', value } } as Allocation;
    const empty = tree(0, 0).snapshot;
    read.snapshot = empty.ok ? ok({ ...empty.value, table: new Map([['a', record]]) }) : empty;
    expect(tableOf(await whole.read(day)).get('a')).toEqual(record);
  }
  const odd = { address: new Map() } as unknown as Allocation;
  const empty = tree(0, 0).snapshot;
  read.snapshot = empty.ok ? ok({ ...empty.value, table: new Map([['a', odd]]) }) : empty;
  await expect(whole.read(day)).rejects.toThrow('a part has a map');
});

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
  await expect(work.part('0')).rejects.toThrow(EnvironmentError);
  await inWhole(work).read(day);
  await expect(work.part('0')).rejects.toThrow(EnvironmentError);
});
