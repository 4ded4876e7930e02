import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { comment, head, jobOf, planFolder } from '../../support/forge/comment-run.ts';
import { fakeForge } from '../../support/forge/fake-forge.ts';

describe('the target of a comment', () => {
  const dry = async (argv: readonly string[], env: Record<string, string> = {}, cwd?: string) => {
    const { status, out, err } = await comment(['--dry-run', ...argv], env, cwd);
    return { status, out, err };
  };

  test('the number comes from the event that started the workflow', async () => {
    const cwd = planFolder();
    writeFileSync(join(cwd, 'event.json'), JSON.stringify({ pull_request: { number: 12 } }));
    const env = {
      ...jobOf('github', ''),
      GITHUB_REF: 'refs/heads/x',
      GITHUB_EVENT_PATH: 'event.json',
    };
    const { err } = await dry(['--api', 'https://ghe.example/api/v3'], env, cwd);
    expect(err).toBe(
      'would post 1 comment on pull request 12 of acme/leases, over https://ghe.example/api/v3\n',
    );
  });

  test.each([
    ['{"pull_request":{"number":"7; rm"}}'],
    ['{"pull_request":null}'],
    ['[]'],
    ['no JSON'],
    [''],
  ])('an event without a number is refused: %s', async (text) => {
    const cwd = planFolder();
    writeFileSync(join(cwd, 'event.json'), text);
    const env = {
      ...jobOf('github', ''),
      GITHUB_REF: 'refs/heads/refs/pull/9/merge',
      GITHUB_EVENT_PATH: 'event.json',
    };
    const { status, err } = await dry([], env, cwd);
    expect(status).toBe(64);
    expect(err).toMatch(/no pull request is known: .*--pull-request\n$/);
  });

  test.each([
    [
      ['--repository', 'a/b', '--pull-request', '3'],
      'pull request 3 of a/b, over https://api.github.com',
    ],
    [
      ['--project', 'a/b/c', '--pull-request', '3'],
      'merge request 3 of a/b/c, over https://gitlab.com/api/v4',
    ],
    [
      ['--project', '42', '--pull-request', '3'],
      'merge request 3 of 42, over https://gitlab.com/api/v4',
    ],
  ])('%j needs no environment', async (argv, where) => {
    const { err } = await dry(argv);
    expect(err).toBe(`would post 1 comment on ${where}\n`);
  });

  test.each([
    [[], 'no forge is known'],
    [['--forge', 'github', '--pull-request', '3'], 'no repository is known'],
    [['--forge', 'gitlab', '--pull-request', '3'], 'no project is known'],
    [['--repository', '../x', '--pull-request', '3'], '--repository is owner/name'],
    [['--repository', 'a/..', '--pull-request', '3'], '--repository is owner/name'],
    [['--repository', 'a/b/c', '--pull-request', '3'], '--repository is owner/name'],
    [['--repository', 'a/b?x', '--pull-request', '3'], '--repository is owner/name'],
    [['--project', 'a', '--pull-request', '3'], '--project is group/name'],
    [['--project', 'a/../b', '--pull-request', '3'], '--project is group/name'],
    [['--forge', 'bitbucket'], 'Allowed choices are github, gitlab, forgejo, gitea'],
    [['--repository', 'a/b', '--pull-request', '0'], 'It is not a number such as 7'],
    [
      ['--repository', 'a/b', '--pull-request', '3', '--head', 'main'],
      'not the full name of a commit',
    ],
    [
      ['--repository', 'a/b', '--pull-request', '3', '--key', 'a--b'],
      'It is not a name of letters',
    ],
    [
      ['--repository', 'a/b', '--pull-request', '3', '--key', 'a -->'],
      'It is not a name of letters',
    ],
  ])('%j is refused', async (argv, message) => {
    const { status, err } = await dry(argv);
    expect(status).toBe(64);
    expect(err).toContain(message);
  });

  test.each([
    ['https://api.github.com', 'https://github.com/a/b/blob/'],
    ['https://ghe.example/api/v3', 'https://ghe.example/a/b/blob/'],
    ['https://codeberg.org/api/v1', 'https://codeberg.org/a/b/src/commit/'],
    ['https://gitea.example/git/api/v1', 'https://gitea.example/git/a/b/src/commit/'],
  ])('links lead to the commit, over %s', async (api, link) => {
    const { out } = await dry(['--repository', 'a/b', '--pull-request', '3', '--api', api]);
    expect(out).toContain(`](${link}${head}/leases/shop/web.yaml#L1)`);
  });

  test('links lead to the commit on GitLab, and nowhere for a project of which only the number is known', async () => {
    const { out } = await dry(['--project', 'a/b', '--pull-request', '3']);
    expect(out).toContain(`](https://gitlab.com/a/b/-/blob/${head}/leases/shop/web.yaml#L1)`);
    const numbered = await dry(['--project', '42', '--pull-request', '3']);
    expect(numbered.out).not.toContain('](');
  });
});

