import { chmodSync, cpSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RemoteBranch } from '../../../../../src/lib/branch/remote-branch.ts';
import {
  assertReady,
  type Clone,
  pushAnswer,
  remoteBranch,
} from '../../../../../src/lib/branch/world/git-remote-branch.ts';
import {
  type BotRemote,
  botEnvironment,
  botRemote,
} from '../../../../support/repositories/bot-remote.ts';
import {
  type GitRepository,
  gitRepository,
} from '../../../../support/repositories/git-repository.ts';
import { putFile, tempTree } from '../../../../support/trees/temp-tree.ts';

async function setUp(): Promise<{ remote: BotRemote; clone: GitRepository; place: Clone }> {
  const remote = await botRemote(tempTree());
  const clone = remote.clone('bot');
  return { remote, clone, place: placeOf(clone.root) };
}

function placeOf(root: string): Clone {
  return { root, remote: 'origin', environment: botEnvironment };
}

/** A commit on top of a head that writes one file. */
async function commitOn(
  branch: RemoteBranch,
  head: string,
  path = 'leases/a.txt',
): Promise<string> {
  const changes = { writes: new Map([[path, 'text\n']]), removes: [] };
  const tree = await branch.treeWith(head, changes);
  return branch.write({ tree, parent: head, message: `Add ${path}\n` });
}

