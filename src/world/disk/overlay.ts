import { stateFolder } from '../../model/folders.ts';
import { compareText } from '../../model/order.ts';
import type { TreeEntry } from '../../ports/tree.ts';
import { commitFile, readJournal } from './journal-record.ts';
import { assertComplete, assertReachable, readPending } from './journal-targets.ts';
import { assertRealFolders } from './real-folders.ts';
import { digestOf, lookAt, readRegularFile } from './regular-file.ts';

/** A tree as it is once the committed transaction of a killed run is finished. */
export interface Overlay {
  /** The entries below a folder, in path order, from those that stand there now. */
  list(folder: string, entries: readonly TreeEntry[]): TreeEntry[];
  /** A file's bytes; undefined when the transaction does not concern it. */
  read(path: string): Uint8Array | 'removed' | undefined;
}

/**
 * The overlay of the transaction that a killed run committed and did not finish; undefined when there
 * is none. Nothing on the disk is touched.
 *
 * One that could not be finished is an EnvironmentError here too: half of it is never shown.
 */
export function pendingOverlay(root: string): Overlay | undefined {
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
      return [...kept, ...written].sort((left, right) => compareText(left.path, right.path));
    },
    read(path) {
      const write = writes.get(path);
      if (write !== undefined) return readPending(root, write);
      return removes.has(path) ? 'removed' : undefined;
    },
  };
}

/**
 * What of the committed transaction of a killed run the disk does not have yet: paths that git would commit as they were,
 * in order. None without one.
 */
export function unfinishedPaths(root: string): readonly string[] {
  const record = readJournal(root);
  if (record === undefined) return [];
  const writes = record.writes.filter((write) => {
    const bytes = readRegularFile(root, write.path);
    return bytes === undefined || digestOf(bytes) !== write.sha256;
  });
  const removes = record.removes.filter((path) => lookAt(root, path) !== undefined);
  return [...writes.map(({ path }) => path), ...removes]
    .filter((path) => !path.startsWith(`${stateFolder}/`))
    .sort(compareText);
}

function entryOf(path: string, bytes: Uint8Array): TreeEntry {
  return { path, kind: 'file', size: bytes.length };
}
