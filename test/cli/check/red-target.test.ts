// @module-tag slow

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import { fencesOf } from '../../support/docs/doc-page.ts';
import { remadeTwoLeases } from '../../support/repositories/cached-repository.ts';
import type { GitRepository } from '../../support/repositories/git-repository.ts';
import { commitLeases, holderOf } from '../../support/repositories/two-leases.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { withoutQuotes } from '../../support/run/source-quotes.ts';
import { putFile } from '../../support/trees/temp-tree.ts';

const record = 'leases/allocations/203.0.113/203.0.113.9.yaml';

function readText(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

const endpoint = { name: 'front', service: 'web', port: 8080, externalPort: 80 };

function freeLease(tenant: string): string {
  return leaseText(tenant, 1000, [endpoint]);
}

function pinnedLease(tenant: string): string {
  return leaseText(tenant, 1000, [{ ...endpoint, address: '203.0.113.9' }]);
}

/** The address of Dan is on main; the branch of Eve pins it too, and was merged by force. */
async function stolenPin(): Promise<GitRepository> {
  const repository = await remadeTwoLeases();
  const { root, git } = repository;
  for (const [branch, tenant] of [
    ['main', 'dan'],
    ['eve', 'eve'],
  ] as const) {
    if (branch !== 'main') git('checkout', '-q', '-b', branch, 'main~1');
    putFile(root, `leases/${tenant}.yaml`, pinnedLease(tenant));
    await commitLeases(repository);
  }
  git('checkout', '-q', 'main');
  git('merge', '-q', '--no-ff', '-X', 'theirs', '-m', 'Merge eve', 'eve');
  expect(readText(root, record)).toContain(holderOf('eve'));
  return repository;
}

function runs(root: string) {
  const day = ['--today', '2026-01-11'];
  return {
    check: () => runInProcess(['check'], root),
    gate: () => runInProcess(['check', '--base', 'main', ...day], root),
    synth: () => runInProcess(['synth', ...day], root),
  };
}

/** Commits all, and merges the branch into main when the gate accepts it. */
async function landed({ root, git }: GitRepository): Promise<void> {
  git('add', '-A');
  git('commit', '-q', '-m', 'Repair main');
  const { gate, check } = runs(root);
  expect(await gate()).toMatchObject({ status: 0, err: '' });
  const branch = git('branch', '--show-current').trim();
  git('checkout', '-q', 'main');
  git('merge', '-q', '--no-ff', '-m', 'Merge the repair', branch);
  expect(await check()).toMatchObject({ status: 0 });
}

describe('a stolen pin that was merged by force', () => {
  it('is a problem of who came without a record, in check and in synth', async () => {
    const { root, git } = await stolenPin();
    const commit = git('rev-parse', '--short=12', 'main').trim();
    for (const run of [runs(root).check, runs(root).synth]) {
      const { status, out } = await run();
      expect(status).toBe(1);
      expect(withoutQuotes(out)).toContain(
        `ALLOCATION_FORGED the commit ${commit} of main changed 203.0.113.9 against the rules: it was held by ${holderOf('dan')}, and is held by ${holderOf('eve')} now\n  also leases/dan.yaml:`,
      );
      expect(out).toMatch(/^leases\/eve\.yaml:/);
      expect(out).toContain(`(\`git revert --no-commit -m 1 ${commit}\`)`);
      expect(out).not.toContain('STALE');
      expect(out).not.toContain('PIN_TAKEN');
    }
  });

  it('is taken back by the commands of docs/day-two.md', async () => {
    const { root, git } = await stolenPin();
    const commit = git('rev-parse', '--short', 'main').trim();
    const section = readText('docs', 'day-two.md').split('## The target branch is red')[1] ?? '';
    const commands = fencesOf(section)[0]?.text.trim().split('\n') ?? [];
    expect(commands).toHaveLength(6);
    for (const command of commands) {
      const words = [...command.matchAll(/"([^"]+)"|(\S+)/g)].map(
        ([, quoted, word]) => quoted ?? word ?? '',
      );
      const [program, ...rest] = words.map((word) => (word === '4a5b6c7' ? commit : word));
      if (program === 'git') git(...rest);
      else {
        const own = [...rest.slice(3), ...(rest[3] === 'synth' ? ['--today', '2026-01-11'] : [])];
        expect(await runInProcess(own, root)).toMatchObject({ status: 0, err: '' });
      }
    }
    git('checkout', '-q', 'main');
    git('merge', '-q', '--no-ff', '-m', 'Merge the repair', 'repair');
    expect(await runs(root).check()).toMatchObject({ status: 0 });
    expect(readText(root, record)).toContain(holderOf('dan'));
  });

  it('gets another address, and the first holder its own again', async () => {
    const repository = await stolenPin();
    const { root, git } = repository;
    git('checkout', '-q', '-b', 'repair');
    const refused = await runs(root).synth();
    expect(refused.out).toMatch(/^leases\/eve\.yaml:\S+ PIN_TAKEN /);
    putFile(root, 'leases/eve.yaml', freeLease('eve'));
    expect(await runs(root).synth()).toMatchObject({ status: 0 });
    await landed(repository);
    expect(readText(root, record)).toContain(holderOf('dan'));
  });

  it('is named on an honest pull request, which is merged after the repair', async () => {
    const repository = await stolenPin();
    const { root, git } = repository;
    git('checkout', '-q', '-b', 'honest');
    git('commit', '-q', '--allow-empty', '-m', 'Honest work');
    const { status, out } = await runs(root).gate();
    expect(status).toBe(1);
    expect(withoutQuotes(out)).toMatch(
      /^leases\/eve\.yaml:\S+ ALLOCATION_FORGED .*\n.*\n.*\n {2}hint: repair main first/,
    );
    expect(out).toContain('1 problem');
  });
});