describe('a branch of a remote', () => {
  it('returns and fetches a head that was just pushed by another clone', {
    tags: 'slow',
  }, async () => {
    const { remote, clone, place } = await setUp();
    const pushed = remote.commitFiles({ 'leases/note.txt': 'x\n' });
    const branch = remoteBranch(place, 'main');
    expect(await branch.head()).toBe(pushed);
    expect(clone.git('cat-file', '-t', pushed).trim()).toBe('commit');
    expect(await branch.isBehind(pushed)).toBe(true);
    expect(await remoteBranch(place, 'other').head()).toBeUndefined();
    expect(await remoteBranch(place, 'other').isBehind(pushed)).toBe(false);
  });

  it.each([
    ['the commits alone', []],
    ['the head, but of the commit before it the commit alone', ['--objects', '--no-walk']],
  ])('fetches a head of which a killed fetch has left %s', { tags: 'slow' }, async (_, options) => {
    const { remote, clone, place } = await setUp();
    const first = remote.commitFiles({ 'leases/note.txt': 'x\n' });
    const pushed = remote.commitFiles({ 'leases/note.txt': 'y\n' });
    const names = [first, ...remote.git('rev-list', ...options, pushed).split('\n')];
    for (const name of names.flatMap((line) => line.split(' ', 1)).filter((one) => one !== '')) {
      const path = `objects/${name.slice(0, 2)}/${name.slice(2)}`;
      cpSync(join(remote.folder, path), join(clone.root, '.git', path));
    }
    const isWhole = (): boolean => clone.isDone('rev-list', '--objects', '--quiet', pushed);
    expect([clone.isDone('cat-file', '-e', pushed), isWhole()]).toEqual([true, false]);

    expect(await remoteBranch(place, 'main').head()).toBe(pushed);

    expect(isWhole()).toBe(true);
  });

  it('takes commits without a word to the working tree, the index or a local branch', {
    tags: 'slow',
  }, async () => {
    const { remote, clone, place } = await setUp();
    const before = clone.git('rev-parse', 'HEAD');
    putFile(clone.root, 'leases/mine.txt', 'in work\n');
    clone.git('add', 'leases/mine.txt');
    const branch = remoteBranch(place, 'main');
    const commit = await commitOn(branch, remote.head(), 'leases/a/b.txt');
    expect(await branch.push(commit)).toEqual({ kind: 'pushed' });
    expect(remote.head()).toBe(commit);
    expect(clone.git('rev-parse', 'HEAD')).toBe(before);
    expect(clone.git('status', '--porcelain')).toBe('A  leases/mine.txt\n');
    expect(clone.git('rev-parse', 'origin/main').trim()).toBe(commit);
    const shown = remote.git('show', '--format=%an <%ae>%n%B', '--name-status', commit);
    expect(shown).toBe('Bot <bot@example.com>\nAdd leases/a/b.txt\n\n\nA\tleases/a/b.txt\n');
  });

  it('takes no commit that does not come from its head', { tags: 'slow' }, async () => {
    const { remote, place } = await setUp();
    const branch = remoteBranch(place, 'main');
    const commit = await commitOn(branch, remote.head());
    const first = remote.commitFiles({ 'leases/note.txt': 'x\n' });
    expect(await branch.push(commit)).toMatchObject({ kind: 'outrun' });
    expect(remote.head()).toBe(first);
    expect(await branch.comesFrom(commit, first)).toBeUndefined();
    expect(await branch.head()).toBe(first);
    expect(await branch.comesFrom(commit, first)).toBe(false);
  });

  it('quotes a hook of the remote', { tags: 'slow' }, async () => {
    const { remote, place } = await setUp();
    const hook = join(remote.folder, 'hooks/pre-receive');
    putFile(remote.folder, 'hooks/pre-receive', '#!/bin/sh\necho "Only on Mondays." >&2\nexit 1\n');
    chmodSync(hook, 0o755);
    const branch = remoteBranch(place, 'main');
    expect(await branch.push(await commitOn(branch, remote.head()))).toEqual({
      kind: 'refused',
      reason: 'pre-receive hook declined; Only on Mondays.',
    });
  });

  it('fails while a remote is missing, and works again when it is back', {
    tags: 'slow',
  }, async () => {
    const { remote, place } = await setUp();
    const branch = remoteBranch(place, 'main');
    const commit = await commitOn(branch, remote.head());
    renameSync(remote.folder, `${remote.folder}.away`);
    await expect(branch.head()).rejects.toThrow(/^the remote 'origin' cannot be reached: /);
    await expect(branch.push(commit)).rejects.toThrow(/is not pushed to the remote 'origin': /);
    renameSync(`${remote.folder}.away`, remote.folder);
    expect(await branch.push(commit)).toEqual({ kind: 'pushed' });
  });

  it('follows a branch that is rewritten', { tags: 'slow' }, async () => {
    const { remote, place } = await setUp();
    const branch = remoteBranch(place, 'main');
    const before = remote.commitFiles({ 'leases/note.txt': 'x\n' });
    expect(await branch.head()).toBe(before);
    remote.person.git('commit', '-q', '--amend', '-m', 'Otherwise');
    remote.person.git('push', '-q', '--force', 'origin', 'main');
    const after = remote.head();
    expect(await branch.head()).toBe(after);
    expect(await branch.comesFrom(after, before)).toBe(false);
  });

  it('makes the first commit of a branch', { tags: 'slow' }, async () => {
    const { remote, place } = await setUp();
    const branch = remoteBranch(place, 'deploy/default');
    const head = remote.head();
    const tree = (await branch.treeOf(head, 'dist/default')) ?? '';
    expect(await branch.treeOf(head, 'dist/none')).toBeUndefined();
    expect(await branch.treeOf(head, 'leases/pools.yaml')).toBeUndefined();
    const commit = await branch.write({ tree, parent: undefined, message: 'First\n' });
    expect(await branch.push(commit)).toEqual({ kind: 'pushed' });
    expect(remote.git('ls-tree', '--name-only', 'deploy/default')).toBe(
      remote.git('ls-tree', '--name-only', 'HEAD:dist/default'),
    );
    expect(await branch.treeOf(commit)).toBe(tree);
  });

  it('signs when the settings say so', { tags: 'slow' }, async () => {
    const { remote, clone, place } = await setUp();
    putFile(clone.root, '.git/sign', '#!/bin/sh\nexit 1\n');
    chmodSync(join(clone.root, '.git/sign'), 0o755);
    clone.git('config', 'commit.gpgSign', 'true');
    clone.git('config', 'gpg.program', join(clone.root, '.git/sign'));
    const written = commitOn(remoteBranch(place, 'main'), remote.head());
    await expect(written).rejects.toThrow(/^the commit is not signed: gpg failed to sign the data/);
  });

  it('works in a folder of the repository', { tags: 'slow' }, async () => {
    const { remote, clone } = await setUp();
    putFile(clone.root, 'fleet/a b/leases/x.txt', 'x\n');
    clone.git('add', '-A');
    clone.git('commit', '-q', '-m', 'A folder');
    clone.git('push', '-q', 'origin', 'main');
    const branch = remoteBranch(placeOf(join(clone.root, 'fleet/a b')), 'main');
    const changes = { writes: new Map([['leases/y/z.txt', 'z\n']]), removes: ['leases/x.txt'] };
    const commit = await branch.write({
      tree: await branch.treeWith(remote.head(), changes),
      parent: remote.head(),
      message: 'm\n',
    });
    expect(clone.git('diff', '--no-renames', '--name-status', '-z', 'HEAD', commit)).toBe(
      'D\0fleet/a b/leases/x.txt\0A\0fleet/a b/leases/y/z.txt\0',
    );
    expect(await branch.treeOf(commit, 'leases/y')).toMatch(/^[0-9a-f]{40}$/);
  });
});

