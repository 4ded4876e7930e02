import { realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { SourceTree, TargetTree, TreeChanges, TreeEntry } from '../../interfaces/tree.ts';
import { byPath } from '../../model/order.ts';
import { EnvironmentError } from '../../model/problem.ts';
import { saveMemory } from '../machine.ts';
import { hasCode, reasonOf } from '../system-error.ts';
import { diskOperations } from './file-operations.ts';
import { type AddToIndex, commitChanges, recoverJournal } from './journal.ts';
import {
  assertComplete,
  assertReachable,
  commitFile,
  missingTargets,
  readJournal,
  readPending,
} from './journal-record.ts';
import { acquireLock } from './lock.ts';
import { assertRealFolders, readRegularFile, walk } from './regular-file.ts';

/** A tree that one run at a time reads and writes until it closes it. */
export interface WritableTree extends SourceTree, TargetTree {
  /**
   * The files that a killed run was to write or remove and that stay as they are, because git has
   * put another tree in place since.
   */
  readonly overtaken: readonly string[];
  /** Lets the next writer in. Closing twice does nothing. */
  close(): void;
}

/**
 * Facts about files in the folder: names of their contents, and what readers returned for them.
 * See {@link SourceTree.parsed}.
 */
export type KnownFiles = Required<Pick<SourceTree, 'idOf' | 'parsed'>>;

/**
 * Opens the repository for reading. A transaction that a killed run has committed to the journal is
 * shown as finished; the disk and the lock are not touched. Paths are relative to root, with
 * forward slashes.
 *
 * Does not wait for a concurrent writer: one file may then be old and another new.
 */
export function openForReading(root: string, known?: KnownFiles): SourceTree {
  const folder = realRoot(root);
  const pending = pendingOverlay(folder);
  const tree = sourceTree(folder, pending);
  return pending || !known ? tree : { ...tree, ...known };
}

/**
 * Opens the repository for writing: waits for the lock, then finishes the transaction of a killed
 * run, unless git has put another tree in place since. An EnvironmentError when the lock is not
 * released in time, or the disk refuses.
 */
export async function openForWriting(
  root: string,
  operations = diskOperations,
  known?: KnownFiles,
  addToIndex?: AddToIndex,
): Promise<WritableTree> {
  const folder = realRoot(root);
  const lock = await acquireLock(folder);
  let overtaken: readonly string[];
  try {
    overtaken = await recoverJournal(folder, operations, addToIndex);
  } catch (error) {
    lock.release();
    throw error;
  }
  let hasChanged = false;
  return {
    ...sourceTree(folder, undefined),
    ...(known && { ...known, idOf: (path) => (hasChanged ? undefined : known.idOf(path)) }),
    commit(changes) {
      hasChanged = true;
      return commitChanges(folder, changes, operations, addToIndex);
    },
    overtaken,
    close: () => lock.release(),
  };
}

/** A tree that lists each folder once until it is written: for a run, which lists some again. */
export function listedOnce<Tree extends SourceTree & Partial<TargetTree>>(tree: Tree): Tree {
  const lists = new Map<string, readonly TreeEntry[]>();
  const { commit } = tree;
  return {
    ...tree,
    list(folder) {
      const entries = lists.get(folder) ?? tree.list(folder);
      lists.set(folder, entries);
      return entries;
    },
    ...(commit && {
      commit(changes: TreeChanges) {
        lists.clear();
        return commit(changes);
      },
    }),
  };
}

function sourceTree(root: string, pending: Overlay | undefined): SourceTree {
  const realFolders = new Set<string>();
  const readUpTo = (path: string, mostBytes = Number.POSITIVE_INFINITY): Uint8Array | undefined => {
    const folder = dirname(path);
    if (!realFolders.has(folder)) assertRealFolders(root, [path]);
    realFolders.add(folder);
    const written = pending?.read(path) ?? readRegularFile(root, path, mostBytes);
    return written === 'removed' || (written?.length ?? 0) > mostBytes ? undefined : written;
  };
  return {
    list(folder) {
      const entries = walk(root, folder);
      saveMemory(entries.length);
      // Links are not followed, so all folders around an entry are real.
      for (const { path } of entries) realFolders.add(dirname(path));
      return pending?.list(folder, entries) ?? entries;
    },
    read(path) {
      const bytes = readUpTo(path);
      if (bytes === undefined) throw new EnvironmentError(`${path} no longer exists`);
      return bytes;
    },
    readUpTo,
  };
}

function realRoot(root: string): string {
  try {
    const folder = realpathSync(root);
    if (statSync(folder).isDirectory()) return folder;
  } catch (error) {
    const reason = hasCode(error, 'ENOENT') ? 'there is no such folder' : reasonOf(error);
    throw new EnvironmentError(`the repository cannot be opened: ${reason}`);
  }
  throw new EnvironmentError('the repository cannot be opened: it is a file');
}

/** The committed, unfinished transaction of a killed run, laid over the tree. */
interface Overlay {
  /** The entries below a folder in path order, given the current ones. */
  list(folder: string, entries: readonly TreeEntry[]): TreeEntry[];
  /** A file's bytes; undefined for a file that is not in the transaction. */
  read(path: string): Uint8Array | 'removed' | undefined;
}

/**
 * The overlay of a committed, unfinished transaction; undefined without one. The disk is not
 * changed. A transaction that cannot be finished is an EnvironmentError, so half of it is never
 * shown.
 */
function pendingOverlay(root: string): Overlay | undefined {
  assertRealFolders(root, [commitFile]);
  const record = readJournal(root);
  if (record === undefined) return undefined;
  assertReachable(root, record);
  assertComplete(root, record);
  const writes = new Map(record.writes.map((write) => [write.path, write]));
  const removes = new Set(record.removes);
  return {
    list(folder, entries) {
      const kept = entries.filter(({ path }) => !writes.has(path) && !removes.has(path));
      const written = record.writes
        .filter(({ path }) => path.startsWith(`${folder}/`))
        .map((write) => entryOf(write.path, readPending(root, write)));
      return [...kept, ...written].sort(byPath);
    },
    read(path) {
      const write = writes.get(path);
      if (write !== undefined) return readPending(root, write);
      return removes.has(path) ? 'removed' : undefined;
    },
  };
}

/**
 * The paths of a committed, unfinished transaction that the disk does not have yet, in order: git
 * would commit their old contents.
 */
export function unfinishedPaths(root: string): readonly string[] {
  const folder = realRoot(root);
  const record = readJournal(folder);
  return record === undefined ? [] : missingTargets(folder, record);
}

function entryOf(path: string, bytes: Uint8Array): TreeEntry {
  return { path, kind: 'file', size: bytes.length };
}

/** True for two texts of one path, seen from the current folder. */
export function isSamePath(one: string, other: string): boolean {
  return resolve(one) === resolve(other);
}