describe('a pull request on a red target', () => {
  it('is told to repair the target also when synth has recorded the thief on the branch', async () => {
    const repository = await remadeTwoLeases();
    const { root, git } = repository;
    putFile(root, 'leases/dan.yaml', pinnedLease('dan'));
    await commitLeases(repository);
    git('rm', '-q', '-r', 'leases/dan.yaml', record, `dist/default/${accountOf('dan')}`);
    putFile(root, 'leases/eve.yaml', pinnedLease('eve'));
    git('add', '-A');
    git('commit', '-q', '-m', 'Eve by force, without synth');
    git('checkout', '-q', '-b', 'honest');
    expect(await runs(root).synth()).toMatchObject({ status: 0 });
    git('add', '-A');
    git('commit', '-q', '-m', 'Honest work');
    const { status, out } = await runs(root).gate();
    expect(status).toBe(1);
    expect(out).toContain(`, and goes to ${holderOf('eve')}`);
    expect(out).toContain('hint: repair main first, on a branch of it: take back that commit');
    expect(out).not.toContain('leasehold rename');
  });

  it('does not make the theft green without the first holder', async () => {
    const { root, git } = await stolenPin();
    git('checkout', '-q', '-b', 'launder');
    git('rm', '-q', 'leases/dan.yaml');
    expect((await runInProcess(['synth', '--no-base', '--today', '2026-01-11'], root)).status).toBe(
      0,
    );
    git('add', '-A');
    git('commit', '-q', '-m', 'Dan ends');
    expect(await runs(root).check()).toMatchObject({ status: 0 });
    const { status, out } = await runs(root).gate();
    expect(status).toBe(1);
    expect(out).toContain('ALLOCATION_FORGED');
  });

  it('does not give the address to a third holder', async () => {
    const { root, git } = await stolenPin();
    git('checkout', '-q', '-b', 'third');
    git('rm', '-q', 'leases/dan.yaml', 'leases/eve.yaml');
    putFile(root, 'leases/fay.yaml', pinnedLease('fay'));
    putFile(root, record, readText(root, record).replace(holderOf('eve'), holderOf('fay')));
    await runInProcess(['synth', '--no-base', '--today', '2026-01-11'], root);
    git('add', '-A');
    git('commit', '-q', '-m', 'Fay has it');
    expect(await runs(root).check()).toMatchObject({ status: 0 });
    const { status, out } = await runs(root).gate();
    expect(status).toBe(1);
    expect(out).toContain(
      `${record}:1:1 ALLOCATION_FORGED 203.0.113.9 is held by ${holderOf('dan')} in the base, and goes to ${holderOf('fay')}`,
    );
  });

  it('does not restore a record with other days', async () => {
    const { root, git } = await stolenPin();
    git('checkout', '-q', '-b', 'older');
    git('revert', '--no-commit', '-m', '1', 'main');
    putFile(root, record, readText(root, record).replace('2026-01-10', '2026-01-02'));
    git('commit', '-q', '-a', '-m', 'An older record');
    const { status, out } = await runs(root).gate();
    expect(status).toBe(1);
    expect(out).toContain('ALLOCATION_FORGED 203.0.113.9 is held since 2026-01-10 in the base');
  });

  it('does not take back a release that the target has made', async () => {
    const repository = await remadeTwoLeases();
    const { root, git } = repository;
    putFile(root, 'leases/dan.yaml', pinnedLease('dan'));
    await commitLeases(repository);
    git('rm', '-q', 'leases/dan.yaml');
    await commitLeases(repository);
    // Stale, and no record is against the rules.
    putFile(root, 'leases/eve.yaml', pinnedLease('eve'));
    git('add', '-A');
    git('commit', '-q', '-m', 'Eve without synth');
    git('checkout', '-q', '-b', 'back');
    git('rm', '-q', 'leases/eve.yaml');
    git('checkout', '-q', 'main~2', '--', 'leases', 'dist');
    git('commit', '-q', '-a', '-m', 'Dan is back');
    putFile(root, record, readText(root, record).replace('2026-01-10', '2026-01-01'));
    git('commit', '-q', '-a', '-m', 'with an older record');
    expect(await runs(root).gate()).toMatchObject({ status: 1 });
  });
});

