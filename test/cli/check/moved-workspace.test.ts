// @module-tag slow
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { defaultPoolText } from '../../support/declarations/pools-text.ts';
import { type GitRepository, gitRepository } from '../../support/repositories/git-repository.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { putFile, tempTree } from '../../support/trees/temp-tree.ts';

const day = ['--today', '2026-01-11'];
const web = { name: 'front', service: 'web', port: 8080, externalPort: 80 };

/** A repository with a workspace in each of these folders, on the branch `change`. */
async function workspaces(...folders: readonly string[]): Promise<GitRepository> {
  const repository = gitRepository(tempTree({ '.gitignore': '.leasehold/\n' }));
  const { git, root } = repository;
  for (const [index, folder] of folders.entries()) {
    putFile(join(root, folder), 'leases/pools.yaml', defaultPoolText());
    putFile(join(root, folder), 'leases/ann.yaml', leaseText('ann', index + 1, [web]));
    const finished = await runInProcess(['synth', ...day], join(root, folder));
    expect(finished).toMatchObject({ status: 0 });
  }
  git('add', '-A');
  git('commit', '-q', '-m', 'The beginning');
  git('checkout', '-q', '-b', 'change');
  return repository;
}

function move({ git, root }: GitRepository, from: string, to: string): string {
  putFile(root, join(to, 'notes.md'), 'moved');
  git('mv', join(from, 'leases'), join(to, 'leases'));
  git('mv', join(from, 'dist'), join(to, 'dist'));
  return join(root, to);
}

it.each([
  ['infra/ip', 'net/ip'],
  ['.', 'net'],
  ['net', '.'],
])('a workspace that moves from %s to %s is compared with itself', async (from, to) => {
  const repository = await workspaces(from);
  const { git } = repository;
  const moved = move(repository, from, to);
  const plan = async () =>
    JSON.parse((await runInProcess(['plan', '--base', 'main', '-o', 'json'], moved)).out);
  expect(await plan()).toMatchObject({ verdict: 'no change' });
  git('commit', '-q', '-a', '-m', 'Another path');
  expect(await plan()).toMatchObject({ verdict: 'no change' });
  expect(await runInProcess(['check', '--base', 'main', ...day], moved)).toMatchObject({
    status: 0,
  });

  git(
    'rm',
    '-q',
    '-r',
    join(to, 'leases/allocations'),
    join(to, 'dist'),
    join(to, 'leases/ann.yaml'),
  );
  git('commit', '-q', '-m', 'Gone without a release');
  const { status, out } = await runInProcess(['check', '--base', 'main', ...day], moved);
  expect(out).toContain(' ALLOCATION_FORGED ');
  expect(status).toBe(1);
  expect(await runInProcess(['synth', ...day], moved)).toMatchObject({ status: 0 });
  git('add', '-A');
  git('commit', '-q', '-m', 'Released');
  expect(await runInProcess(['check', '--base', 'main', ...day], moved)).toMatchObject({
    status: 0,
  });
});

it('a workspace beside another one is new', async () => {
  const repository = await workspaces('one');
  const { root } = repository;
  putFile(join(root, 'two'), 'leases/pools.yaml', defaultPoolText('198.51.100.0/28'));
  expect(await runInProcess(['synth', ...day], join(root, 'two'))).toMatchObject({ status: 0 });
  const { status } = await runInProcess(['check', '--base', 'main', ...day], join(root, 'two'));
  expect(status).toBe(0);
});

it('two workspaces that move at once are refused, and can move one after the other', async () => {
  const repository = await workspaces('one', 'two');
  const { git } = repository;
  const third = move(repository, 'one', 'three');
  git('commit', '-q', '-a', '-m', 'One');
  git('branch', 'first');
  const fourth = move(repository, 'two', 'four');
  git('commit', '-q', '-a', '-m', 'Two');
  for (const moved of [third, fourth]) {
    const { status, err } = await runInProcess(['check', '--base', 'main', ...day], moved);
    expect(err).toContain('several are gone, at one, two: move each in a pull request of its own');
    expect(status).toBe(74);
  }
  const { status } = await runInProcess(['check', '--base', 'first', ...day], fourth);
  expect(status).toBe(0);
});
