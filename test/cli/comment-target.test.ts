import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { comment, head, jobOf, planFolder } from '../support/commenting.ts';

describe('where the comment goes', () => {
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
  ])('an event that names none is told so: %s', async (text) => {
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
    [['--forge', 'gitea'], 'Allowed choices are github, gitlab'],
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
