import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { remadeTwoLeases } from '../../support/repositories/cached-repository.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { commitLeases, declarationOf, holderOf } from '../../support/repositories/two-leases.ts';
import { type Finished, runInProcess } from '../../support/run/run-in-process.ts';
import { content, putFile, tempTree } from '../../support/trees/temp-tree.ts';

const today = ['--today', '2026-01-11'];

function resolve(root: string, ...words: readonly string[]): Promise<Finished> {
  return runInProcess(['resolve', ...today, ...words], root);
}

describe('resolve leaves to people', () => {
  it('every declaration that git has not merged, each with its place', {
    tags: 'slow',
  }, async () => {
    const repository = await remadeTwoLeases();
    const { git, root, isDone } = repository;
    git('checkout', '-q', 'bob');
    putFile(root, 'leases/ann.yaml', declarationOf('ann', { port: 9000 }));
    putFile(root, 'leases/eve.yaml', declarationOf('eve'));
    git('rm', '-q', 'leases/pools.yaml');
    git('add', '-A');
    git('commit', '-q', '-m', 'bob');
    git('checkout', '-q', 'cat');
    putFile(root, 'leases/ann.yaml', declarationOf('ann', { port: 9001 }));
    putFile(
      root,
      'leases/pools.yaml',
      `${readFileSync(join(root, 'leases/pools.yaml'))}    retentionDays: 3\n`,
    );
    git('add', '-A');
    git('commit', '-q', '-m', 'cat');
    expect(isDone('merge', '-q', 'bob')).toBe(false);
    const before = [content(root), git('ls-files', '-s')];
    const { status, out } = await resolve(root);
    expect(out).toMatch(/^leases\/ann\.yaml:10:1 YAML_CONFLICT /m);
    expect(out).toMatch(/^leases\/pools\.yaml:1:1 FILE_UNMERGED /m);
    expect(out).toContain('2 problems');
    expect(status).toBe(1);
    expect([content(root), git('ls-files', '-s')]).toEqual(before);
    rmSync(join(root, 'leases/pools.yaml'));
    expect((await resolve(root)).out).toContain('the working tree does not have it');
  });

  it('files that are not generated, and a mass release', { tags: 'slow' }, async () => {
    const repository = await remadeTwoLeases();
    const { git, root, isDone } = repository;
    git('merge', '-q', 'bob');
    await commitLeases(repository, 'eve', 'fay', 'gus');
    isDone('merge', '-q', 'cat');
    for (const tenant of ['bob', 'eve', 'fay', 'gus']) git('rm', '-q', `leases/${tenant}.yaml`);
    putFile(root, 'dist/notes.txt', 'mine');
    putFile(root, 'leases/allocations/notes.yaml', 'mine');
    const before = content(root);
    const { out } = await resolve(root);
    expect(out).toMatch(/^dist\/notes\.txt:1:1 FILE_UNEXPECTED /m);
    expect(out).toMatch(/^leases\/allocations\/notes\.yaml:1:1 \w+ /m);
    expect(out).toMatch(/ MASS_RELEASE 4 of 5 held /);
    expect(out).toContain('leasehold resolve --today 2026-01-11 --allow-release 4');
    expect(content(root)).toEqual(before);
  });
});

it('resolve takes what a person writes in a merge, and tells what is lost', {
  tags: 'slow',
}, async () => {
  const { git, root, isDone } = await remadeTwoLeases();
  git('merge', '-q', 'bob');
  isDone('merge', '-q', 'cat');
  putFile(root, 'leases/cat.yaml', declarationOf('cat', { port: 9999 }));
  const { status, out } = await resolve(root);
  expect(out).toContain(
    `caution: the merge drops an edit: web 80/TCP of ${holderOf('cat')} does not have port 8080 of the other side, but 9999\n`,
  );
  expect(status).toBe(0);
});

describe('a repository in which nothing can be resolved', () => {
  it.each([
    ['no repository', () => tempTree(), [], 'this folder is not in a git repository'],
    ['no commit', () => gitRepository(tempTree()).root, [], 'the repository has no commit yet'],
    [
      'an unknown upstream',
      async () => (await remadeTwoLeases()).root,
      ['--onto', 'nope'],
      "git knows no commit 'nope'",
    ],
    [
      'an upstream like an option',
      async () => (await remadeTwoLeases()).root,
      ['--onto=-x'],
      "git knows no commit '-x'",
    ],
    ['no upstream', withoutMain, [], 'there is no upstream'],
    ['an octopus', octopus, [], 'more than two branches are being merged at once'],
    [
      'a stash that does not fit',
      stashed,
      [],
      'no merge, rebase, cherry-pick, revert or squash is in progress',
    ],
    ['a submodule', submodule, [], 'leases/sub is a submodule'],
  ] as const)(
    '%s: says so, and writes nothing',
    { tags: 'slow' },
    async (_, make, words, sentence) => {
      const root = await make();
      const before = content(root);
      const { status, err } = await resolve(root, ...words);
      expect(err).toContain(sentence);
      expect(err.split('\n')).toHaveLength(2);
      expect(status).toBe(74);
      expect(content(root)).toEqual(before);
    },
  );

  it.each([
    ['without a commit', withoutCommit],
    ['with an octopus', octopus],
    ['with a stash that does not fit', stashed],
    ['with a submodule', submodule],
  ])('%s is refused before the lock, which makes a folder', { tags: 'slow' }, async (_, make) => {
    const root = await make();
    rmSync(join(root, '.leasehold'), { recursive: true, force: true });
    expect(await resolve(root)).toMatchObject({ status: 74 });
    expect(existsSync(join(root, '.leasehold'))).toBe(false);
  });

  it('a bare one: says so, and writes nothing', async () => {
    const { git, root } = await remadeTwoLeases();
    const bare = tempTree();
    git('clone', '-q', '--bare', root, bare);
    expect(await resolve(bare)).toMatchObject({
      status: 74,
      err: expect.stringContaining('this is a bare repository'),
    });
  });
});

function withoutCommit(): string {
  const { root } = gitRepository(tempTree());
  putFile(root, 'leases/pools.yaml', '');
  return root;
}

async function withoutMain(): Promise<string> {
  const { git, root } = await remadeTwoLeases();
  git('branch', '-q', '-m', 'main', 'trunk');
  return root;
}

async function octopus(): Promise<string> {
  const repository = await remadeTwoLeases();
  const { git, root } = repository;
  for (const name of ['one', 'two']) {
    git('checkout', '-q', '-b', name, 'main');
    putFile(root, `${name}.txt`, name);
    git('add', '-A');
    git('commit', '-q', '-m', name);
  }
  git('checkout', '-q', 'bob');
  git('merge', '-q', '--no-commit', 'one', 'two');
  return root;
}

async function stashed(): Promise<string> {
  const { git, root, isDone } = await remadeTwoLeases();
  putFile(root, 'leases/bob.yaml', declarationOf('bob', { port: 1 }));
  git('add', '-A');
  git('stash', '-q');
  git('merge', '-q', 'bob');
  isDone('stash', 'pop', '-q');
  return root;
}

async function submodule(): Promise<string> {
  const { git, root, isDone } = await remadeTwoLeases();
  const [one, two] = [git('rev-parse', 'bob').trim(), git('rev-parse', 'cat').trim()];
  for (const [branch, id] of [
    ['bob', one],
    ['cat', two],
  ] as const) {
    git('checkout', '-q', branch);
    git('update-index', '--add', '--cacheinfo', `160000,${id},leases/sub`);
    git('commit', '-q', '-m', 'a submodule');
  }
  isDone('merge', '-q', 'bob');
  return root;
}
