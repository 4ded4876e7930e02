import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type SimpleGit, simpleGit } from 'simple-git';
import type { History } from '../app/ports/history.ts';
import { compareText } from '../model/order.ts';
import { EnvironmentError } from '../model/problem.ts';

/**
 * What git's index says of the repository that root lies in, which may be a folder of it.
 *
 * Reads, and takes removed files out of the index. Of the settings that could make such a command start a
 * program, `core.fsmonitor` is switched off, and a bare repository hidden in the tree is not used; simple-git passes on none of the
 * `GIT_*` variables, so that a hook's do not lead elsewhere.
 */
export function gitHistory(root: string): History {
  return {
    async tracked(folder) {
      if (!isInWorkTree(root)) return undefined;
      return trackedFiles(await installedGit(root), folder);
    },
    async forget(paths) {
      if (isInWorkTree(root)) await forgetFiles(await installedGit(root), paths);
    },
  };
}

/** Without git nobody can tell half a checkout from a lease that ended: an EnvironmentError. */
async function installedGit(root: string): Promise<SimpleGit> {
  const git = quietGit(root);
  if ((await git.version()).installed) return git;
  throw new EnvironmentError('git is needed in a git work tree, and it is not installed');
}

/** Also those that a sparse checkout leaves out of the tree; relative to root, in path order. */
async function trackedFiles(git: SimpleGit, folder: string): Promise<readonly string[]> {
  try {
    const output = await git.raw(['ls-files', '-z', '--cached', '--', `:(literal)${folder}`]);
    return [...new Set(output.split('\0').filter((path) => path !== ''))].sort(compareText);
  } catch (error) {
    throw new EnvironmentError(
      `git cannot list the tracked files of ${folder}: ${firstLine(error)}`,
    );
  }
}

/** Some at a time: a command line has an end. */
async function forgetFiles(git: SimpleGit, paths: readonly string[]): Promise<void> {
  for (let start = 0; start < paths.length; start += pathsAtOnce) {
    const literal = paths.slice(start, start + pathsAtOnce).map((path) => `:(literal)${path}`);
    try {
      await git.raw(['rm', '--cached', '--force', '--quiet', '--ignore-unmatch', '--', ...literal]);
    } catch (error) {
      throw new EnvironmentError(
        `the files are removed, but git's index still has them; run git add -A leases: ${firstLine(error)}`,
      );
    }
  }
}

const pathsAtOnce = 500;

function firstLine(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
}

function quietGit(root: string): SimpleGit {
  return simpleGit({
    baseDir: root,
    config: ['core.fsmonitor=false', 'safe.bareRepository=explicit'],
    unsafe: { allowUnsafeFsMonitor: true },
    // With its default, output that is still on the way 50 ms after git's end would be cut off.
    completion: { onClose: true, onExit: false },
  });
}

/** True when a `.git`, folder or file, stands in root or around it. Holds without git too. */
function isInWorkTree(root: string): boolean {
  let folder = existsSync(root) ? realpathSync(root) : root;
  for (;;) {
    if (existsSync(join(folder, '.git'))) return true;
    const parent = dirname(folder);
    if (parent === folder) return false;
    folder = parent;
  }
}
