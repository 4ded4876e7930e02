import { describe, expect, test } from 'vitest';
import { forgeOfCI, forgeOfHost } from '../../../../src/core/model/forges/forges.ts';

const gitea = { GITHUB_ACTIONS: 'true', GITEA_ACTIONS: 'true' };

describe('the forge', () => {
  test.each([
    [{}, undefined],
    [{ GITHUB_ACTIONS: 'true' }, 'github'],
    [{ GITLAB_CI: 'true' }, 'gitlab'],
    [gitea, 'gitea'],
    [{ ...gitea, FORGEJO_ACTIONS: 'true' }, 'forgejo'],
  ])('whose CI sets %j is %s', (env, forge) => {
    expect(forgeOfCI(env)).toBe(forge);
  });

  test.each([
    ['codeberg.org', 'forgejo'],
    ['gitea.com', 'gitea'],
    ['forgejo.example.org', 'forgejo'],
    ['github.com', 'github'],
    ['gitlab.example.com', 'gitlab'],
    ['git.example.gitea', undefined],
    ['example.codeberg.org', undefined],
    ['', undefined],
  ])('of the host %j is %s', (host, forge) => {
    expect(forgeOfHost(host)).toBe(forge);
  });
});
