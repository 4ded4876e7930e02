import { expect, test } from 'vitest';
import { openRepository } from '../../../../../src/core/world/git/git-repository.ts';
import { gitRepository } from '../../../../support/repositories/git-repository.ts';
import { tempTree } from '../../../../support/trees/temp-tree.ts';

test('origin has HEAD by the tag of its version or else by its commit, once it is pushed', async () => {
  const { git } = gitRepository(tempTree());
  git('commit', '-q', '--allow-empty', '-m', 'x');
  const clone = gitRepository(tempTree());
  const origin = () => openRepository(clone.root).origin();
  expect(await origin()).toBeUndefined();
  const url = git('rev-parse', '--show-toplevel').trim();
  clone.git('remote', 'add', 'origin', url);
  clone.git('pull', '-q', 'origin', 'main');
  const head = clone.git('rev-parse', 'HEAD').trim();
  clone.git('tag', 'other');
  expect(await origin()).toEqual({ url, ref: head });
  clone.git('tag', 'v0.1.0');
  expect(await origin()).toEqual({ url, ref: 'v0.1.0' });
  clone.git('commit', '-q', '--allow-empty', '-m', 'not pushed');
  clone.git('tag', 'v0.2.0');
  expect(await origin()).toEqual({ url, ref: undefined });
});

test('a repository that git does not open is told with what to do', async () => {
  const { history } = openRepository(tempTree({ '.git': 'gitdir: /nowhere\n' }));
  await expect(history.tracked(['leases'])).rejects.toThrow(
    /^git does not open this repository; `git status` shows why \(.*safe\.directory`\)$/,
  );
});

test('the branch of a name wins over the tag, also a branch of a remote', async () => {
  const { git, root } = gitRepository(tempTree());
  git('commit', '-q', '--allow-empty', '-m', 'one');
  for (const tag of ['main', 'origin/main', 'v1']) git('tag', tag);
  git('commit', '-q', '--allow-empty', '-m', 'two');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  const [old, head] = ['HEAD~1', 'HEAD'].map((ref) => git('rev-parse', ref).trim());
  const { commits } = openRepository(root);
  const found = await commits.resolveEach([
    'main',
    'origin/main',
    'main~1',
    'v1',
    'refs/tags/main',
  ]);
  expect(found.map(({ id }) => id)).toEqual([head, head, old, old, old]);
});

test('the default branch is that of upstream in a fork that has nothing else', async () => {
  const { git, root } = gitRepository(tempTree());
  git('commit', '-q', '--allow-empty', '-m', 'one');
  for (const remote of ['origin', 'upstream']) git('remote', 'add', remote, '/nowhere');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  expect(await openRepository(root).defaultRef()).toBe('origin/main');
  git('commit', '-q', '--allow-empty', '-m', 'two');
  git('update-ref', 'refs/remotes/upstream/main', 'HEAD');
  expect(await openRepository(root).defaultRef()).toBe('upstream/main');
  git('commit', '-q', '--allow-empty', '--amend', '-m', 'own');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  expect(await openRepository(root).defaultRef()).toBe('origin/main');
});
