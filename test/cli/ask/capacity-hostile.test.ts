// @module-tag slow

import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import {
  capacityOf,
  countsOf,
  forgeWith,
  pullHeads,
} from '../../support/forge/open-pull-requests.ts';
import type { GitRepository } from '../../support/repositories/git-repository.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { putFile } from '../../support/trees/temp-tree.ts';

/** Makes a pull request of what git is told to do on the branch of Bob. */
function pull({ git }: GitRepository, number: number, change: () => void): void {
  git('checkout', '-q', '--detach', 'bob');
  change();
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'Hostile');
  git('update-ref', `refs/pull/${number}/head`, 'HEAD');
  git('checkout', '-q', '-f', 'main');
}

const ninth = 'leases/allocations/203.0.113/203.0.113.9.yaml';

describe('a hostile branch', () => {
  test.each([
    ['nonsense', 'nonsense\n'],
    ['a record that names itself', 'a: &a [*a, *a]\n'],
    ['more than any record of ours has', `# ${'x'.repeat(20_000)}\n`],
  ])('whose record is %s wants its address all the same', async (_, text) => {
    const { remote, clone } = await forgeWith('bob');
    pull(remote, 3, () => putFile(remote.root, ninth, text));
    const found = await capacityOf(clone, ...pullHeads);
    expect([countsOf(found), found.skipped, found.complete]).toEqual([['15-2=13'], [], true]);
    expect(found.pending[1]?.addresses).toEqual(['203.0.113.9']);
  });

  test('that has ten million files where no record stands takes nothing', async () => {
    const { remote, clone } = await forgeWith('bob');
    remote.git('update-ref', 'refs/pull/3/head', bombOn(remote, 10, 7));
    const found = await capacityOf(clone, ...pullHeads);
    expect([countsOf(found), found.skipped, found.complete]).toEqual([['15-1=14'], [], true]);
  });

  test('that has half a million files where records stand keeps no other from being counted', async () => {
    const { remote, clone } = await forgeWith('bob');
    remote.git('update-ref', 'refs/pull/3/head', bombOn(remote, 700, 2));
    const found = await capacityOf(clone, ...pullHeads);
    expect([countsOf(found), found.complete]).toEqual([['15-1=14'], false]);
    expect(found.skipped).toEqual([
      { ref: 'refs/pull/3/head', reason: 'it is too large to be read' },
    ]);
  });

  test('without a common ancestor, or with a missing commit, is reported, and the answer is undecided', async () => {
    const { remote, clone } = await forgeWith('bob');
    remote.git('checkout', '-q', '--orphan', 'alone');
    remote.git('commit', '-q', '-m', 'Alone');
    remote.git('update-ref', 'refs/pull/4/head', 'HEAD');
    const found = await capacityOf(clone, ...pullHeads);
    expect([countsOf(found), found.complete]).toEqual([['15-1=14'], false]);
    expect(found.skipped).toMatchObject([
      { ref: 'refs/pull/4/head', reason: expect.stringMatching(/no common commit/) },
    ]);
    const options = ['capacity', ...pullHeads, '--at-least'];
    const enough = await runInProcess([...options, '14'], clone);
    expect([enough.status, enough.err]).toEqual([
      4,
      expect.stringMatching(/pull\/4\/head is not counted: .*\nopen branches may take more/),
    ]);
    expect((await runInProcess([...options, '15'], clone)).status).toBe(3);
    expect((await runInProcess(['capacity', ...pullHeads], clone)).status).toBe(0);
  });

  test('whose date lies ahead would never grow old, so it does not count', async () => {
    const { remote, clone } = await forgeWith('bob');
    for (const [number, day] of [
      [3, '2026-01-14'],
      [4, '2099-12-31'],
    ] as const) {
      const later = remote.on(day);
      later.git('checkout', '-q', '--detach', 'cat');
      later.git('commit', '-q', '--allow-empty', '-m', 'Later');
      later.git('update-ref', `refs/pull/${number}/head`, 'HEAD');
    }
    const found = await capacityOf(clone, ...pullHeads);
    expect([countsOf(found), found.complete]).toEqual([['15-1=14'], true]);
    expect(found.skipped.map(({ ref }) => ref)).toEqual(['refs/pull/3/head', 'refs/pull/4/head']);
  });

  test('whose ref has a name that a terminal obeys does not reach it', async () => {
    const { remote, clone } = await forgeWith('bob');
    remote.git('update-ref', 'refs/pull/\u202e9/head', 'cat');
    const { err } = await runInProcess(['capacity', ...pullHeads], clone);
    expect(err).toContain('refs/pull/?9/head takes 203.0.113.1');
  });
});

/** A commit on `bob` whose folder of records holds the same folder so many times, and that another one, so deep. */
function bombOn({ git, root }: GitRepository, width: number, depth: number): string {
  const many = (entry: string) =>
    Array.from({ length: width }, (_, index) => `${entry}\t${index}\n`).join('');
  let tree = treeOf(root, many(`100644 blob ${git('rev-parse', 'bob:leases/pools.yaml').trim()}`));
  for (let level = 1; level < depth; level += 1) tree = treeOf(root, many(`040000 tree ${tree}`));
  const leases = treeOf(root, `040000 tree ${tree}\tallocations\n`);
  const top = treeOf(root, `040000 tree ${leases}\tleases\n`);
  return git('commit-tree', '-p', 'bob', '-m', 'Bomb', top).trim();
}

function treeOf(root: string, entries: string): string {
  const input = { cwd: root, input: entries, encoding: 'utf8' } as const;
  return spawnSync('git', ['mktree'], input).stdout.trim();
}
