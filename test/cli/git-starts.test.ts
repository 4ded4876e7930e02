import { describe, expect, it, test } from 'vitest';
import { remadeTwoLeases } from '../support/repositories/cached-repository.ts';
import type { GitRepository } from '../support/repositories/git-repository.ts';
import { declarationOf, holderOf } from '../support/repositories/two-leases.ts';
import { gitStarts } from '../support/run/git-starts.ts';
import { runInProcess } from '../support/run/run-in-process.ts';
import { putFile, tempTree } from '../support/trees/temp-tree.ts';

/**
 * How often a command may start git, at most, on a branch with a commit of its own. A start costs
 * some milliseconds, and a lower number is welcome here.
 */
const most: readonly (readonly [count: number, command: string])[] = [
  [0, '--version'],
  [0, '--help'],
  [0, 'explain STALE'],
  [1, 'check'],
  [1, 'list'],
  [1, 'list -o values'],
  [1, 'who 203.0.113.1'],
  [1, 'pools'],
  [1, 'map default'],
  [1, `pin ${holderOf('cat')}`],
  [1, 'prune --today 2026-01-10'],
  [3, 'capacity'],
  [4, 'history 203.0.113.0'],
  [6, 'report'],
  [7, 'report --base main'],
  [5, 'synth --today 2026-01-10'],
  [5, 'add reservation shop/web 80 --today 2026-01-10'],
  [6, `release ${holderOf('cat')} --today 2026-01-10`],
  [5, `move ${holderOf('ann')} --today 2026-01-10`],
  [4, 'check --base main'],
  [4, 'plan --base main'],
  [5, 'plan'],
  [3, 'plan --base HEAD'],
];

/** The branch `cat`, with `main` behind it. */
async function branchCat(): Promise<GitRepository> {
  const repository = await remadeTwoLeases();
  repository.git('checkout', '-q', 'cat');
  return repository;
}

/** The starts of git of a command that ends with a status. Fails when two of them are the same. */
async function startsOf(root: string, command: string, status = 0): Promise<number> {
  let finished: unknown;
  const starts = await gitStarts(async () => {
    finished = await runInProcess(command.split(' '), root);
  });
  expect(finished).toMatchObject({ status });
  expect(starts.filter((start, index) => starts.indexOf(start) !== index)).toEqual([]);
  return starts.length;
}

describe('git is asked each thing once, and is started', () => {
  it.each(most)('at most %i times by %s', async (count, command) => {
    const { root } = await branchCat();
    expect(await startsOf(root, command)).toBeLessThanOrEqual(count);
  });

  // It stages twice: what it wrote, as a part of the writing, and then what the merge left unmerged.
  it('at most 13 times by resolve', { tags: 'slow' }, async () => {
    const { root, isDone } = await branchCat();
    expect(isDone('merge', '-q', 'bob')).toBe(false);
    const command = 'resolve --keep ours --today 2026-01-10';
    expect(await startsOf(root, command)).toBeLessThanOrEqual(13);
  });

  it('at most 6 times by check with problems', async () => {
    const { root } = await branchCat();
    putFile(root, 'leases/dan.yaml', declarationOf('dan'));
    expect(await startsOf(root, 'check', 1)).toBeLessThanOrEqual(6);
  });

  it('never outside of a repository', async () => {
    const root = tempTree({ 'leases/dan.yaml': declarationOf('dan') });
    expect(await startsOf(root, 'check', 1)).toBe(0);
  });
});

test('two starts of one command are noticed', async () => {
  const { root } = await branchCat();
  const twice = async () => {
    await runInProcess(['check'], root);
    await runInProcess(['check'], root);
  };
  const starts = await gitStarts(twice);
  expect(starts).toHaveLength(2);
  expect(new Set(starts).size).toBe(1);
});