describe('the artifacts of the run', () => {
  const dry = async (env: Record<string, string>, cwd?: string) =>
    (await comment(['--dry-run'], { ...env }, cwd)).out;
  const github = {
    ...jobOf('github', 'https://api.github.com'),
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_RUN_ID: '123456789012',
  };

  test('are linked in the last line', async () => {
    expect(await dry(github)).toContain(
      ' · [plan and map as pages](https://github.com/acme/leases/actions/runs/123456789012#artifacts)</sub>\n',
    );
    const gitlab = jobOf('gitlab', 'https://gitlab.com/api/v4');
    const url = 'https://gitlab.com/acme/leases/-/pipelines/77';
    expect(await dry({ ...gitlab, CI_PIPELINE_URL: url })).toContain(
      ` · [plan and map as pages](${url})</sub>\n`,
    );
  });

  test('are those of the other workflow where this one only comments', async () => {
    const cwd = planFolder();
    const run = {
      id: 42,
      event: 'pull_request',
      head_sha: head,
      head_branch: 'x',
      head_repository: { full_name: 'acme/leases' },
    };
    writeFileSync(join(cwd, 'event.json'), JSON.stringify({ workflow_run: run }));
    expect(await dry({ ...github, GITHUB_EVENT_PATH: 'event.json' }, cwd)).toContain(
      '](https://github.com/acme/leases/actions/runs/42#artifacts)</sub>',
    );
  });

  test.each([
    ['12); [x](https://evil.example', 'https://github.com'],
    ['12', 'http://github.com'],
    ['', 'https://github.com'],
  ])('are not linked where the page is no https page of a run: %j at %s', async (id, server) => {
    const out = await dry({ ...github, GITHUB_RUN_ID: id, GITHUB_SERVER_URL: server });
    expect(out).toContain('digest `5ea1ab1e5ea1`</sub>\n');
  });
});

describe('a workflow that runs after another one', () => {
  const branch = 'topic;$(touch pwned)&x=1';
  const run = {
    event: 'pull_request',
    head_sha: head,
    head_branch: branch,
    head_repository: { full_name: 'forker/leases' },
    pull_requests: [],
  };
  const pull = (number: number, sha = head, full_name = 'forker/leases') => ({
    number,
    head: { sha, repo: { full_name } },
  });

  async function commentAfter(pulls: readonly object[], event: object = run, argv: string[] = []) {
    const fake = await fakeForge('github');
    fake.pulls.set(`forker:${branch}`, pulls);
    const cwd = planFolder();
    writeFileSync(join(cwd, 'event.json'), JSON.stringify({ workflow_run: event }));
    const env = {
      ...jobOf('github', fake.api),
      GITHUB_REF: 'refs/heads/main',
      GITHUB_EVENT_PATH: 'event.json',
    };
    return { fake, ...(await comment(argv, env, cwd)) };
  }

  test("finds the fork's pull request by repository, branch and commit", async () => {
    const others = [pull(5, 'c'.repeat(40)), pull(6, head, 'forker/other'), { number: 8 }];
    const { fake, status, err } = await commentAfter([...others, pull(7)]);
    expect({ status, err }).toEqual({
      status: 0,
      err: '1 comment created on pull request 7 of acme/leases\n',
    });
    expect(fake.comments).toHaveLength(1);
  });

  test('posts nothing when the branch has moved on or the pull request is closed', async () => {
    const { fake, status, err } = await commentAfter([pull(7, 'c'.repeat(40))]);
    expect({ status, err }).toEqual({
      status: 0,
      err: `nothing posted: no open pull request is at ${head} by now\n`,
    });
    expect(fake.comments).toEqual([]);
  });

  test('does not choose between two pull requests of a branch', async () => {
    const { fake, status, err } = await commentAfter([pull(9), pull(7)]);
    expect(status).toBe(74);
    expect(err).toContain('the pull requests 7 and 9 have the same branch');
    expect(fake.comments).toEqual([]);
  });

  test('posts no plan of another commit than the one it ran for', async () => {
    const { fake, status, err } = await commentAfter([pull(7)], {
      ...run,
      head_sha: 'c'.repeat(40),
    });
    expect(status).toBe(74);
    expect(err).toContain(`the plan is of ${head}, and not of ${'c'.repeat(40)}`);
    expect(fake.requests).toEqual([]);
  });

  test('knows no pull request of a run for anything else', async () => {
    const { status, err } = await commentAfter([pull(7)], { ...run, event: 'push' });
    expect(status).toBe(64);
    expect(err).toContain('no pull request is known');
  });

  test('sends no request in a dry run', async () => {
    const { fake, err } = await commentAfter([pull(7)], run, ['--dry-run']);
    expect(err).toContain('would post 1 comment on pull request still to be found of acme/leases');
    expect(fake.requests).toEqual([]);
  });
});
