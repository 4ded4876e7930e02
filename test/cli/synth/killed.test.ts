// @module-tag slow

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { type GitRepository, gitRepository } from '../../support/repositories/git-repository.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { repeats } from '../../support/run/scope.ts';
import { exampleLeases } from '../../support/trees/example.ts';
import { struckAt } from '../../support/trees/killed.ts';
import { putFile } from '../../support/trees/temp-tree.ts';

const web = { name: 'shop', service: 'web', port: 8080, externalPort: 80 };
const days = ['--today', '2026-12-01'];

/** The example in git, with a lease more, whose run was killed while it wrote. */
async function killedRun(): Promise<GitRepository> {
  const repository = gitRepository(exampleLeases());
  await runInProcess(['synth', ...days], repository.root);
  repository.git('add', '-A');
  repository.git('commit', '-q', '-m', 'The example');
  putFile(repository.root, 'leases/new.yaml', leaseText('new', 1, [web]));
  const { root } = repository;
  // Its eleventh step is the first one after the commit point.
  const struck = await struckAt(10, () => runInProcess(['synth', ...days], root));
  expect(struck.isKilled).toBe(true);
  expect(existsSync(join(root, '.leasehold/txn/commit.json'))).toBe(true);
  return repository;
}

it('a killed run is finished by the next one', async () => {
  const { root, git } = await killedRun();
  const { status, err } = await runInProcess(['synth', ...days], root);
  expect([status, err]).toEqual([0, '']);
  expect(git('status', '--porcelain', '-uall', 'leases/allocations')).toMatch(/^\?\? .*\n$/);
});

it.each([
  ['stashed', 'stash -q -u', 'status'],
  ['thrown away', 'reset -q --hard', 'clean -q -f -d'],
])('a killed run is not finished once its edits were %s', async (_, first, second) => {
  const { root, git } = await killedRun();
  git(...first.split(' '));
  git(...second.split(' '));
  const unread = await runInProcess(['check'], root);
  expect([unread.status, unread.err]).toEqual([0, '']);
  const { status, err } = await runInProcess(['synth', ...days], root);
  expect(status).toBe(0);
  expect(err).toMatch(
    /^leasehold: an earlier run was killed before it had written \d files, and git has moved HEAD since: run its command again\n$/,
  );
  expect(git('status', '--porcelain')).toBe('');
  expect(existsSync(join(root, '.leasehold/txn'))).toBe(false);
  expect(await runInProcess(['synth', ...days], root)).toMatchObject({ err: '' });
});

it('a killed run is finished although what it had written was committed', async () => {
  const { root, git } = await killedRun();
  const struck = await struckAt(3, () => runInProcess(['synth', ...days], root));
  expect(struck.isKilled).toBe(true);
  git('add', '-A');
  git('commit', '-q', '-m', 'What is there');
  expect((await runInProcess(['check'], root)).status).toBe(1);
  const { status, err } = await runInProcess(['synth', ...days], root);
  expect([status, err]).toEqual([0, '']);
  expect((await runInProcess(['check'], root)).status).toBe(0);
});

it('a killed run that removes a declaration is finished in the index too', async () => {
  const { root, git } = await killedRun();
  await runInProcess(['synth', ...days], root);
  git('add', '-A');
  git('commit', '-q', '-m', 'A lease more');
  const address = addressOf(git);
  // From the first step after the commit point to the last one; a full run plays all of them.
  for (let step = 10; ; step += repeats(3, 1)) {
    git('checkout', '-q', '-f', '--detach', 'main');
    const argv = ['release', address, ...days];
    const { isKilled } = await struckAt(step, () => runInProcess(argv, root));
    const { status, out } = await runInProcess(['synth', ...days], root);
    expect([step, status, out]).toEqual([step, 0, expect.any(String)]);
    expect(git('status', '--porcelain')).not.toMatch(/^ D/m);
    if (!isKilled) break;
  }
});

/** The address of the newest record. */
function addressOf(git: GitRepository['git']): string {
  const [path = ''] = git('log', '-1', '--format=', '--name-only', '--', 'leases/allocations')
    .trim()
    .split('\n');
  return path.slice(path.lastIndexOf('/') + 1, -'.yaml'.length);
}
