import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { remadeTwoLeases } from '../../support/repositories/cached-repository.ts';
import type { GitRepository } from '../../support/repositories/git-repository.ts';
import { declarationOf, holderOf } from '../../support/repositories/two-leases.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { content, putFile } from '../../support/trees/temp-tree.ts';

const settled =
  'run `leasehold resolve`, which resolves leases/allocations/, leases/hostnames/ and dist/, and says which other files to edit';

/** The first line that a command prints about what goes wrong. */
async function firstLine({ root }: GitRepository, ...words: readonly string[]): Promise<string> {
  const { status, out, err } = await runInProcess(words, root);
  expect(status).toBe(1);
  expect([out, err]).toContain('');
  const [line = ''] = `${out}${err}`.split('\n');
  return line;
}

/** The branch cat, into which these words of git do not bring bob without a conflict. */
async function conflicting(...words: readonly string[]): Promise<GitRepository> {
  const repository = await remadeTwoLeases();
  repository.git('checkout', '-q', 'cat');
  expect(repository.isDone(...words)).toBe(false);
  return repository;
}

/** The same tree, in which another file than those of leasehold has a conflict. */
async function conflictElsewhere(): Promise<GitRepository> {
  const repository = await remadeTwoLeases();
  const { git, root } = repository;
  for (const [branch, from] of [
    ['left', 'main'],
    ['right', 'main'],
  ] as const) {
    git('checkout', '-q', '-b', branch, from);
    putFile(root, 'notes.md', branch);
    git('add', '-A');
    git('commit', '-q', '-m', branch);
  }
  expect(repository.isDone('merge', '-q', 'left')).toBe(false);
  return repository;
}

describe('a command that fails in the middle of', () => {
  it.each([
    ['merge', ['merge', '-q', 'bob']],
    ['squash', ['merge', '-q', '--squash', 'bob']],
    ['rebase', ['rebase', '-q', 'bob']],
    ['rebase', ['rebase', '-q', '--apply', 'bob']],
    ['cherry-pick', ['cherry-pick', 'bob']],
  ] as const)('a %s first names the command that settles it', async (name, words) => {
    const repository = await conflicting(...words);
    const notice = `leasehold: a ${name} is in progress: first ${settled}`;
    expect(await firstLine(repository, 'check')).toBe(notice);
    expect(await firstLine(repository, 'synth')).toBe(notice);
    expect(await firstLine(repository, 'plan', '--base', 'main')).toBe(notice);
  });

  it('a plan of a commit does not look at the merge in the working tree', async () => {
    const repository = await conflicting('merge', '-q', 'bob');
    const words = ['plan', '--base', 'main', '--head', 'cat'];
    const { status, out, err } = await runInProcess(words, repository.root);
    expect(status).toBe(0);
    expect(`${out}${err}`).not.toContain('resolve');
  });

  it('a plan for programs names it beside its document', async () => {
    const repository = await conflicting('merge', '-q', 'bob');
    const words = ['plan', '--base', 'main', '-o', 'json'];
    const { out, err } = await runInProcess(words, repository.root);
    expect(JSON.parse(out)).toMatchObject({ kind: 'Plan', verdict: 'blocked' });
    expect(err).toBe(`leasehold: a merge is in progress: first ${settled}\n`);
  });

  it('a revert does so too', async () => {
    const repository = await remadeTwoLeases();
    const { git, root, isDone } = repository;
    git('checkout', '-q', 'bob');
    await runInProcess(['move', holderOf('bob'), '--no-base', '--today', '2026-01-11'], root);
    git('add', '-A');
    git('commit', '-q', '-m', 'bob has moved');
    expect(isDone('revert', '--no-edit', 'HEAD~1')).toBe(false);
    expect(await firstLine(repository, 'check')).toMatch(
      /^leasehold: a revert is in progress: first run `leasehold resolve`, /,
    );
    expect(await firstLine(repository, 'plan', '--base', 'main')).toContain(settled);
  });

  it('a merge does so for each command', { tags: 'slow' }, async () => {
    const repository = await conflicting('merge', '-q', 'bob');
    const commands = [
      ['move', holderOf('cat')],
      ['release', holderOf('cat')],
      ['pin', holderOf('cat')],
      ['release', '--cluster', 'default'],
      ['prune'],
      ['list'],
      ['list', '-o', 'values'],
      ['who', '203.0.113.1'],
      ['pools'],
      ['map', 'default'],
      ['capacity'],
      ['report'],
      ['check', '--base', 'main'],
    ];
    for (const words of commands) expect(await firstLine(repository, ...words)).toContain(settled);
  });

  it('a merge that keeps one side of each conflict, as .gitattributes can say', async () => {
    const repository = await remadeTwoLeases();
    putFile(repository.root, '.git/info/attributes', 'leases/** -merge\ndist/** -merge\n');
    repository.git('checkout', '-q', 'cat');
    expect(repository.isDone('merge', '-q', 'bob')).toBe(false);
    expect(await firstLine(repository, 'check')).toContain(settled);
  });

  it.each([['release', holderOf('ann')], ['synth'], ['move', holderOf('ann')], ['check']])(
    'a merge that keeps one side of a record without markers: %s',
    async (...words) => {
      const repository = await remadeTwoLeases();
      putFile(repository.root, '.git/info/attributes', 'leases/** -merge\ndist/** merge=ours\n');
      repository.git('checkout', '-q', 'cat');
      expect(repository.isDone('merge', '-q', 'bob')).toBe(false);
      repository.git('checkout', 'HEAD', '--', 'dist');
      const before = content(repository.root);
      expect(await firstLine(repository, ...words)).toContain(settled);
      const { out } = await runInProcess(words, repository.root);
      expect(out).toMatch(
        /^leases\/allocations\/203\.0\.113\/203\.0\.113\.1\.yaml:1:1 FILE_UNMERGED /m,
      );
      expect(content(repository.root)).toEqual(before);
    },
  );

  it('a merge that keeps one side of a declaration without markers', async () => {
    const repository = await remadeTwoLeases();
    const { git, root, isDone } = repository;
    putFile(root, '.git/info/attributes', 'leases/** -merge\n');
    for (const [branch, port] of [
      ['one', 9000],
      ['two', 9001],
    ] as const) {
      git('checkout', '-q', '-b', branch, 'main');
      putFile(root, 'leases/ann.yaml', declarationOf('ann', { port }));
      git('commit', '-q', '-a', '-m', 'another port');
    }
    expect(isDone('merge', '-q', 'one')).toBe(false);
    const { out } = await runInProcess(['check'], root);
    expect(out).toMatch(/^leases\/ann\.yaml:1:1 FILE_UNMERGED /m);
    expect(out).toContain('run `leasehold resolve`, which shows what each side has changed in it');
  });

  it('a merge that leaves declarations to people names resolve, which names them', async () => {
    const repository = await remadeTwoLeases();
    const { git, root, isDone } = repository;
    for (const [branch, port] of [
      ['bob', 9000],
      ['cat', 9001],
    ] as const) {
      git('checkout', '-q', branch);
      putFile(root, 'leases/ann.yaml', declarationOf('ann', { port }));
      git('commit', '-q', '-a', '-m', 'another port');
    }
    expect(isDone('merge', '-q', 'bob')).toBe(false);
    expect(await firstLine(repository, 'synth')).toBe(
      `leasehold: a merge is in progress: first ${settled}`,
    );
    expect(await firstLine(repository, 'resolve')).toMatch(
      /^leases\/ann\.yaml:10:1 YAML_CONFLICT /,
    );
  });
});

