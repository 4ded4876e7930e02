import { compareText } from '../../model/order.ts';
import { EnvironmentError } from '../../model/problem.ts';
import { lookAt } from './regular-file.ts';

/** The folders that paths lie in, each once, a folder before those in it: `a/b/c` has `a` and `a/b`. */
export function foldersAbove(paths: Iterable<string>): string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    let folder = parentOf(path);
    while (folder !== '' && !folders.has(folder)) {
      folders.add(folder);
      folder = parentOf(folder);
    }
  }
  return [...folders].sort(compareText);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/**
 * The outermost part of a path below root that is there and no folder, or undefined. With a
 * symbolic link at one of them, reading or writing the path would leave the repository.
 */
export function obstacleIn(root: string, folders: readonly string[]): string | undefined {
  return folders.find((folder) => lookAt(root, folder)?.isDirectory() === false);
}

/**
 * Fails with an EnvironmentError when a folder on the way to one of the paths is a symbolic link or
 * a file. A folder that is not there yet is fine. Each folder is looked at once.
 */
export function assertRealFolders(root: string, paths: Iterable<string>): void {
  const obstacle = obstacleIn(root, foldersAbove(paths));
  if (obstacle !== undefined) {
    throw new EnvironmentError(
      `${obstacle} is no folder but a link or a file; leasehold neither reads nor writes through it`,
    );
  }
}
