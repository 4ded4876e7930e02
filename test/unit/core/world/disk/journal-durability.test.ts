import { relative } from 'node:path';
import { expect, it } from 'vitest';
import type { TreeChanges } from '../../../../../src/core/interfaces/tree.ts';
import type { FileOperations } from '../../../../../src/core/world/disk/file-operations.ts';
import { commitChanges } from '../../../../../src/core/world/disk/journal.ts';
import { soundOperations } from '../../../../support/trees/faulty-operations.ts';
import { tempTree } from '../../../../support/trees/temp-tree.ts';

const txn = '.leasehold/txn';

/** The operations that a commit does, in order, with paths relative to root. */
async function stepsOf(root: string, changes: TreeChanges, hasSyncDisk = true): Promise<string[]> {
  const steps: string[] = [];
  const name = (path: string) => relative(root, path) || '.';
  const operations: FileOperations = {
    makeFolder(path) {
      steps.push(`make ${name(path)}`);
      soundOperations.makeFolder(path);
    },
    writeFile(path, parts) {
      steps.push(`write ${name(path)}`);
      soundOperations.writeFile(path, parts);
    },
    async sync(path) {
      steps.push(`sync ${name(path)}`);
    },
    async syncDisk(folder) {
      steps.push(`sync the disk of ${name(folder)}`);
      return hasSyncDisk;
    },
    rename(from, to) {
      steps.push(`rename ${name(from)} ${name(to)}`);
      soundOperations.rename(from, to);
    },
    removeFile(path) {
      steps.push(`remove ${name(path)}`);
      soundOperations.removeFile(path);
    },
    removeFolder(path) {
      steps.push(`remove ${name(path)}`);
      soundOperations.removeFolder(path);
    },
  };
  await commitChanges(root, changes, operations);
  return steps;
}

it('makes each stage of a commit survive a power cut before the next begins', async () => {
  const changes = { writes: new Map([['dist/new/a.yaml', 'a']]), removes: ['dist/old/b.yaml'] };
  expect(await stepsOf(tempTree({ 'dist/old/b.yaml': 'b' }), changes)).toEqual([
    `make ${txn}`,
    `write ${txn}/bytes`,
    `write ${txn}/commit.json.tmp`,
    `sync ${txn}/bytes`,
    `sync ${txn}/commit.json.tmp`,
    `sync ${txn}`,
    'sync .leasehold',
    'sync .',
    `rename ${txn}/commit.json.tmp ${txn}/commit.json`,
    `sync ${txn}`,
    'make dist/new',
    `write ${txn}/next`,
    `rename ${txn}/next dist/new/a.yaml`,
    'remove dist/old/b.yaml',
    'remove dist/old',
    'sync dist/new/a.yaml',
    'sync .',
    'sync dist',
    'sync dist/new',
    `remove ${txn}/commit.json`,
    `sync ${txn}`,
    `remove ${txn}/bytes`,
    `remove ${txn}`,
  ]);
});

/** A file in each of 200 folders. */
const numbers = Array.from({ length: 200 }, (_, number) => number);
const many: TreeChanges = {
  writes: new Map(numbers.map((number) => [`dist/f${number}/a.yaml`, 'a'])),
  removes: [],
};

it('makes many files survive by syncing their disk once, before the journal goes', async () => {
  const steps = await stepsOf(tempTree(), many);
  const synced = steps.indexOf('sync the disk of .');
  expect(steps.lastIndexOf(`rename ${txn}/next dist/f99/a.yaml`)).toBeLessThan(synced);
  expect(steps.indexOf(`remove ${txn}/commit.json`)).toBe(synced + 1);
  expect(steps.filter((step) => step.startsWith('sync '))).toHaveLength(8);
});

it('makes every file and every folder of many survive where the disk cannot be synced', async () => {
  const steps = await stepsOf(tempTree(), many, false);
  const until = steps.indexOf(`remove ${txn}/commit.json`);
  const after = steps.slice(steps.indexOf('sync the disk of .'), until);
  for (const number of numbers) {
    expect(after.filter((step) => step === `sync dist/f${number}`)).toHaveLength(1);
    expect(after.filter((step) => step === `sync dist/f${number}/a.yaml`)).toHaveLength(1);
  }
});