describe('a command that fails does not mention', () => {
  it('a merge in which leasehold has no part', async () => {
    const repository = await conflictElsewhere();
    putFile(repository.root, 'leases/eve.yaml', 'nonsense');
    expect(await firstLine(repository, 'check')).toMatch(/^leases\/eve\.yaml:1:1 /);
  });

  it('a merge when none is in progress', async () => {
    const repository = await remadeTwoLeases();
    rmSync(join(repository.root, 'dist'), { recursive: true });
    expect(await firstLine(repository, 'check')).toMatch(/^dist\/.* STALE /);
  });

  it('resolve when git does not name the merged commits', async () => {
    const repository = await remadeTwoLeases();
    const { git, root, isDone } = repository;
    putFile(root, 'leases/ann.yaml', declarationOf('ann', { port: 9000 }));
    git('stash', '-q');
    putFile(root, 'leases/ann.yaml', declarationOf('ann', { port: 9001 }));
    git('commit', '-q', '-a', '-m', 'another port');
    expect(isDone('stash', 'pop')).toBe(false);
    const line = await firstLine(repository, 'check');
    expect(line).toContain('`git stash pop` leaves such files');
    expect(line).not.toContain('resolve,');
  });
});

it('manifests that are stale in a merge are settled by resolve, also when only other files conflict', {
  tags: 'slow',
}, async () => {
  const repository = await conflictElsewhere();
  rmSync(join(repository.root, 'dist'), { recursive: true });
  expect(await firstLine(repository, 'check')).toBe(
    `leasehold: a merge is in progress: first ${settled}`,
  );
  expect(await runInProcess(['resolve'], repository.root)).toMatchObject({ status: 0 });
  expect(await runInProcess(['check'], repository.root)).toMatchObject({ status: 0 });
});
