import { readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { compareText } from '../../model/order.ts';
import { EnvironmentError } from '../../model/problem.ts';
import type { TreeEntry } from '../../ports/tree.ts';
import { hasCode, reasonOf } from '../system-error.ts';
import { foldersAbove, obstacleIn } from './real-folders.ts';
import { lookAt } from './regular-file.ts';

/**
 * Everything below a folder that is no folder itself, dot files too, in code unit order of the path.
 *
 * Symbolic links are listed as `other` and never followed; when the folder or one around it is a link
 * or a file, that is the one entry. A folder that is not there has none. One that cannot be listed is
 * an EnvironmentError.
 */
export function walk(root: string, folder: string): TreeEntry[] {
  const obstacle = obstacleIn(root, [...foldersAbove([folder]), folder]);
  const top = obstacle ?? folder;
  const stats = lookAt(root, top);
  if (stats === undefined) return [];
  if (!stats.isDirectory()) return [entryOf(top, stats)];
  const entries: TreeEntry[] = [];
  collect(root, folder, entries);
  return entries.sort((left, right) => compareText(left.path, right.path));
}

function collect(root: string, folder: string, entries: TreeEntry[]): void {
  for (const name of namesIn(root, folder)) {
    const path = `${folder}/${name}`;
    const stats = lookAt(root, path);
    if (stats?.isDirectory()) collect(root, path, entries);
    else if (stats !== undefined) entries.push(entryOf(path, stats));
    else if (isUndecodable(name)) entries.push({ path, kind: 'other', size: 0 });
  }
}

function namesIn(root: string, folder: string): string[] {
  try {
    return readdirSync(join(root, folder));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw new EnvironmentError(`${folder} cannot be listed: ${reasonOf(error)}`);
  }
}

/** A name that is not UTF-8 comes with replacement characters, so that nothing is found under it. */
function isUndecodable(name: string): boolean {
  return name.includes('\ufffd');
}

function entryOf(path: string, stats: Stats): TreeEntry {
  return { path, kind: stats.isFile() ? 'file' : 'other', size: stats.size };
}
