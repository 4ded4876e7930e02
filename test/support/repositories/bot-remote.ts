import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { poolsText } from '../declarations/pools-text.ts';
import { synthHere } from '../run/direct-commands.ts';
import { putFile } from '../trees/temp-tree.ts';
import { type GitRepository, gitRepository } from './git-repository.ts';

/** The day on which the first commit was synthesized. */
const startDay = '2026-01-10';

/** Makes git go by no settings of the machine, and say who commits. */
export const botEnvironment = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Bot',
  GIT_AUTHOR_EMAIL: 'bot@example.com',
  GIT_COMMITTER_NAME: 'Bot',
  GIT_COMMITTER_EMAIL: 'bot@example.com',
} as const;

/** A bare repository whose branch `main` declares pools, and clones of it. */
export interface BotRemote {
  /** The bare repository's folder. */
  readonly folder: string;
  /** Runs git in the bare repository. */
  git(...args: readonly string[]): string;
  /** The clone that the first commit was made in: a person's. */
  readonly person: GitRepository;
  clone(name: string): GitRepository;
  /** The object name of a branch of the bare repository. */
  head(branch?: string): string;
  /** Commits files of the person's clone, after a pull, and pushes them. */
  commitFiles(files: Readonly<Record<string, string>>, message?: string): string;
}

const pools = poolsText(`provider: akash1hwmenz63dp59uve5ytea09suwgr47y3rn9902y
metallb: { version: 0.14.9, namespace: metallb-system, layout: lease }
naming: akash
emit: { namespaces: true, providerLeasedIP: true }
clusters: [{ name: default }]
defaultZone: inet
pools:
  - name: default
    zone: inet
    addresses: [203.0.113.0/24, 198.51.100.0/24]
    retentionDays: 1
    advertise: { l2: {} }
`);

/** Makes the repositories below an empty folder. `files` are declared beside the pools. */
export async function botRemote(
  root: string,
  files: Readonly<Record<string, string>> = {},
): Promise<BotRemote> {
  const folder = emptyFolder(root, 'person');
  const person = gitRepository(folder);
  person.git('init', '-q', '--bare', '-b', 'main', '../origin.git');
  const git = (...args: readonly string[]) => person.git('--git-dir=../origin.git', ...args);
  for (const [path, text] of Object.entries({
    'leases/pools.yaml': pools,
    '.gitignore': '.leasehold/\n',
    ...files,
  })) {
    putFile(folder, path, text);
  }
  const problems = await synthHere(folder, startDay);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  person.git('add', '-A');
  person.git('commit', '-q', '-m', 'Pools');
  person.git('remote', 'add', 'origin', '../origin.git');
  person.git('push', '-q', '-u', 'origin', 'main');
  return {
    folder: join(root, 'origin.git'),
    git,
    person,
    clone(name) {
      const clone = gitRepository(emptyFolder(root, name));
      clone.git('remote', 'add', 'origin', '../origin.git');
      clone.git('pull', '-q', 'origin', 'main');
      clone.git('branch', '-q', '--set-upstream-to=origin/main');
      return clone;
    },
    head: (branch = 'main') => git('rev-parse', '--verify', `refs/heads/${branch}`).trim(),
    commitFiles(changed, message = 'A change') {
      person.git('pull', '-q', '--ff-only', 'origin', 'main');
      for (const [path, text] of Object.entries(changed)) {
        putFile(folder, path, text);
      }
      person.git('add', '-A');
      person.git('commit', '-q', '-m', message);
      person.git('push', '-q', 'origin', 'main');
      return person.git('rev-parse', 'HEAD').trim();
    },
  };
}

function emptyFolder(root: string, name: string): string {
  const folder = join(root, name);
  mkdirSync(folder);
  return folder;
}
