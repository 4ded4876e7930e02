// @module-tag slow

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Capacity } from '../../../src/lib/forecast/capacity-answer.ts';
import { capacityOf, cloneOf, pullHeads } from '../../support/forge/open-pull-requests.ts';
import { remadeTwoLeases } from '../../support/repositories/cached-repository.ts';
import { type GitRepository, gitRepository } from '../../support/repositories/git-repository.ts';
import { commitLeases, declarationOf } from '../../support/repositories/two-leases.ts';
import { answered } from '../../support/run/json-answer.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { putFile, tempTree } from '../../support/trees/temp-tree.ts';

/** The row, and what each branch takes. */
function told({ items, pending, skipped }: Capacity): readonly string[] {
  return [
    ...items.map(({ free, pending, promisable }) => `${free}-${pending}=${promisable}`),
    ...pending.map(({ ref, addresses }) => `${ref} ${addresses.join()}`),
    ...skipped.map(({ ref }) => `${ref} skipped`),
  ];
}

async function synth({ root, git }: GitRepository, message: string): Promise<void> {
  const { status, out, err } = await runInProcess(['synth', '--today', '2026-01-10'], root);
  if (status !== 0) throw new Error(`${out}${err}`);
  git('add', '-A');
  git('commit', '-q', '-m', message);
}

describe('an open pull request', () => {
  test('that merged the newer main counts with its own additions only', async () => {
    const remote = await remadeTwoLeases();
    await commitLeases(remote, 'dan');
    remote.git('checkout', '-q', '-b', 'eve');
    await commitLeases(remote, 'eve');
    remote.git('checkout', '-q', 'main');
    await commitLeases(remote, 'flo', 'gus');
    remote.git('checkout', '-q', 'eve');
    remote.git('rm', '-q', '-r', 'leases/allocations', 'dist');
    remote.git('commit', '-q', '-m', 'To merge without conflicts');
    remote.git('merge', '-q', '-X', 'theirs', '--no-edit', 'main');
    remote.git('checkout', 'main', '--', 'leases', 'dist');
    putFile(remote.root, 'leases/eve.yaml', declarationOf('eve'));
    await synth(remote, 'Eve on the newer main');
    remote.git('update-ref', 'refs/pull/5/head', 'eve');
    remote.git('checkout', '-q', 'main');
    await commitLeases(remote, 'hal');
    expect(told(await capacityOf(cloneOf(remote), ...pullHeads))).toEqual([
      '11-1=10',
      'refs/pull/5/head 203.0.113.4',
    ]);
  });

  test('that builds on another one counts with the additions of both, once', async () => {
    const remote = await remadeTwoLeases();
    remote.git('checkout', '-q', '-b', 'stacked', 'bob');
    await commitLeases(remote, 'dan');
    remote.git('update-ref', 'refs/pull/1/head', 'bob');
    remote.git('update-ref', 'refs/pull/2/head', 'stacked');
    remote.git('checkout', '-q', 'main');
    expect(told(await capacityOf(cloneOf(remote), ...pullHeads))).toEqual([
      '15-2=13',
      'refs/pull/1/head 203.0.113.1',
      'refs/pull/2/head 203.0.113.2',
    ]);
  });

  test('that ends a lease or brings a pool of its own takes nothing, and gives nothing before it is merged', async () => {
    const remote = await remadeTwoLeases();
    remote.git('checkout', '-q', '-b', 'less');
    remote.git('rm', '-q', 'leases/ann.yaml');
    await synth(remote, 'Ann is gone');
    remote.git('checkout', '-q', '-b', 'more', 'main');
    const pools = remote.git('show', 'main:leases/pools.yaml');
    const added = '  - { name: new, zone: inet, addresses: [192.0.2.0/28] }\n';
    putFile(remote.root, 'leases/pools.yaml', `${pools}${added}`);
    putFile(
      remote.root,
      'leases/bob.yaml',
      declarationOf('bob').replace('port: 8080', 'pool: new, port: 8080'),
    );
    await synth(remote, 'A pool and a lease in it');
    remote.git('update-ref', 'refs/pull/1/head', 'less');
    remote.git('update-ref', 'refs/pull/2/head', 'more');
    remote.git('checkout', '-q', 'main');
    expect(told(await capacityOf(cloneOf(remote), ...pullHeads))).toEqual(['15-0=15']);
  });

  test('is skipped in a clone of a CI job that is too shallow, which is reported', async () => {
    const remote = await remadeTwoLeases();
    remote.git('update-ref', 'refs/pull/1/head', 'bob');
    await commitLeases(remote, 'dan');
    const shallow = await capacityOf(cloneOf(remote, '--depth', '1'), ...pullHeads);
    expect([shallow.complete, told(shallow)]).toEqual([
      false,
      ['14-0=14', 'refs/pull/1/head skipped'],
    ]);
    expect(shallow.skipped[0]?.reason).toMatch(/too shallow .*fetch-depth: 0/);
  });

  test('counts beside uncommitted changes, which is reported', async () => {
    const remote = await remadeTwoLeases();
    const clone = cloneOf(remote);
    const { git } = gitRepository(clone);
    const commit = git('rev-parse', 'HEAD').trim();
    expect(await capacityOf(clone, ...pullHeads)).toMatchObject({ commit, uncommitted: false });
    putFile(clone, 'leases/dan.yaml', declarationOf('dan'));
    expect(await capacityOf(clone, ...pullHeads)).toMatchObject({ commit, uncommitted: true });
    const { err } = await runInProcess(['capacity', ...pullHeads], clone);
    expect(err).toContain(`counted with uncommitted changes on ${commit.slice(0, 12)}\n`);
    const plain = tempTree({ 'leases/pools.yaml': git('show', 'HEAD:leases/pools.yaml') });
    expect(existsSync(join(plain, '.git'))).toBe(false);
    const found = (await answered(['capacity'], plain, 'capacity')) as Capacity;
    expect(found).toMatchObject({ uncommitted: true });
    expect(found).not.toHaveProperty('commit');
  });

  test('of a remote that does not answer is waited for up to the timeout', async () => {
    const clone = cloneOf(await remadeTwoLeases());
    gitRepository(clone).git('remote', 'set-url', 'origin', 'ssh://nowhere.invalid/x');
    const silent = { GIT_SSH_COMMAND: 'sleep 30; :' };
    const options = ['capacity', ...pullHeads, '--pending-timeout', '1s'];
    expect(await runInProcess(options, clone, silent)).toEqual({
      status: 74,
      out: '',
      err: "leasehold: the remote 'origin' cannot be reached: timed out\n",
    });
  });
});
