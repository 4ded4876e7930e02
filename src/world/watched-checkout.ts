import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { sha256Hex } from '../model/digest.ts';
import { leasesFolder, stateFolder } from '../model/folders.ts';
import type { Commit, Commits } from '../ports/commits.ts';
import type { WatchedTree } from '../ports/watched-tree.ts';
import { openForReading } from './disk/disk-tree.ts';
import { lookAt } from './disk/regular-file.ts';
import { isInWorkTree } from './git/git.ts';
import { ask, gitCommits } from './git/git-commits.ts';
import { gitHistory } from './git/git-history.ts';

/** The files of a folder, as they are on the disk: committed or not. */
export function watchedCheckout(root: string): WatchedTree {
  return {
    async fingerprint() {
      const parts = [(await headOf(root)) ?? '', ...(await stampsIn(root))];
      return sha256Hex(parts.join('\n'));
    },
    async open() {
      const commits = gitCommits(root);
      const commit = await commitOf(root, commits);
      return {
        tree: openForReading(root),
        history: gitHistory(root),
        commit,
        isUncommitted: commit !== undefined && (await commits.isDirty()),
      };
    },
  };
}

async function headOf(root: string): Promise<string | undefined> {
  if (!isInWorkTree(root)) return undefined;
  return (await ask(root, ['rev-parse', '--verify', '--quiet', 'HEAD']))?.trim();
}

async function commitOf(root: string, commits: Commits): Promise<Commit | undefined> {
  const head = await headOf(root);
  return head === undefined ? undefined : commits.resolve(head);
}

/** Files after which requests that came in meanwhile are answered. */
const filesAtOnce = 250;

/** Name, size, times and inode of every file below `leases/`, and of a journal that is to be carried out. */
async function stampsIn(root: string): Promise<readonly string[]> {
  const stamps: string[] = [];
  const folders = [leasesFolder, stateFolder];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const name of namesIn(root, folder)) {
      const path = `${folder}/${name}`;
      const stats = lookAt(root, path);
      if (stats?.isDirectory()) folders.push(path);
      else stamps.push(`${path} ${stats?.size} ${stats?.mtimeMs} ${stats?.ctimeMs} ${stats?.ino}`);
      if (stamps.length % filesAtOnce === 0) await breathe();
    }
  }
  return stamps.sort();
}

/** None of what cannot be listed: whoever opens the tree says why. */
function namesIn(root: string, folder: string): readonly string[] {
  try {
    return readdirSync(join(root, folder));
  } catch {
    return [];
  }
}
