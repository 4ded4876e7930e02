import { tempTree } from '../trees/temp-tree.ts';
import { startInShell } from './git-shell.ts';

/** A real git repository, apart from the machine's and the user's settings. */
export interface GitRepository {
  readonly root: string;
  /** Runs git and gives what it printed; throws when it fails. */
  git(...args: readonly string[]): string;
  /** Runs git and gives how it ended, and what it printed. */
  tried(...args: readonly string[]): { readonly status: number | null; readonly stdout: string };
  /** Runs git and says whether it succeeded. */
  isDone(...args: readonly string[]): boolean;
  /** The same repository, whose commits are of another day (`2026-01-10`). */
  on(day: string): GitRepository;
}

const settings = [
  'user.name=Test',
  'user.email=test@example.com',
  'gc.auto=0',
  'commit.gpgSign=false',
];

/** Makes a repository with the branch `main` in an existing folder. Its commits are of 2026-01-10. */
export function gitRepository(root: string): GitRepository {
  const repository = repositoryOn(root, '2026-01-10');
  repository.git('init', '-q', '-b', 'main');
  return repository;
}

/** A repository with a commit of these files, path to text. */
export function withCommit(files: Readonly<Record<string, string>>): GitRepository {
  const repository = gitRepository(tempTree(files));
  repository.git('add', '-A');
  repository.git('commit', '-q', '-m', 'One');
  return repository;
}

function repositoryOn(root: string, day: string): GitRepository {
  const start = startInShell();
  const time = `${day}T12:00:00Z`;
  const run = (args: readonly string[]) =>
    start(root, [...settings.flatMap((setting) => ['-c', setting]), ...args], {
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_DATE: time,
      GIT_COMMITTER_DATE: time,
    });
  return {
    root,
    git(...args) {
      const { status, stdout, stderr } = run(args);
      if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
      return stdout;
    },
    tried(...args) {
      const { status, stdout } = run(args);
      return { status, stdout };
    },
    isDone: (...args) => run(args).status === 0,
    on: (other) => repositoryOn(root, other),
  };
}
