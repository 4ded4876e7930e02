import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import type { SourceTree } from '../../../core/interfaces/tree.ts';
import type { History } from '../../../core/interfaces/work-tree.ts';
import { sha256Hex } from '../../../core/model/digest.ts';
import { EnvironmentError } from '../../../core/model/problem.ts';
import { leasesFolder, stateFolder } from '../../../core/model/repository-paths.ts';
import { openForReading } from '../../../core/world/disk/disk-tree.ts';
import { lookAt } from '../../../core/world/disk/regular-file.ts';
import { Git, isInWorkTree } from '../../../core/world/git/git.ts';
import { gitCommits } from '../../../core/world/git/git-commits.ts';
import { repositoryName } from '../../../core/world/git/git-log.ts';
import { gitHistory } from '../../../core/world/git/git-work-tree.ts';
import { type Clone, remoteBranch } from '../../../lib/branch/world/git-remote-branch.ts';
import type { SeenTree, WatchedTree } from '../watched-tree.ts';

/** A branch of a remote, fetched into a clone each time. Working tree and index are not used. */
export function watchedBranch(
  clone: Clone,
  branch: string,
  historyOf: (tree: SourceTree) => History,
): WatchedTree {
  const { name, head } = remoteBranch(clone, branch);
  const found = async (): Promise<string> => {
    const commit = await head();
    if (commit === undefined) throw new EnvironmentError(`there is no branch ${name}`);
    return commit;
  };
  const opened = async (ref: string): Promise<SeenTree> => {
    // A new cache each time, so that files of earlier commits are not kept in memory.
    const git = new Git(clone.root);
    const commits = gitCommits(git);
    const commit = await commits.resolve(ref);
    const tree = await commits.tree(commit.id);
    const repository = await repositoryName(git);
    return { tree, history: historyOf(tree), commit, isUncommitted: false, repository };
  };
  let newest: string | undefined;
  return {
    async fingerprint() {
      newest = await found();
      return newest;
    },
    open: async () => opened(newest ?? (await found())),
    async openKept() {
      const id = await new Git(clone.root).idOf(`refs/remotes/${clone.remote}/${branch}`);
      return id === undefined ? undefined : opened(id);
    },
  };
}

/** The files of a folder on disk, committed or not. */
export function watchedCheckout(root: string): WatchedTree {
  return {
    async fingerprint() {
      const parts = [(await headOf(new Git(root))) ?? '', ...(await stampsIn(root))];
      return sha256Hex(parts.join('\n'));
    },
    async open() {
      const git = new Git(root);
      const commits = gitCommits(git);
      const head = await headOf(git);
      const commit = head === undefined ? undefined : await commits.resolve(head);
      return {
        tree: openForReading(root),
        history: gitHistory(git, commits),
        commit,
        isUncommitted: commit !== undefined && (await commits.isDirty()),
        repository: commit && (await repositoryName(git)),
      };
    },
  };
}

async function headOf(git: Git): Promise<string | undefined> {
  return isInWorkTree(git.root) ? git.idOf('HEAD') : undefined;
}

/** Files after which pending requests are answered. */
const filesAtOnce = 250;

/** Name, size, times and inode of every file below `leases/` and `.leasehold/`. */
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

/** Empty for a folder that cannot be listed; opening the tree reports why. */
function namesIn(root: string, folder: string): readonly string[] {
  try {
    return readdirSync(join(root, folder));
  } catch {
    return [];
  }
}
