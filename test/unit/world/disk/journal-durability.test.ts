import { relative } from 'node:path';
import { expect, it } from 'vitest';
import type { TreeChanges } from '../../../../src/ports/tree.ts';
import { commitChanges, type FileOperations } from '../../../../src/world/disk/journal.ts';
import { soundOperations } from '../../../support/trees/faulty-operations.ts';
import { tempTree } from '../../../support/trees/temp-tree.ts';

const txn = '.leasehold/txn';

/** The operations that a commit does, in order, with paths relative to root. */
async function stepsOf(root: string, changes: TreeChanges): Promise<string[]> {
  const steps: string[] = [];
  const name = (path: string) => relative(root, path) || '.';
  const operations: FileOperations = {
    makeFolder(path) {
      steps.push(`make ${name(path)}`);
      soundOperations.makeFolder(path);
    },
    writeFile(path, text) {
      steps.push(`write ${name(path)}`);
      soundOperations.writeFile(path, text);
    },
    async sync(path) {
      steps.push(`sync ${name(path)}`);
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
    `write ${txn}/0.new`,
    `write ${txn}/commit.json.tmp`,
    `sync ${txn}/0.new`,
    `sync ${txn}/commit.json.tmp`,
    `sync ${txn}`,
    'sync .leasehold',
    'sync .',
    `rename ${txn}/commit.json.tmp ${txn}/commit.json`,
    `sync ${txn}`,
    'make dist/new',
    `rename ${txn}/0.new dist/new/a.yaml`,
    'remove dist/old/b.yaml',
    'remove dist/old',
    'sync .',
    'sync dist',
    'sync dist/new',
    `remove ${txn}/commit.json`,
    `sync ${txn}`,
    `remove ${txn}`,
  ]);
});

it('makes every file of many survive, and every folder', async () => {
  const numbers = Array.from({ length: 200 }, (_, number) => number);
  const writes = new Map(numbers.map((number) => [`dist/f${number}/a.yaml`, 'a']));
  const steps = await stepsOf(tempTree(), { writes, removes: [] });
  const commitPoint = steps.indexOf(`rename ${txn}/commit.json.tmp ${txn}/commit.json`);
  const [before, after] = [steps.slice(0, commitPoint), steps.slice(commitPoint)];
  for (const number of numbers) {
    expect(before.filter((step) => step === `sync ${txn}/${number}.new`)).toHaveLength(1);
    expect(after.filter((step) => step === `sync dist/f${number}`)).toHaveLength(1);
  }
});
