import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { actionSteps, readKit, type Step, type Workflow } from '../../support/forge/ci-kit.ts';

const workflows = ['docs/ci/github/leasehold-plan.yml', 'docs/ci/github/leasehold-comment.yml'];
const stepsOf = (file: string): readonly Step[] =>
  file === 'action.yml'
    ? actionSteps()
    : Object.values(readKit<Workflow>(file).jobs).flatMap(({ steps }) => steps);
const github = [...workflows, 'action.yml'];
const gitea = 'docs/ci/gitea/leasehold.yml';

interface GitlabJob {
  readonly before_script?: readonly string[];
  readonly script?: readonly string[];
}

/** Every script of the kit, by where it stands. */
function scripts(): readonly (readonly [string, string])[] {
  const gitlab = readKit<Record<string, GitlabJob>>('docs/ci/gitlab/leasehold.gitlab-ci.yml');
  return [
    ...[...github, gitea].flatMap((file) =>
      stepsOf(file).flatMap(({ name, run }) =>
        run === undefined ? [] : [[`${file} ${name}`, run] as const],
      ),
    ),
    ...Object.entries(gitlab).flatMap(([job, { before_script = [], script = [] }]) => {
      const lines = [...before_script, ...script];
      return lines.length > 0 ? [[`GitLab ${job}`, lines.join('\n')] as const] : [];
    }),
    ...readKit<{ id: string; entry: string }[]>('.pre-commit-hooks.yaml').map(
      ({ id, entry }) => [id, entry] as const,
    ),
  ];
}

describe('the permissions of the CI kit', () => {
  test('a workflow that runs for strangers only reads', () => {
    const { permissions, jobs } = readKit<Workflow>('docs/ci/github/leasehold-plan.yml');
    expect(permissions).toEqual({});
    expect(Object.values(jobs).map((job) => job.permissions)).toEqual([{ contents: 'read' }]);
  });

  test('a workflow that writes reads plans and writes comments, and nothing else', () => {
    const { permissions, jobs } = readKit<Workflow>('docs/ci/github/leasehold-comment.yml');
    expect(permissions).toEqual({});
    expect(Object.values(jobs).map((job) => job.permissions)).toEqual([
      { actions: 'read', 'pull-requests': 'write' },
    ]);
  });

  test('a workflow that writes checks nothing out', () => {
    const uses = stepsOf('docs/ci/github/leasehold-comment.yml').map((step) => step.uses ?? '');
    expect(uses.filter((name) => name.includes('checkout'))).toEqual([]);
    expect(actionSteps().filter(({ uses: name }) => name?.includes('checkout'))).toEqual([]);
  });

  test('a checkout keeps no token in the tree', () => {
    const checkout = stepsOf('docs/ci/github/leasehold-plan.yml').find(({ uses }) =>
      uses?.startsWith('actions/checkout@'),
    );
    expect(checkout?.with).toEqual({ 'fetch-depth': 0, 'persist-credentials': false });
  });

  test('the events are those that are safe for forks, and the merge queue', () => {
    const events = workflows.map((file) => Object.keys(readKit<Workflow>(file).on));
    expect(events).toEqual([['pull_request', 'merge_group'], ['workflow_run']]);
  });

  test('the workflow of Forgejo and Gitea is that of the target, and uses no action of others', () => {
    const { on, permissions, jobs } = readKit<Workflow>(gitea);
    expect(Object.keys(on)).toEqual(['pull_request_target']);
    expect(permissions).toEqual({ contents: 'read', 'pull-requests': 'write' });
    expect(Object.values(jobs).flatMap(({ steps }) => steps.map(({ uses }) => uses))).toEqual(
      stepsOf(gitea).map(() => undefined),
    );
  });

  test('on Forgejo and Gitea, the steps with the token are those that fetch and that comment', () => {
    const hasToken = ({ env = {} }: Step) => /github\.token/.test(JSON.stringify(env));
    const names = stepsOf(gitea)
      .filter(hasToken)
      .map(({ name }) => name);
    expect(names).toEqual(['Get the commits', 'Comment']);
  });

  test.each(github)(
    '%s uses the actions of others by their digest, says which version it is, and ours by its version',
    (file) => {
      const text = readFileSync(resolve(file), 'utf8');
      const uses = text.split('\n').filter((line) => /^\s*(- )?uses:/.test(line));
      expect(uses.length).toBeGreaterThan(0);
      for (const line of uses) {
        expect(line).toMatch(
          /uses: (?:OWNER\/leasehold@v0\.1\.0|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/,
        );
      }
    },
  );

  test('the actions are those that our own CI uses, at the same commits', () => {
    const own = readFileSync(resolve('.github/workflows/ci.yml'), 'utf8');
    const used = github
      .flatMap((file) => stepsOf(file).map(({ uses }) => uses))
      .filter((name) => name && /^actions\/(checkout|setup-node)@/.test(name));
    for (const name of used) expect(own).toContain(name);
  });

  test.each([...github, gitea])('in %s no expression stands in a script', (file) => {
    const runs = stepsOf(file).flatMap(({ run }) => run ?? []);
    expect(runs.filter((run) => run.includes('${{'))).toEqual([]);
  });

  test('the GitLab job with the token is for branches of the same project only', () => {
    const jobs = readKit<Record<string, { rules?: { if: string }[] }>>(
      'docs/ci/gitlab/leasehold.gitlab-ci.yml',
    );
    expect(jobs['leasehold-comment']?.rules?.map((rule) => rule.if)).toEqual([
      expect.stringContaining(
        '$CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_MERGE_REQUEST_PROJECT_ID && $GITLAB_TOKEN',
      ),
    ]);
  });
});

describe('the scripts of the CI kit', () => {
  test.each(scripts())('%s is bash', (_, script) => {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

test('docs/pull-requests.md leads to action.yml, which describes every input and output', () => {
  const { inputs, outputs } =
    readKit<Record<'inputs' | 'outputs', Record<string, { description?: string }>>>('action.yml');
  const described = { ...inputs, ...outputs };
  expect(Object.keys(described).length).toBeGreaterThan(10);
  for (const [name, { description }] of Object.entries(described)) {
    expect(`${name}: ${description}`).toMatch(/: \S.*\.$/s);
  }
  expect(readFileSync(resolve('docs/pull-requests.md'), 'utf8')).toContain('](../action.yml)');
});
