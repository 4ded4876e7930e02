import { EnvironmentError } from '../model/problem.ts';
import { lookAt } from './regular-file.ts';

/** The folders a path lies in, outermost first, without the root: `a/b/c` has `a` and `a/b`. */
export function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
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
  const folders = new Set<string>();
  for (const path of paths) for (const folder of foldersOf(path)) folders.add(folder);
  const obstacle = obstacleIn(root, [...folders]);
  if (obstacle !== undefined) {
    throw new EnvironmentError(
      `${obstacle} is no folder but a link or a file; leasehold neither reads nor writes through it`,
    );
  }
}
