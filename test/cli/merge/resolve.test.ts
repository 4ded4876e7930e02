import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../../src/core/cli/run.ts';
import type { Day } from '../../../src/core/model/day.ts';
import { features } from '../../../src/features.ts';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import { remadeTwoLeases } from '../../support/repositories/cached-repository.ts';
import type { GitRepository } from '../../support/repositories/git-repository.ts';
import { commitLeases, declarationOf, holderOf } from '../../support/repositories/two-leases.ts';
import { type Finished, runInProcess } from '../../support/run/run-in-process.ts';
import { content, putFile } from '../../support/trees/temp-tree.ts';
import { filesBelow } from '../../support/trees/tree-bytes.ts';

const today = ['--today', '2026-01-11'];

function resolve(root: string, ...words: readonly string[]): Promise<Finished> {
  return runInProcess(['resolve', ...today, ...words], root);
}

/** Who has which address in the tree. */
async function held(root: string): Promise<Readonly<Record<string, string>>> {
  const { out } = await runInProcess(['list', '-o', 'json'], root);
  const { items } = JSON.parse(out) as { items: { addresses: string[]; holder: string }[] };
  return Object.fromEntries(
    items.flatMap(({ addresses, holder }) => addresses.map((address) => [address, holder])),
  );
}

const [ann, bob, cat] = ['ann', 'bob', 'cat'].map(holderOf);
const bobFirst = { '203.0.113.0': ann, '203.0.113.1': bob, '203.0.113.2': cat };
const catFirst = { '203.0.113.0': ann, '203.0.113.1': cat, '203.0.113.2': bob };

async function expectRight({ root, git }: GitRepository): Promise<void> {
  expect(git('ls-files', '-u')).toBe('');
  expect(git('diff', '--name-only')).toBe('');
  expect(await runInProcess(['check'], root)).toMatchObject({ status: 0 });
}

describe('resolve in the middle of', () => {
  it('a merge on main keeps the records of main', { tags: 'slow' }, async () => {
    const repository = await remadeTwoLeases();
    repository.git('merge', '-q', 'bob');
    expect(repository.isDone('merge', '-q', 'cat')).toBe(false);
    const { status, out } = await resolve(repository.root);
    expect(out).toContain('the addresses of HEAD stay\n');
    expect(out).toContain(`~ 203.0.113.1  now 203.0.113.2  ${cat}\n`);
    expect(out).toMatch(/\nnext: git merge --continue\n$/);
    expect(status).toBe(0);
    expect(await held(repository.root)).toEqual(bobFirst);
    await expectRight(repository);
  });

  it('a merge of main into a branch keeps the records of main', { tags: 'slow' }, async () => {
    const repository = await remadeTwoLeases();
    repository.git('merge', '-q', 'bob');
    repository.git('checkout', '-q', 'cat');
    repository.isDone('merge', '-q', 'main');
    const { out } = await resolve(repository.root);
    expect(out).toContain('the addresses of the other side stay\n');
    expect(await held(repository.root)).toEqual(bobFirst);
    await expectRight(repository);
  });

  it.each([
    [['rebase'], 'git rebase --continue'],
    [['rebase', '--apply'], 'git rebase --continue'],
  ] as const)(
    'a %s keeps the records of the commit it rebases onto',
    { tags: 'slow' },
    async (command, next) => {
      const repository = await remadeTwoLeases();
      repository.git('checkout', '-q', 'cat');
      expect(repository.isDone(...command, 'bob')).toBe(false);
      const { out } = await resolve(repository.root);
      expect(out).toContain(`\nnext: ${next}\n`);
      expect(await held(repository.root)).toEqual(bobFirst);
      await expectRight(repository);
      expect(repository.isDone('-c', 'core.editor=true', 'rebase', '--continue')).toBe(true);
    },
  );

  it.each([
    ['cherry-pick', ['cherry-pick', 'cat'], 'git cherry-pick --continue'],
    ['squash', ['merge', '--squash', 'cat'], 'git commit'],
  ] as const)('a %s keeps the records of HEAD', { tags: 'slow' }, async (_, command, next) => {
    const repository = await remadeTwoLeases();
    repository.git('merge', '-q', 'bob');
    expect(repository.isDone(...command)).toBe(false);
    const { out } = await resolve(repository.root);
    expect(out).toContain(`\nnext: ${next}\n`);
    expect(await held(repository.root)).toEqual(bobFirst);
    await expectRight(repository);
  });

  it('a revert releases the addresses that the commit allocated', { tags: 'slow' }, async () => {
    const repository = await remadeTwoLeases();
    repository.git('merge', '-q', 'bob');
    repository.git('revert', '--no-commit', 'HEAD');
    const { status, out } = await resolve(repository.root);
    expect(out).toContain('- 203.0.113.1  released');
    expect(status).toBe(0);
    await expectRight(repository);
    const record = readFileSync(
      join(repository.root, 'leases/allocations/203.0.113/203.0.113.1.yaml'),
    );
    expect(record.toString()).toContain('released:\n  on: 2026-01-11\n');
  });

  it('a merge in which git takes a folder of dist/ for renamed', { tags: 'slow' }, async () => {
    const repository = await remadeTwoLeases();
    const { git, root, isDone } = repository;
    // On one side zoe's folder comes in place of ann's; on the other, a second lease of ann's comes into ann's folder.
    git('checkout', '-q', '-b', 'beside', 'main');
    const endpoint = { name: 'back', service: 'web', port: 8080, externalPort: 80 };
    putFile(root, 'leases/ann-back.yaml', leaseText('ann', 1001, [endpoint]));
    await commitLeases(repository);
    git('checkout', '-q', '-b', 'instead', 'main');
    git('rm', '-q', 'leases/ann.yaml');
    await commitLeases(repository, 'zoe');
    expect(isDone('merge', '-q', 'beside')).toBe(false);
    expect(git('status', '--porcelain', 'dist')).not.toContain(`dist/default/${accountOf('ann')}/`);
    expect(await resolve(root, '--keep', 'ours')).toMatchObject({ status: 0 });
    expect(Object.values(await held(root))).toContain(`default/akash/${accountOf('ann')}-ip-back`);
    await expectRight(repository);
  });
});

