import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { beginning } from '../../support/plans/pull-request-kinds.ts';
import { remade } from '../../support/repositories/cached-repository.ts';
import type { LeaseCheckout } from '../../support/repositories/lease-checkout.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { tempTree } from '../../support/trees/temp-tree.ts';

const web = { name: 'front', service: 'web', port: 8080, address: '203.0.113.9' };

/** A pull request in which `cat` gets 203.0.113.9, committed on the branch `change`. */
function catBegins(): Promise<LeaseCheckout> {
  return remade('cat begins', async () => {
    const checkout = await beginning();
    checkout.put('leases/cat.yaml', leaseText('cat', 5, [web]));
    await checkout.synth('2026-01-10');
    return checkout;
  });
}

describe('the exit status of plan', () => {
  it('is 2 for changes only with the option', { tags: 'slow' }, async () => {
    const { run } = await catBegins();
    expect((await run('plan')).status).toBe(0);
    expect((await run('plan', '--detailed-exitcode')).status).toBe(2);
    expect((await run('plan', '--detailed-exitcode', '--base', 'HEAD')).status).toBe(0);
  });
});

describe('the base of plan', () => {
  it('is by default main, or the default branch of the remote', { tags: 'slow' }, async () => {
    const checkout = await catBegins();
    const clone = tempTree();
    execFileSync('git', ['clone', '-q', checkout.root, clone]);
    execFileSync('git', ['remote', 'set-head', 'origin', 'main'], { cwd: clone });
    for (const root of [checkout.root, clone]) {
      const { out } = await runInProcess(['plan'], root);
      expect(out).toContain(`base   ${checkout.idOf('main')} (2026-01-05)`);
    }
  });

  it.each([
    ["GitHub's", { GITHUB_BASE_REF: 'release' }],
    ["GitLab's", { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'release' }],
  ])('is %s target of the pull request', async (_, env) => {
    const checkout = await catBegins();
    const clone = tempTree();
    checkout.repository.git('branch', 'release', 'change');
    execFileSync('git', ['clone', '-q', checkout.root, clone]);
    const { out, status } = await runInProcess(['plan'], clone, env);
    expect([status, out.split('\n', 1)]).toEqual([
      0,
      ['No change: No address, pool or manifest changes.'],
    ]);
  });

  it('is the merge base, and not the newest commit of the target', { tags: 'slow' }, async () => {
    const checkout = await catBegins();
    const base = checkout.idOf('main');
    checkout.repository.git('checkout', '-q', 'main');
    checkout.put('leases/ann.yaml', '');
    await checkout.synth('2026-01-11');
    checkout.repository.git('checkout', '-q', 'change');
    const { out } = await checkout.run('plan', '--base', 'main');
    expect(out).toContain(`base   ${base} `);
    expect(out).toMatch(/^Routine: front of \S+ gets 203\.0\.113\.9\.\n/);
  });

  it('must exist', async () => {
    const checkout = await catBegins();
    checkout.repository.git('branch', '-m', 'main', 'trunk');
    expect(await checkout.run('plan')).toMatchObject({
      status: 74,
      out: '',
      err: 'leasehold: there is no branch to compare with: neither the default branch of a remote, nor main; name one with --base\n',
    });
  });
});

describe('the head of plan', () => {
  it('is the working tree, and uncommitted changes are reported', { tags: 'slow' }, async () => {
    const checkout = await beginning();
    checkout.put('leases/cat.yaml', leaseText('cat', 5, [web]));
    await checkout.run('synth', '--today', '2026-11-20');
    const { out, status } = await checkout.run('plan', '--base', 'main');
    expect(status).toBe(0);
    expect(out).toMatch(/^Routine: front of \S+ gets 203\.0\.113\.9\.\n/);
    expect(out).toContain(`head   working tree on ${checkout.idOf('HEAD')} (2026-11-20)`);
  });

  it('may be detached, or any commit, wherever the working tree is', { tags: 'slow' }, async () => {
    const checkout = await catBegins();
    const { out } = await checkout.run('plan', '--base', 'main');
    const { git } = checkout.repository;
    git('checkout', '-q', '--detach', 'change');
    expect((await checkout.run('plan', '--base', 'main')).out).toBe(out);
    git('checkout', '-q', 'main');
    checkout.put('leases/pools.yaml', 'broken: [');
    expect((await checkout.run('plan', '--base', 'main', '--head', 'change')).out).toBe(out);
  });
});

