import { compareText } from '../../model/order.ts';
import { EnvironmentError } from '../../model/problem.ts';
import type { History } from '../../ports/history.ts';
import { assertInstalled, firstLine, isInWorkTree, quietGit } from './git.ts';

/**
 * What git's index says of the repository that root lies in, which may be a folder of it.
 *
 * Reads it, and brings files into it. Without git nobody can tell half a checkout from a
 * lease that ended: an EnvironmentError.
 */
export function gitHistory(root: string): History {
  return {
    tracked: async (folders) => (isInWorkTree(root) ? trackedFiles(root, folders) : undefined),
    async stage(paths) {
      if (isInWorkTree(root)) await stageFiles(root, paths);
    },
  };
}

/** Also those that a sparse checkout leaves out of the tree; relative to root, in path order. */
async function trackedFiles(root: string, folders: readonly string[]): Promise<readonly string[]> {
  const literal = folders.map((folder) => `:(literal)${folder}`);
  try {
    const output = await quietGit(root).raw(['ls-files', '-z', '--cached', '--', ...literal]);
    return [...new Set(output.split('\0').filter((path) => path !== ''))].sort(compareText);
  } catch (error) {
    await assertInstalled(root);
    const names = folders.join(', ');
    throw new EnvironmentError(
      `git cannot list the tracked files of ${names}: ${firstLine(error)}`,
    );
  }
}

async function stageFiles(root: string, paths: readonly string[]): Promise<void> {
  const input = paths.map((path) => `${path}\0`).join('');
  try {
    await quietGit(root, { input }).raw(['update-index', '--add', '--remove', '-z', '--stdin']);
  } catch (error) {
    await assertInstalled(root);
    throw new EnvironmentError(
      `the files are written, but git does not take them into its index; run git add -A leases dist: ${firstLine(error)}`,
    );
  }
}
