import { afterEach, expect, test, vi } from 'vitest';
import { quietGit } from '../../../../src/world/git/git.ts';
import { userGit } from '../../../../src/world/git/git-user.ts';
import { gitRepository } from '../../../support/git-repository.ts';
import { tempTree } from '../../../support/temp-tree.ts';

afterEach(() => void vi.useRealTimers());

test.each([
  ['quiet', quietGit],
  ['user', (root: string) => userGit(root, {})],
])('a command of %s git that prints nothing waits for no timer', async (_, open) => {
  const { root } = gitRepository(tempTree());
  // A timer that never ends: simple-git's own would hold the command back.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  expect(await open(root).raw(['remote'])).toBe('');
});
