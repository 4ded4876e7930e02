import type { Progress } from '../../interfaces/progress.ts';
import type { SourceTree } from '../../interfaces/tree.ts';
import { leasesFolder } from '../../model/repository-paths.ts';
import type { WritableTree } from '../../world/disk/disk-tree.ts';
import { diskOperations, type FileOperations } from '../../world/disk/file-operations.ts';

/** A tree whose reading is followed: the first list of `leases/` begins the phase. */
export function followedTree<Tree extends SourceTree>(tree: Tree, progress: Progress): Tree {
  const { readUpTo } = tree;
  let hasBegun = false;
  return {
    ...tree,
    list(folder) {
      const entries = tree.list(folder);
      if (folder === leasesFolder && !hasBegun) {
        hasBegun = true;
        progress.begin('read', entries.length);
      }
      return entries;
    },
    read(path) {
      progress.step('read');
      return tree.read(path);
    },
    readUpTo:
      readUpTo &&
      ((path, mostBytes) => {
        const bytes = readUpTo(path, mostBytes);
        if (bytes) progress.step('read');
        return bytes;
      }),
  };
}

/** {@link followedTree} of a tree whose writing is followed too, by {@link followedOperations}. */
export function followedWritableTree(tree: WritableTree, progress: Progress): WritableTree {
  return {
    ...followedTree(tree, progress),
    commit(changes) {
      progress.begin('write', changes.writes.size + changes.removes.length);
      return tree.commit(changes);
    },
  };
}

/** The operations on the disk; each file counts when it is in its place or removed. */
export function followedOperations(progress: Progress): FileOperations {
  const { rename, removeFile } = diskOperations;
  return {
    ...diskOperations,
    rename(from, to) {
      progress.step('write');
      rename(from, to);
    },
    removeFile(path) {
      progress.step('write');
      removeFile(path);
    },
  };
}
