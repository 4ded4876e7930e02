import type { History } from '../../app/ports/history.ts';
import { compareText } from '../../model/order.ts';
import { EnvironmentError } from '../../model/problem.ts';
import { assertInstalled, firstLine, isInWorkTree, quietGit } from './git.ts';

/**
 * What git's index says of the repository that root lies in, which may be a folder of it.
 *
 * Reads, and takes removed files out of the index. Without git nobody can tell half a checkout from a
 * lease that ended: an EnvironmentError.
 */
export function gitHistory(root: string): History {
  return {
    tracked: async (folders) => (isInWorkTree(root) ? trackedFiles(root, folders) : undefined),
    async forget(paths) {
      if (isInWorkTree(root)) await forgetFiles(root, paths);
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

/** Some at a time: a command line has an end. */
async function forgetFiles(root: string, paths: readonly string[]): Promise<void> {
  const git = quietGit(root);
  for (let start = 0; start < paths.length; start += pathsAtOnce) {
    const literal = paths.slice(start, start + pathsAtOnce).map((path) => `:(literal)${path}`);
    try {
      await git.raw(['rm', '--cached', '--force', '--quiet', '--ignore-unmatch', '--', ...literal]);
    } catch (error) {
      await assertInstalled(root);
      throw new EnvironmentError(
        `the files are removed, but git's index still has them; run git add -A leases: ${firstLine(error)}`,
      );
    }
  }
}

const pathsAtOnce = 500;
