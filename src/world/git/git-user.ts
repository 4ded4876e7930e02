import { type SimpleGit, simpleGit } from 'simple-git';
import type { GitInput } from './git.ts';
import { completion, gitEnd, withoutDelay } from './git-end.ts';

/** The environment of the process that runs leasehold. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** How long a command may be silent, in milliseconds, before it is given up. */
const longestSilence = 120_000;

/**
 * What a user sets to reach a remote and to sign: programs that ask for passwords, ssh, proxies,
 * certificates, settings, author and committer. Not what leads git to another repository, index or
 * object store, as a hook's environment does.
 */
const passedOn =
  /^(?:SSH_ASKPASS|GIT_(?:ASKPASS|SSH|SSH_COMMAND|SSH_VARIANT|PROXY_COMMAND|ALLOW_PROTOCOL|PROTOCOL_FROM_USER|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)|(?:SSL|HTTP|AUTHOR|COMMITTER)_\w+))$/;

/** What simple-git keeps from git unless it is told to pass it on. */
const guarded = /^(?:GIT_.*|EDITOR|PAGER|PREFIX|SSH_ASKPASS|VISUAL)$/i;

/**
 * Git as the user runs it to fetch, commit and push: with the user's settings, identity and
 * credentials. It never asks at the terminal, and speaks English, because its answers are read.
 */
export function userGit(
  root: string,
  environment: Environment,
  { input, settings = [], signal }: GitInput = {},
): SimpleGit {
  const own = Object.entries(process.env).filter(([name]) => !guarded.test(name));
  const users = Object.entries(environment).filter(
    (entry): entry is [string, string] => passedOn.test(entry[0]) && entry[1] !== undefined,
  );
  const fixed = { GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
  const git = simpleGit({
    baseDir: root,
    abort: gitEnd,
    ...completion,
    config: ['core.fsmonitor=false', 'safe.bareRepository=explicit', ...settings],
    allowEnvironment: [...users.map(([name]) => name), ...Object.keys(fixed)],
    unsafe: usersOwn,
    timeout: { block: longestSilence },
    ...(input === undefined ? {} : { input: () => input }),
    ...(signal === undefined ? {} : { abort: signal }),
  });
  return withoutDelay(git).env({
    ...Object.fromEntries(own),
    ...Object.fromEntries(users),
    ...fixed,
  });
}

/** What simple-git would refuse in texts of others, and what here is the user's own environment. */
const usersOwn = {
  allowUnsafeAskPass: true,
  allowUnsafeSshCommand: true,
  allowUnsafeGitProxy: true,
  allowUnsafeConfigPaths: true,
  allowUnsafeConfigEnvCount: true,
  allowUnsafeCredentialHelper: true,
  allowUnsafeUrlRewrite: true,
  allowUnsafeInclude: true,
  allowUnsafeProtocolOverride: true,
  allowUnsafeGpgProgram: true,
  allowUnsafeHooksPath: true,
  allowUnsafeFsMonitor: true,
  // Else the hooks of a remote on this machine could not abbreviate options either.
  allowAbbreviatedOptions: true,
} as const;

/**
 * What git said of a failure, in one line, for a message of ours: the first line that is neither a
 * warning, a hint nor the remote's name, without the credentials of an address.
 */
export function reasonOfGit(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (message === 'block timeout reached') return `no answer for ${longestSilence / 1000} s`;
  if (/^Abort (?:already|signal)/.test(message)) return 'the time was over';
  const lines = message.split('\n').filter((line) => line.trim() !== '');
  const [first = lines[0] ?? ''] = lines.filter((line) => !/^(?:warning:|hint:|From )/i.test(line));
  return first
    .trim()
    .replace(/^(?:fatal|error): /, '')
    .replace(/:\/\/[^/@\s]*@/g, '://')
    .replace(/\.$/, '');
}
