import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { EnvironmentError } from '../../model/problem.ts';
import type { SourceTree, TargetTree } from '../../ports/tree.ts';
import { hasCode, reasonOf } from '../system-error.ts';
import { diskOperations } from './file-operations.ts';
import { commitChanges, recoverJournal } from './journal.ts';
import { acquireLock } from './lock.ts';
import { type Overlay, pendingOverlay } from './overlay.ts';
import { assertRealFolders } from './real-folders.ts';
import { readRegularFile } from './regular-file.ts';
import { walk } from './walk.ts';

/** A tree that one run at a time reads and writes, until it closes it. */
export interface WritableTree extends SourceTree, TargetTree {
  /** Lets the next writer in. Closing twice does nothing. */
  close(): void;
}

/**
 * The repository for a run that never writes. What a killed run has committed to its journal is seen
 * as done; nothing is touched, the lock neither. Paths are relative to root, with forward slashes.
 *
 * A run that writes at the same moment is not waited for: what is read may then be old in one file
 * and new in another.
 */
export function openForReading(root: string): SourceTree {
  const folder = realRoot(root);
  return sourceTree(folder, pendingOverlay(folder));
}

/**
 * The repository for the one run that writes: waits for the lock, then finishes what a killed run
 * left. An EnvironmentError when the lock does not come free in time, or the disk refuses.
 */
export async function openForWriting(root: string): Promise<WritableTree> {
  const folder = realRoot(root);
  const lock = await acquireLock(folder);
  try {
    await recoverJournal(folder, diskOperations);
  } catch (error) {
    lock.release();
    throw error;
  }
  return {
    ...sourceTree(folder, undefined),
    commit: (changes) => commitChanges(folder, changes, diskOperations),
    close: () => lock.release(),
  };
}

function sourceTree(root: string, pending: Overlay | undefined): SourceTree {
  const realFolders = new Set<string>();
  return {
    list(folder) {
      const entries = walk(root, folder);
      return pending?.list(folder, entries) ?? entries;
    },
    read(path) {
      const folder = dirname(path);
      if (!realFolders.has(folder)) assertRealFolders(root, [path]);
      realFolders.add(folder);
      const through = pending?.read(path);
      const bytes = through === 'removed' ? undefined : (through ?? readRegularFile(root, path));
      if (bytes === undefined) throw new EnvironmentError(`${path} is not there any more`);
      return bytes;
    },
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
