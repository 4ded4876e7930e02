import { describe, expect, test } from 'vitest';
import { EnvironmentError, UnsureError } from '../../../../src/core/model/problem.ts';
import { fakeForge } from '../../../support/forge/fake-forge.ts';
import { forgeAt, recordedWaiting } from '../../../support/forge/forge-client.ts';

describe('the message of a refusal', () => {
  const cannotWrite =
    'it needs the scope "api" and the role Reporter or higher in that project, and a CI job token has neither';

  test.each([
    ['github', 401, 'the token in SOME_TOKEN is wrong or expired'],
    [
      'github',
      403,
      `the token in SOME_TOKEN may not do that on pull request 7 of acme/leases; a workflow's job needs "permissions: pull-requests: write" (the job of a fork's pull request never has it), another token needs "Pull requests: read and write"`,
    ],
    [
      'github',
      404,
      'there is no pull request 7 of acme/leases, or the token in SOME_TOKEN does not see it; it needs "Pull requests: read and write" of that repository',
    ],
    ['github', 422, 'nothing more was done on pull request 7 of acme/leases'],
    ['gitlab', 401, 'the token in SOME_TOKEN is wrong or expired'],
    [
      'gitlab',
      403,
      `the token in SOME_TOKEN may not do that on merge request 7 of acme/leases; ${cannotWrite}`,
    ],
    [
      'gitlab',
      404,
      `there is no merge request 7 of acme/leases, or the token in SOME_TOKEN does not see it; ${cannotWrite}`,
    ],
    ['gitlab', 400, 'nothing more was done on merge request 7 of acme/leases'],
    ['forgejo', 401, 'the token in SOME_TOKEN is wrong or expired'],
    [
      'gitea',
      403,
      `the token in SOME_TOKEN may not do that on pull request 7 of acme/leases; a workflow's job needs to run on pull_request_target (that of a fork's pull_request only reads), another token needs the scopes "read:repository", "read:user" and "write:issue"`,
    ],
    [
      'forgejo',
      404,
      'there is no pull request 7 of acme/leases, or the token in SOME_TOKEN does not see it; it needs the scopes "read:repository", "read:user" and "write:issue" of that repository',
    ],
    ['gitea', 423, 'nothing more was done on pull request 7 of acme/leases'],
  ] as const)('%s, %i', async (kind, status, help) => {
    const fake = await fakeForge(kind);
    fake.interfere = () => ({ status, text: '{"message":"Words\\nof the server"}' });
    const error = await forgeAt(kind, fake, recordedWaiting())
      .create('text')
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(EnvironmentError);
    expect(error).not.toBeInstanceOf(UnsureError);
    expect(error.message).toMatch(
      /^(GitHub|GitLab|Forgejo|Gitea) at 127[.0-9:]+ answers POST \/\S+ with /,
    );
    expect(error.message.replace(/^.* with /, '')).toBe(`${status} (Words): ${help}`);
    expect(fake.requests).toHaveLength(1);
  });

  test.each(['<html>hello</html>', '{}', '"x"', '[{}]', '[{"id":"5"}]', 'null'])(
    'states that a server that answers %s is not GitHub',
    async (text) => {
      const fake = await fakeForge('github');
      fake.interfere = () => ({ status: 200, text });
      const forge = forgeAt('github', fake, recordedWaiting());
      await expect(forge.list()).rejects.toThrow(
        /^the server is not GitHub: its answer has no (list|id)/,
      );
    },
  );

  test('states that the pull request has no head commit', async () => {
    const fake = await fakeForge('github');
    fake.interfere = () => ({ status: 200, text: '{"head":null}' });
    const forge = forgeAt('github', fake, recordedWaiting());
    await expect(forge.head()).rejects.toThrow(/^the server is not GitHub: its answer has no sha/);
  });
});

describe('the requests', () => {
  test.each([
    ['github', 'github-actions[bot]'],
    ['forgejo', 'forgejo-actions'],
    ['gitea', 'gitea-actions'],
  ] as const)(
    'the token of a workflow of %s, which has no user, writes as %s',
    async (kind, author) => {
      const fake = await fakeForge(kind);
      const forge = forgeAt(kind, fake, recordedWaiting());
      fake.user = undefined;
      expect(await forge.author()).toBe(author);
    },
  );

  test.each(['github', 'gitlab', 'forgejo', 'gitea'] as const)(
    "%s's head and author",
    async (kind) => {
      const fake = await fakeForge(kind);
      const forge = forgeAt(kind, fake, recordedWaiting());
      expect([await forge.author(), await forge.head()]).toEqual(['leasehold-bot', 'a'.repeat(40)]);
    },
  );

  test("system notes are not comments, and a deleted account's author is empty", async () => {
    const fake = await fakeForge('gitlab');
    fake.comments.push({ id: 1, author: 'leasehold-bot', body: 'changed the title', system: true });
    fake.interfere = () => ({
      status: 200,
      text: '[{"id":2,"body":null,"author":null},{"id":3,"system":true}]',
    });
    expect(await forgeAt('gitlab', fake, recordedWaiting()).list()).toEqual([
      { id: '2', author: '', body: '' },
    ]);
  });

  test('the version of the API is named', async () => {
    const fake = await fakeForge('github');
    const forge = forgeAt('github', fake, recordedWaiting());
    await forge.create('text');
    expect(fake.requests[0]?.headers).toMatchObject({
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      'user-agent': 'leasehold',
      'content-type': 'application/json',
    });
  });
});
