import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { Git, userGit } from '../../../../../src/core/world/git/git.ts';
import { reasonOfGit } from '../../../../../src/core/world/git/git-text.ts';
import { remoteBranch } from '../../../../../src/lib/branch/world/git-remote-branch.ts';
import { botEnvironment, botRemote } from '../../../../support/repositories/bot-remote.ts';
import { gitRepository } from '../../../../support/repositories/git-repository.ts';
import { tempTree } from '../../../../support/trees/temp-tree.ts';

afterEach(() => void vi.useRealTimers());

test.each([
  ['Git', (root: string) => new Git(root).run(['remote'])],
  ["the user's git", (root: string) => userGit(root, {}).raw(['remote'])],
])('a command of %s without output waits for no timer', { timeout: 60_000 }, async (_, run) => {
  const { root } = gitRepository(tempTree());
  // A timer that never ends: simple-git's own would hold the command back until the test's time is over.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  expect(await run(root)).toBe('');
});

async function headWith(
  environment: Readonly<Record<string, string>>,
  url = '../origin.git',
): Promise<string> {
  const remote = await botRemote(tempTree());
  const { root, git } = remote.clone('bot');
  git('remote', 'set-url', 'origin', url);
  const clone = { root, remote: 'origin', environment: { ...botEnvironment, ...environment } };
  try {
    const head = await remoteBranch(clone, 'main').head();
    return head === remote.head() ? 'reached' : 'another head';
  } catch (error) {
    return (error as Error).message;
  }
}

describe("the user's environment", () => {
  it('leads git to no other repository', async () => {
    const elsewhere = {
      GIT_DIR: '/nowhere',
      GIT_WORK_TREE: '/nowhere',
      GIT_INDEX_FILE: '/nowhere',
      GIT_OBJECT_DIRECTORY: '/nowhere',
      GIT_EXEC_PATH: '/nowhere',
    };
    expect(await headWith(elsewhere)).toBe('reached');
  });

  it('reaches the remote by the programs and settings that it names', {
    tags: 'slow',
  }, async () => {
    const ssh = { GIT_SSH_COMMAND: 'echo my own ssh >&2; false' };
    expect(await headWith(ssh, 'ssh://git.example.com/leases')).toContain(
      "the remote 'origin' cannot be reached: my own ssh",
    );
    const setting = {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'url.../origin.git.insteadOf',
      GIT_CONFIG_VALUE_0: 'https://git.example.com/leases',
    };
    expect(await headWith(setting, 'https://git.example.com/leases')).toBe('reached');
  });

  it('gives reading commands its settings, and nothing that leads elsewhere', async () => {
    const { root, git } = gitRepository(tempTree());
    git('commit', '-q', '--allow-empty', '-m', 'x');
    vi.stubEnv('GIT_CONFIG_COUNT', '2');
    vi.stubEnv('GIT_CONFIG_KEY_0', 'leasehold.test');
    vi.stubEnv('GIT_CONFIG_VALUE_0', 'seen');
    vi.stubEnv('GIT_CONFIG_KEY_1', 'core.sshCommand');
    vi.stubEnv('GIT_CONFIG_VALUE_1', 'ssh -v');
    vi.stubEnv('GIT_DIR', '/nowhere');
    const reading = new Git(root);
    expect(await reading.ask(['config', 'leasehold.test'])).toBe('seen');
    expect(await reading.objects.read(['HEAD'])).toMatchObject([{ type: 'commit' }]);
    vi.unstubAllEnvs();
  });

  it('lets no remote start a program', async () => {
    expect(await headWith({}, 'ext::sh -c "echo started >&2"')).toMatch(/not allowed/);
  });
});

describe('the reason that git gives', () => {
  it.each([
    ['warning: x\nhint: y\nFrom z\nfatal: no route.\n', 'no route'],
    [
      "fatal: unable to access 'https://bot:s3cret@git.example.com/x/': 403",
      "unable to access 'https://git.example.com/x/': 403",
    ],
    ['ssh: Could not resolve hostname x\r\nfatal: gone', 'ssh: Could not resolve hostname x'],
    ['block timeout reached', 'no answer for 120 s'],
  ])('of %j is one line: %j', (printed, reason) => {
    expect(reasonOfGit(new Error(printed))).toBe(reason);
  });
});
