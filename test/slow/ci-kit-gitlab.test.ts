import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { programs, readKit, runBash } from '../support/forge/ci-kit.ts';
import { type FakeForge, fakeForge } from '../support/forge/fake-forge.ts';
import { addLease, type Checkout, checkout, today } from '../support/repositories/ci-checkout.ts';
import { gitRepository } from '../support/repositories/git-repository.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { synthHere } from '../support/run/direct-commands.ts';
import { putFile, snapshot, tempTree } from '../support/trees/temp-tree.ts';

/** The jobs of the GitLab template and the hooks of pre-commit, run as those run them. */
let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program.remove());

interface Job {
  readonly before_script: readonly string[];
  readonly script: readonly string[];
}

const jobs = readKit<Record<string, Job>>('docs/ci/gitlab/leasehold.gitlab-ci.yml');

/** A repository with a version of leasehold, and an npm that builds it from the built program. */
function repository() {
  const repository = gitRepository(tempTree({ 'package.json': '{}' }));
  repository.git('add', '-A');
  repository.git('commit', '-q', '-m', 'leasehold');
  repository.git('tag', 'v0.1.0');
  const npm = `test -e package.json && { [ "$1" = ci ] || ln -s ${program.build} build; }`;
  return {
    LEASEHOLD: `file://${repository.root}#v0.1.0`,
    PATH: `${programs({ npm })}:${process.env.PATH}`,
  };
}

/** The tarball of a release of leasehold: its URL and its digest. */
function tarball() {
  const file = join(tempTree(), 'leasehold-0.1.0.tgz');
  execFileSync('tar', [
    ...['-czf', file, '--transform=s,^\\.,package/build,'],
    ...['-C', program.build, '.'],
  ]);
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  return { url: `file://${file}`, sha256 };
}

function run(name: string, cwd: string, env: Readonly<Record<string, string>>) {
  const lines = [...(jobs['.leasehold']?.before_script ?? []), ...(jobs[name]?.script ?? [])];
  const script = join(tempTree(), 'script.sh');
  writeFileSync(script, `${lines.join('\n')}\n`);
  const variables = { GITLAB_CI: 'true', LEASEHOLD_TODAY: today, ...repository(), ...env };
  return runBash(['-e', '-o', 'pipefail', script], { cwd, env: variables });
}

/** The variables of a merge request's pipeline: on the merge of both, or on the branch. */
function pipeline({ base, head }: Checkout, type: 'detached' | 'merged_result' | 'merge_train') {
  return {
    CI_MERGE_REQUEST_EVENT_TYPE: type,
    CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
    ...(type === 'detached'
      ? { CI_COMMIT_SHA: head }
      : {
          CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: head,
          CI_MERGE_REQUEST_TARGET_BRANCH_SHA: base,
        }),
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'a;$(touch pwned)',
    CI_MERGE_REQUEST_TITLE: 'x\n$(touch pwned)',
  };
}