describe('a tree with changes', () => {
  it('is the one that git itself makes', { tags: 'slow' }, async () => {
    const { remote, clone, place } = await setUp();
    const files = Object.fromEntries(
      Array.from({ length: 320 }, (_, index) => [`leases/o${index}/${index}.yaml`, `${index}\n`]),
    );
    const head = remote.commitFiles({ ...files, 'leases/keep/ü.yaml': 'k\n', 'dist/old/a': 'a\n' });
    const branch = remoteBranch(place, 'main');
    await branch.head();
    const writes = new Map([
      ...Object.keys(files)
        .slice(0, 305)
        .map((path): [string, string] => [path, 'other ü\n']),
      ['leases/deep/er/still/x.yaml', ''],
      ['top', 'top'],
    ]);
    const removes = [...Object.keys(files).slice(305), 'dist/old/a', 'dist/never/was'];
    const tree = await branch.treeWith(head, { writes, removes });

    clone.git('checkout', '-q', '--detach', head);
    for (const [path, text] of writes) putFile(clone.root, path, text);
    clone.git('rm', '-q', '--ignore-unmatch', '--', ...removes);
    clone.git('add', '-A');
    expect(tree).toBe(clone.git('write-tree').trim());
  });
});

describe('a clone that no commit can be made in', () => {
  const refusalOf = async (place: Clone): Promise<string> => {
    try {
      await assertReady(place);
      return '';
    } catch (error) {
      return String(error);
    }
  };

  it('is a sentence of an EnvironmentError', async () => {
    const root = tempTree();
    expect(await refusalOf(placeOf(root))).toContain('this folder is not in a git work tree');
    const repository = gitRepository(root);
    expect(await refusalOf(placeOf(root))).toContain(
      "the clone has no remote 'origin': `git remote add` adds one",
    );
    repository.git('remote', 'add', 'upstream', '../x.git');
    expect(await refusalOf(placeOf(root))).toContain("no remote 'origin': it has upstream");
    expect(await refusalOf({ ...placeOf(root), remote: '--upload-pack=id' })).toContain(
      "the clone has no remote '--upload-pack=id'",
    );
    repository.git('remote', 'add', 'origin', '../x.git');
    expect(await refusalOf(placeOf(root))).toBe('');
    const { GIT_AUTHOR_NAME: _, ...nameless } = botEnvironment;
    expect(await refusalOf({ ...placeOf(root), environment: nameless })).toContain(
      'git does not know who makes the commit: set user.name',
    );
    repository.git('config', 'user.name', 'Bot');
    expect(await refusalOf({ ...placeOf(root), environment: nameless })).toBe('');
  });
});

const push = (line: string, ...remarks: readonly string[]) =>
  [
    'To ../origin.git',
    `!\t1111111111111111111111111111111111111111:refs/heads/main\t${line}`,
    'Done',
    ...remarks,
    "error: failed to push some refs to '../origin.git'",
  ].join('\n');

describe('the answer to a push that failed', () => {
  it.each([
    '[rejected] (fetch first)',
    '[rejected] (non-fast-forward)',
    '[rejected] (stale info)',
    '[remote rejected] (failed to update ref)',
    '[remote rejected] (incorrect old value provided)',
    "[remote rejected] (cannot lock ref 'refs/heads/main': is at 22 but expected 11)",
    "[remote rejected] (cannot lock ref 'refs/heads/main': Unable to create './refs/heads/main.lock': File exists.)",
    '[remote rejected] (reference already exists)',
  ])('reports that another push came first: %s', (line) => {
    expect(pushAnswer(push(line))).toMatchObject({ kind: 'outrun' });
  });

  it('contains the rejection and output of a hook', () => {
    const remarks = ['remote: Only signed commits.   ', 'remote: ', 'remote: Ask the owner.'];
    expect(pushAnswer(push('[remote rejected] (pre-receive hook declined)', ...remarks))).toEqual({
      kind: 'refused',
      reason: 'pre-receive hook declined; Only signed commits.; Ask the owner.',
    });
  });

  it('is absent when the remote cannot be reached', () => {
    expect(pushAnswer("fatal: '../origin.git' does not appear to be a git repository")).toBe(
      undefined,
    );
  });
});