describe('resolve without a merge under way', () => {
  it('brings a branch in order that was rebased into a holder with two addresses', {
    tags: 'slow',
  }, async () => {
    const repository = await remadeTwoLeases();
    const { git, root } = repository;
    git('checkout', '-q', 'bob');
    putFile(root, 'leases/cat.yaml', declarationOf('cat'));
    const path = 'leases/allocations/203.0.113/203.0.113.9.yaml';
    const other = readFileSync(join(root, 'leases/allocations/203.0.113/203.0.113.1.yaml'), 'utf8');
    putFile(root, path, other.replaceAll('203.0.113.1', '203.0.113.9'));
    git('add', '-A');
    git('commit', '-q', '-m', 'split');
    git('branch', '-f', 'main', 'bob~1');
    expect((await runInProcess(['check'], root)).out).toContain('HOLDER_SPLIT');
    const { status, out } = await resolve(root);
    expect(out).toContain('the addresses of main stay\n');
    expect(out).toMatch(/\nnext: git commit\n$/);
    expect(status).toBe(0);
    expect(await held(root)).toEqual(bobFirst);
    await expectRight(repository);
  });

  it('repairs the last commit on main', { tags: 'slow' }, async () => {
    const repository = await remadeTwoLeases();
    const { git, root } = repository;
    git('merge', '-q', 'bob');
    git('merge', '-q', '-s', 'ours', '--no-commit', 'cat');
    putFile(root, 'leases/cat.yaml', declarationOf('cat'));
    git('add', '-A');
    git('commit', '-q', '-m', 'merged by hand');
    expect((await runInProcess(['check'], root)).out).toContain('STALE');
    expect(await resolve(root)).toMatchObject({ status: 0 });
    expect(await held(root)).toEqual(bobFirst);
    await expectRight(repository);
  });

  it('changes nothing in a tree that is right', async () => {
    const { git, root } = await remadeTwoLeases();
    const before = filesBelow(root, ['leases', 'dist']);
    const { status, out } = await resolve(root);
    expect(out).toBe(
      'the addresses of main stay\nno address changes; 1 held; all files up to date\n',
    );
    expect(status).toBe(0);
    expect(filesBelow(root, ['leases', 'dist'])).toEqual(before);
    expect(git('status', '--porcelain')).toBe('');
  });
});