describe('a saved plan', () => {
  it('is printed in every format as it was when it was made', { tags: 'slow' }, async () => {
    const checkout = await catBegins();
    const folder = tempTree({ 'plan.json': (await checkout.run('plan', '-o', 'json')).out });
    for (const format of [
      'text',
      'markdown',
      'json',
      'yaml',
      'sarif',
      'github',
      'gitlab',
      'html',
    ]) {
      const made = await checkout.run('plan', '-o', format, '--detailed-exitcode');
      const options = ['-o', format, '--detailed-exitcode', '--from', 'plan.json'];
      expect(await runInProcess(['plan', ...options], folder)).toEqual(made);
    }
  });

  it('is refused when it is not valid', async () => {
    const folder = tempTree({ 'plan.json': '{"kind":"Plan"}' });
    const { status, out, err } = await runInProcess(['plan', '--from', 'plan.json'], folder);
    expect([status, err]).toEqual([1, '']);
    expect(out).toMatch(/^the plan is invalid at 'apiVersion'.*\n/);
    const both = await runInProcess(['plan', '--from', 'plan.json', '--base', 'main'], folder);
    expect(both.status).toBe(64);
  });
});

describe('a plan that cannot be made', () => {
  it.each([
    [
      ['--base', '--upload-pack=x'],
      74,
      "git knows no commit '--upload-pack=x': fetch it, or name another",
    ],
    [['--base', 'nowhere'], 74, "git knows no commit 'nowhere': fetch it, or name another"],
    [['--head', 'HEAD:leases'], 74, "git knows no commit 'HEAD:leases': fetch it, or name another"],
    [['-o', 'pdf'], 64, "argument 'pdf' is invalid"],
    [['--max-chars', '-1'], 64, 'It is not a whole number.'],
  ] as const)('is reported in one sentence: %j', async (options, status, sentence) => {
    const checkout = await beginning();
    const finished = await checkout.run('plan', ...options);
    expect([finished.status, finished.out]).toEqual([status, '']);
    expect(finished.err).toContain(sentence);
  });

  it('is reported for a shallow clone', async () => {
    const checkout = await catBegins();
    const shallow = tempTree();
    const options = ['-q', '--depth', '1', '--no-single-branch', '-b', 'change'];
    execFileSync('git', ['clone', ...options, `file://${checkout.root}`, shallow]);
    const { status, err } = await runInProcess(['plan', '--base', 'origin/main'], shallow);
    expect(status).toBe(74);
    expect(err).toMatch(
      /^leasehold: the clone is too shallow to find the merge base of base and head: fetch its history/,
    );
  });

  it('is reported for a folder outside of a repository', async () => {
    const { status, err } = await runInProcess(['plan'], tempTree());
    expect(status).toBe(74);
    expect(err).toMatch(/^leasehold: this folder is not in a git repository/);
  });

  it('is reported for a submodule in the place of leases', { tags: 'slow' }, async () => {
    const checkout = await beginning();
    const { git } = checkout.repository;
    git('rm', '-rqf', 'leases');
    git('update-index', '--add', '--cacheinfo', `160000,${checkout.idOf('HEAD')},leases`);
    git('commit', '-q', '-m', 'A submodule');
    const { status, out } = await checkout.run('plan', '--base', 'main', '--head', 'HEAD');
    expect(status).toBe(1);
    expect(out).toContain('leases:1:1 FILE_NOT_REGULAR not a regular file');
  });
});

describe('links of a plan', () => {
  it.each([
    [
      { GITHUB_ACTIONS: 'true', GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'o/r' },
      'https://github.com/o/r/blob/',
    ],
    [
      { GITLAB_CI: 'true', CI_PROJECT_URL: 'https://git.example.com/g/p' },
      'https://git.example.com/g/p/-/blob/',
    ],
    [
      {
        GITHUB_ACTIONS: 'true',
        GITEA_ACTIONS: 'true',
        GITHUB_SERVER_URL: 'https://git.example.com/gitea/',
        GITHUB_REPOSITORY: 'o/r',
      },
      'https://git.example.com/gitea/o/r/src/commit/',
    ],
  ])('lead to the line at its commit: %j', async (env, blob) => {
    const checkout = await catBegins();
    const { out } = await runInProcess(['plan', '-o', 'markdown'], checkout.root, env);
    expect(out).toContain(`(${blob}${checkout.idOf('HEAD')}/leases/cat.yaml#L10)`);
  });
});
