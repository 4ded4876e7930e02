import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { programs, readKit, runBash } from '../support/forge/ci-kit.ts';
import { type FakeForge, fakeForge } from '../support/forge/fake-forge.ts';
import { jobFolder, runGitlabJob } from '../support/forge/gitlab-job.ts';
import {
  addLease,
  type Checkout,
  checkout,
  leaseAdded,
  today,
} from '../support/repositories/ci-checkout.ts';
import { crissCross } from '../support/repositories/criss-cross.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { synthHere } from '../support/run/direct-commands.ts';
import { inScope } from '../support/run/scope.ts';
import { putFile, snapshot, tempTree } from '../support/trees/temp-tree.ts';

/** The jobs of the GitLab template and the hooks of pre-commit, run as those run them. */
let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program.remove());

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
  return runGitlabJob({ program, name, cwd }, env);
}

/** The variables of a merge request's pipeline: on the merge of both, or on the branch. */
function pipeline(
  { base, head, repository }: Checkout,
  type: 'detached' | 'merged_result' | 'merge_train',
) {
  return {
    CI_MERGE_REQUEST_EVENT_TYPE: type,
    CI_PROJECT_ID: '7',
    CI_MERGE_REQUEST_PROJECT_ID: '7',
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    ...(type === 'detached'
      ? { CI_COMMIT_SHA: head }
      : {
          CI_COMMIT_SHA: repository.git('rev-parse', 'HEAD').trim(),
          CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: head,
          CI_MERGE_REQUEST_TARGET_BRANCH_SHA: base,
        }),
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'a;$(touch pwned)',
    CI_MERGE_REQUEST_TITLE: 'x\n$(touch pwned)',
  };
}

describe('the GitLab template', () => {
  const types = ['detached', 'merged_result', 'merge_train'] as const;
  test.each(inScope(types, (type) => type !== 'merged_result'))(
    'plans and comments in a pipeline of the type %s',
    async (type) => {
      const made = await leaseAdded();
      const env = pipeline(made, type);
      const cwd = jobFolder(made);
      expect(await run('leasehold-plan', cwd, env)).toMatchObject({ status: 0 });
      const read = (file: string) => readFileSync(join(cwd, 'leasehold-plan', file), 'utf8');
      expect(JSON.parse(read('plan.json'))).toMatchObject({ verdict: 'routine' });
      expect(JSON.parse(read('code-quality.json'))).toBeInstanceOf(Array);
      expect(read('plan.html')).toContain('<!doctype html>');
      expect(read('page.html')).toContain('id="before"');

      const gitlab = await fakeForge('gitlab');
      gitlab.head = made.head;
      const done = await run('leasehold-comment', cwd, { ...env, ...tokenOf(gitlab) });
      expect(done).toMatchObject({ status: 0 });
      expect(done.log).toContain('1 comment created on merge request 7 of acme/leases\n');
      expect(gitlab.comments).toHaveLength(1);
      expect(Object.keys(snapshot(cwd)).filter((path) => path.endsWith('pwned'))).toEqual([]);
    },
  );

  test('fails for a problem once report and plan are there', async () => {
    const made = await leaseAdded(false);
    const cwd = jobFolder(made);
    const { status, log } = await run('leasehold-plan', cwd, pipeline(made, 'merged_result'));
    expect(status).toBe(1);
    expect(log).toContain('STALE');
    const report = readFileSync(join(cwd, 'leasehold-plan/code-quality.json'), 'utf8');
    expect(JSON.parse(report)).toContainEqual(expect.objectContaining({ check_name: 'STALE' }));
  });

  test('judges every commit that a merge train without a merge commit adds', async () => {
    const made = await leaseAdded();
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
    const env = pipeline(made, 'merge_train');
    const { status, log } = await run('leasehold-plan', jobFolder(made), env);
    expect(status).toBe(1);
    expect(log).toContain('ALLOCATION_FORGED');
  });

  test('runs a release without building it, with the digest that is given', async () => {
    const made = await leaseAdded();
    const npm = { PATH: `${programs({ npm: 'exit 1' })}:${process.env.PATH}` };
    const { url, sha256 } = tarball();
    const env = { ...pipeline(made, 'merged_result'), ...npm };
    for (const LEASEHOLD of [url, `${url}#sha256=${sha256}`]) {
      const { status } = await run('leasehold-plan', jobFolder(made), { ...env, LEASEHOLD });
      expect([LEASEHOLD, status]).toEqual([LEASEHOLD, 0]);
    }
    for (const given of ['0'.repeat(64), sha256.slice(1), '']) {
      const LEASEHOLD = `${url}#sha256=${given}`;
      const { status, log } = await run('leasehold-plan', jobFolder(made), { ...env, LEASEHOLD });
      expect([status, log]).toEqual([1, expect.stringContaining('sha256sum: ')]);
    }
  });

  test('makes no report out of a failure', async () => {
    const made = await leaseAdded();
    const env = {
      ...pipeline(made, 'merged_result'),
      CI_MERGE_REQUEST_TARGET_BRANCH_SHA: '--output=x',
    };
    const cwd = jobFolder(made);
    expect(await run('leasehold-plan', cwd, env)).toMatchObject({ status: 74 });
    expect(Object.keys(snapshot(cwd))).not.toContain('leasehold-plan');
  });

  test('compares with the newest commit of the target, and not with a merge base that the author chose', async () => {
    const made = await crissCross();
    const { git } = made.repository;
    const origin = join(tempTree(), 'origin');
    git('clone', '-q', '--bare', made.root, origin);
    const head = made.idOf('change');
    const env = pipeline({ ...made, base: made.chosen, head }, 'detached');
    const given = {
      ...env,
      CI_MERGE_REQUEST_DIFF_BASE_SHA: made.chosen,
      LEASEHOLD_TODAY: '2026-01-14',
    };
    const { status, log } = await run('leasehold-plan', jobFolder(made, origin), given);
    expect([status, log]).toEqual([74, expect.stringContaining('have several merge bases')]);
  });

  test('fails with a sentence where the target cannot be fetched', async () => {
    const made = await leaseAdded();
    const gone = { ...pipeline(made, 'detached'), CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'gone' };
    const { status, log } = await run('leasehold-plan', jobFolder(made), gone);
    const sentence = 'leasehold: the target branch cannot be fetched, so nothing is checked\n';
    expect([status, log]).toEqual([74, expect.stringContaining(sentence)]);
  });

  test('fetches the target of a fork from the project that the merge request is for', async () => {
    const made = await leaseAdded();
    const origin = made.repository.git('remote', 'get-url', 'origin').trim();
    const group = tempTree();
    made.repository.git('clone', '-q', '--bare', origin, join(group, 'acme/leases.git'));
    const cwd = jobFolder(made, join(group, 'fork/leases.git'));
    const fork = {
      ...pipeline(made, 'detached'),
      CI_PROJECT_ID: '8',
      CI_PROJECT_PATH: 'fork/leases',
      CI_REPOSITORY_URL: `file://${group}/fork/leases.git`,
      CI_MERGE_REQUEST_PROJECT_PATH: 'acme/leases',
    };
    expect(await run('leasehold-plan', cwd, fork)).toMatchObject({ status: 0 });
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
    const { root } = await leaseAdded(false);
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