describe('when neither side is upstream', () => {
  async function conflict(): Promise<GitRepository> {
    const repository = await remadeTwoLeases();
    repository.git('checkout', '-q', 'bob');
    expect(repository.isDone('merge', '-q', 'cat')).toBe(false);
    return repository;
  }

  it('stops with a sentence that names --keep, and changes nothing', async () => {
    const { root, git } = await conflict();
    const before = [content(root), git('ls-files', '-s')];
    const { status, err } = await resolve(root);
    expect(err).toContain(
      'choose whose addresses and hostnames stay with --keep ours or --keep theirs',
    );
    expect(status).toBe(64);
    expect([content(root), git('ls-files', '-s')]).toEqual(before);
  });

  it.each([
    ['ours', bobFirst],
    ['theirs', catFirst],
  ] as const)('keeps the side of --keep %s', { tags: 'slow' }, async (side, expected) => {
    const repository = await conflict();
    expect(await resolve(repository.root, '--keep', side)).toMatchObject({ status: 0 });
    expect(await held(repository.root)).toEqual(expected);
    await expectRight(repository);
  });

  it('keeps the commit of --onto', { tags: 'slow' }, async () => {
    const repository = await conflict();
    expect(await resolve(repository.root, '--onto', 'cat')).toMatchObject({ status: 0 });
    expect(await held(repository.root)).toEqual(catFirst);
  });

  it.each([
    ['theirs', catFirst, 0],
    [' ours ', bobFirst, 0],
    ['whatever', undefined, 64],
  ] as const)(
    'asks once on a terminal, and takes %s for an answer',
    { tags: 'slow' },
    async (answer, expected, status) => {
      const { root } = await conflict();
      const questions: string[] = [];
      const done = await run(['resolve', ...today], features, {
        out: () => {},
        err: () => {},
        color: false,
        terminal: false,
        today: () => '2026-01-11' as Day,
        env: {},
        cwd: root,
        ask: async (question) => {
          questions.push(question);
          return answer;
        },
      });
      expect(questions).toHaveLength(1);
      expect(done).toBe(status);
      if (expected) expect(await held(root)).toEqual(expected);
    },
  );

  it('refuses a --keep that would move upstream holders', async () => {
    const repository = await remadeTwoLeases();
    repository.git('merge', '-q', 'bob');
    repository.isDone('merge', '-q', 'cat');
    const { status, err } = await resolve(repository.root, '--keep', 'theirs');
    expect(err).toContain('--keep theirs would move addresses that are already upstream');
    expect(status).toBe(74);
  });
});

it('resolve leaves a file in dist/ that leasehold did not write', async () => {
  const repository = await remadeTwoLeases();
  const { git, root, isDone } = repository;
  git('checkout', '-q', 'bob');
  putFile(root, 'dist/default/team/mine.yaml', 'kind: ConfigMap\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'by hand');
  isDone('merge', '-q', 'cat');
  const { status, out } = await resolve(root, '--onto', 'cat');
  expect(out).toContain('dist/default/team/mine.yaml:1:1 FILE_UNEXPECTED');
  expect(status).toBe(1);
  expect(readFileSync(join(root, 'dist/default/team/mine.yaml'), 'utf8')).toBe('kind: ConfigMap\n');
});

describe('resolve run again', () => {
  it('finishes a killed run that had not added its files to the index', {
    tags: 'slow',
  }, async () => {
    const repository = await remadeTwoLeases();
    const { git, root, isDone } = repository;
    git('merge', '-q', 'bob');
    isDone('merge', '-q', 'cat');
    const index = join(root, '.git/index');
    copyFileSync(index, `${index}.before`);
    await resolve(root);
    const written = content(root);
    copyFileSync(`${index}.before`, index);
    const { status, out } = await resolve(root);
    expect(out).toContain('all files up to date');
    expect(status).toBe(0);
    expect(content(root)).toEqual({ ...written, '.git/index': expect.anything() });
    await expectRight(repository);
  });
});
