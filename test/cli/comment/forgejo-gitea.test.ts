import { describe, expect, test } from 'vitest';
import { comment, jobOf } from '../../support/forge/comment-run.ts';
import { fakeForge } from '../../support/forge/fake-forge.ts';
import { tempTree } from '../../support/trees/temp-tree.ts';

describe.each(['forgejo', 'gitea'] as const)('a job of %s', (kind) => {
  test('is never taken for one of GitHub, whatever names the repository', async () => {
    const fake = await fakeForge(kind);
    const { status, err } = await comment(['--repository', 'acme/leases'], jobOf(kind, fake.api));
    expect({ status, err }).toEqual({
      status: 0,
      err: '1 comment created on pull request 7 of acme/leases\n',
    });
    expect(fake.log()[0]).toBe(`GET ${new URL(fake.api).pathname}/user`);
  });

  test('on pull_request_target has the number in its event', async () => {
    const fake = await fakeForge(kind);
    const event = tempTree({ 'event.json': '{"pull_request":{"number":7}}' });
    const env = {
      ...jobOf(kind, fake.api),
      GITHUB_REF: 'refs/heads/main',
      GITHUB_EVENT_PATH: `${event}/event.json`,
    };
    expect((await comment([], env)).err).toBe(
      '1 comment created on pull request 7 of acme/leases\n',
    );
  });

  test('prefers the token of its own name, and links no pages, which the job does not keep', async () => {
    const fake = await fakeForge(kind);
    const own = { forgejo: 'FORGEJO_TOKEN', gitea: 'GITEA_TOKEN' }[kind];
    const env = {
      ...jobOf(kind, fake.api),
      GITHUB_TOKEN: 'another',
      [own]: 'fake-token',
      GITHUB_SERVER_URL: 'https://git.example.com',
      GITHUB_RUN_ID: '3',
    };
    expect((await comment([], env)).status).toBe(0);
    expect(fake.comments[0]?.body).not.toContain('/actions/runs/');
  });
});

test('a job of an old runner of Forgejo can be named one', async () => {
  const fake = await fakeForge('forgejo');
  const { err } = await comment(['--forge', 'forgejo'], jobOf('gitea', fake.api));
  expect(err).toBe('1 comment created on pull request 7 of acme/leases\n');
});

describe('outside of CI', () => {
  const dry = (argv: readonly string[]) =>
    comment(['--dry-run', '--repository', 'a/b', '--pull-request', '3', ...argv], {});

  test.each([
    [['--forge', 'forgejo'], 'https://codeberg.org/api/v1'],
    [['--forge', 'gitea'], 'https://gitea.com/api/v1'],
    [['--api', 'https://codeberg.org/api/v1'], 'https://codeberg.org/api/v1'],
    [[], 'https://api.github.com'],
  ])('%j names %s', async (argv, api) => {
    expect((await dry(argv)).err).toBe(
      `would post 1 comment on pull request 3 of a/b, over ${api}\n`,
    );
  });

  test('the token of GitHub is sent to no other forge', async () => {
    const fake = await fakeForge('gitea');
    const target = ['--forge', 'gitea', '--api', fake.api, '--pull-request', '7'];
    const env = { GITHUB_TOKEN: 'fake-token', GITHUB_API_URL: 'https://api.github.com' };
    const { status, err } = await comment(['--repository', 'acme/leases', ...target], env);
    expect([status, err]).toEqual([74, expect.stringContaining('set GITEA_TOKEN in the env')]);
    expect(fake.requests).toEqual([]);
  });
});