describe('the GitLab template', () => {
  test.each(['detached', 'merged_result', 'merge_train'] as const)(
    'plans and comments in a pipeline of the type %s',
    async (type) => {
      const made = await checkout({ change: (root) => addLease(root) });
      if (type === 'detached') made.repository.git('checkout', '-q', '--detach', made.head);
      const env = pipeline(made, type);
      expect(await run('leasehold-plan', made.root, env)).toMatchObject({ status: 0 });
      const read = (file: string) => readFileSync(join(made.root, 'leasehold-plan', file), 'utf8');
      expect(JSON.parse(read('plan.json'))).toMatchObject({ verdict: 'routine' });
      expect(JSON.parse(read('code-quality.json'))).toBeInstanceOf(Array);
      expect(read('plan.html')).toContain('<!doctype html>');
      expect(read('page.html')).toContain('id="before"');

      const gitlab = await fakeForge('gitlab');
      gitlab.head = made.head;
      const done = await run('leasehold-comment', made.root, { ...env, ...tokenOf(gitlab) });
      expect(done).toMatchObject({ status: 0 });
      expect(done.log).toContain('1 comment created on merge request 7 of acme/leases\n');
      expect(gitlab.comments).toHaveLength(1);
      expect(Object.keys(snapshot(made.root)).filter((path) => path.endsWith('pwned'))).toEqual([]);
    },
  );

  test('fails for a problem once report and plan are there', async () => {
    const made = await checkout({ change: (root) => addLease(root), isSynthesized: false });
    const { status, log } = await run('leasehold-plan', made.root, pipeline(made, 'merged_result'));
    expect(status).toBe(1);
    expect(log).toContain('STALE');
    const report = readFileSync(join(made.root, 'leasehold-plan/code-quality.json'), 'utf8');
    expect(JSON.parse(report)).toContainEqual(expect.objectContaining({ check_name: 'STALE' }));
  });

  test('judges every commit that a merge train without a merge commit adds', async () => {
    const made = await checkout({ change: (root) => addLease(root) });
    const { git } = made.repository;
    git('checkout', '-q', '--detach', made.base);
    git('rm', '-q', '-r', 'leases/dune');
    await synthHere(made.root, today);
    const released = git('ls-files', '--modified', 'leases/allocations').trim().split('\n');
    git('rm', '-q', '-f', '--', ...released);
    git('add', '-A');
    git('commit', '-q', '-m', 'A lease ends, and its record is removed by hand');
    putFile(made.root, 'README.md', 'Ours\n');
    git('add', '-A');
    git('commit', '-q', '-m', 'An innocent commit');
    const { status, log } = await run('leasehold-plan', made.root, pipeline(made, 'merge_train'));
    expect(status).toBe(1);
    expect(log).toContain('ALLOCATION_FORGED');
  });

  test('runs a release without building it, with the digest that is given', async () => {
    const made = await checkout({ change: (root) => addLease(root) });
    const npm = { PATH: `${programs({ npm: 'exit 1' })}:${process.env.PATH}` };
    const { url, sha256 } = tarball();
    const env = { ...pipeline(made, 'merged_result'), ...npm };
    for (const LEASEHOLD of [url, `${url}#sha256=${sha256}`]) {
      const { status } = await run('leasehold-plan', made.root, { ...env, LEASEHOLD });
      expect([LEASEHOLD, status]).toEqual([LEASEHOLD, 0]);
    }
    for (const given of ['0'.repeat(64), sha256.slice(1), '']) {
      const LEASEHOLD = `${url}#sha256=${given}`;
      const { status, log } = await run('leasehold-plan', made.root, { ...env, LEASEHOLD });
      expect([status, log]).toEqual([1, expect.stringContaining('sha256sum: ')]);
    }
  });

  test('makes no report out of a failure', async () => {
    const made = await checkout({ change: (root) => addLease(root) });
    const env = { ...pipeline(made, 'detached'), CI_MERGE_REQUEST_DIFF_BASE_SHA: '--output=x' };
    const { status } = await run('leasehold-plan', made.root, env);
    expect(status).toBe(74);
  });

  function tokenOf({ api }: FakeForge): Record<string, string> {
    return {
      CI_API_V4_URL: api,
      CI_MERGE_REQUEST_PROJECT_PATH: 'acme/leases',
      CI_MERGE_REQUEST_IID: '7',
      GITLAB_TOKEN: 'fake-token',
    };
  }
});

describe('the hooks of pre-commit', () => {
  const hooks = readKit<{ id: string; entry: string; files: string }[]>('.pre-commit-hooks.yaml');

  /** pre-commit puts what the package installs before everything else in PATH. */
  function runHook(id: string, cwd: string) {
    const entry = hooks.find((hook) => hook.id === id)?.entry ?? '';
    const leasehold = `exec ${process.execPath} ${program.cli} "$@"`;
    const PATH = `${programs({ leasehold })}:${process.env.PATH}`;
    return runBash(['-c', entry], { cwd, env: { PATH, LEASEHOLD_TODAY: today } });
  }

  test('synth shows git what it wrote, so that the commit waits for it', async () => {
    const { root, repository } = await checkout({
      change: (at) => putFile(at, 'README.md', 'Ours\n'),
      isSynthesized: false,
    });
    addLease(root);
    repository.git('add', '-A');
    const before = repository.git('diff');
    expect(await runHook('leasehold-synth', root)).toMatchObject({ status: 0 });
    const after = repository.git('diff');
    expect(before).toBe('');
    expect(after).toMatch(/^\+\+\+ b\/leases\/allocations\/.*\.yaml$/m);
    expect(await runHook('leasehold-check', root)).toMatchObject({ status: 0 });
    repository.git('add', '-A');
    expect(await runHook('leasehold-synth', root)).toMatchObject({ status: 0 });
    expect(repository.git('diff')).toBe('');
  });

  test('check stops a commit that is not what synth gives', async () => {
    const { root } = await checkout({ change: (at) => addLease(at), isSynthesized: false });
    expect(await runHook('leasehold-check', root)).toMatchObject({ status: 1 });
  });

  test('both run when declarations or manifests are committed', () => {
    for (const { files } of hooks) {
      const pattern = new RegExp(files);
      expect(['leases/a/b.yaml', 'dist/default/x.yaml'].every((path) => pattern.test(path))).toBe(
        true,
      );
      expect(pattern.test('src/leases/x.ts')).toBe(false);
    }
  });
});
