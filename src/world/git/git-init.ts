import { EnvironmentError } from '../../model/problem.ts';
import type { GitStart } from '../../ports/history.ts';
import { assertInstalled, firstLine, quietGit } from './git.ts';
import { ask } from './git-commits.ts';

/** What a repository has before its first push. */
export async function startOfRepository(root: string): Promise<GitStart> {
  const branch = await ask(root, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  const commit = await ask(root, ['rev-parse', '--verify', '--quiet', 'HEAD']);
  const remotes = await ask(root, ['remote']);
  return {
    branch: branch?.trim(),
    hasCommit: commit !== undefined,
    hasOrigin: (remotes ?? '').split(/\s+/).includes('origin'),
  };
}

/** Makes a git repository in a folder, on a branch of this name, without a commit. */
export async function makeRepository(root: string, branch: string): Promise<void> {
  try {
    await quietGit(root).raw(['init', '--quiet', `--initial-branch=${branch}`]);
  } catch (error) {
    await assertInstalled(root);
    throw new EnvironmentError(
      `the files are written, but git makes no repository here; run git init: ${firstLine(error)}`,
    );
  }
}