describe('a record that was removed by force', () => {
  it('comes back with synth, as it was', async () => {
    const repository = await remadeTwoLeases();
    const { root, git } = repository;
    putFile(root, 'leases/dan.yaml', pinnedLease('dan'));
    await commitLeases(repository);
    const before = readText(root, record);
    git('rm', '-q', record);
    git('commit', '-q', '-m', 'Remove a record');
    const { out } = await runs(root).check();
    expect(out).toContain(`it was held by ${holderOf('dan')}, and has none now`);
    git('checkout', '-q', '-b', 'repair');
    const again = ['synth', '--no-base', '--today', '2026-01-11'];
    expect(await runInProcess(again, root)).toMatchObject({ status: 0 });
    git('add', '-A');
    git('commit', '-q', '-m', 'A new record');
    const refused = await runs(root).gate();
    expect(refused.out).toContain(
      'is held since 2026-01-10 in the base, and since 2026-01-11 here',
    );
    expect(refused.out).toContain('run `leasehold synth --base main`');
    expect(await runs(root).synth()).toMatchObject({ status: 0 });
    await landed(repository);
    expect(readText(root, record)).toBe(before);
  });
});

it('a second record of a holder that was merged by force goes, and the first one stays', async () => {
  const repository = await remadeTwoLeases();
  const { root, git } = repository;
  putFile(root, 'leases/dan.yaml', freeLease('dan'));
  await commitLeases(repository);
  const first = readText(root, 'leases/allocations/203.0.113/203.0.113.1.yaml');
  putFile(root, record, first.replaceAll('203.0.113.1', '203.0.113.9'));
  git('add', '-A');
  git('commit', '-q', '-m', 'A second record');
  const { out } = await runs(root).check();
  expect(out).toContain('changed 203.0.113.9 against the rules: it had no record, and is held by');
  git('checkout', '-q', '-b', 'repair');
  expect(await runs(root).synth()).toMatchObject({ status: 0 });
  await landed(repository);
  expect(readText(root, 'leases/allocations/203.0.113/203.0.113.1.yaml')).toBe(first);
});
