import {
  closeSync,
  fsync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { compareText, sortedKeys } from '../../model/order.ts';
import { EnvironmentError, InternalError } from '../../model/problem.ts';
import { stateFolder } from '../../model/repository-paths.ts';
import type { TreeChanges } from '../../ports/tree.ts';
import { hasCode, reasonOf } from '../system-error.ts';
import {
  assertComplete,
  assertReachable,
  commitFile,
  faultOf,
  isEmptiedFolder,
  type JournalRecord,
  journalFolder,
  lostWrite,
  printJournal,
  readJournal,
  type StagedWrite,
  stagedPath,
} from './journal-record.ts';
import {
  assertRealFolders,
  digestOf,
  foldersAbove,
  lookAt,
  makeStateFolder,
  readRegularFile,
} from './regular-file.ts';

/**
 * Writes and removes files below root as one transaction. Files that already have the wanted bytes
 * are left alone; when all do, nothing is touched.
 *
 * Wherever the process is killed, every leasehold command sees the old tree before `commit.json` is
 * renamed into place, and the new one afterwards. The caller holds the lock. When the disk refuses,
 * the EnvironmentError names which of the two holds.
 */
export async function commitChanges(
  root: string,
  changes: TreeChanges,
  operations: FileOperations,
): Promise<void> {
  await recoverJournal(root, operations);
  const record = recordOf(root, changes);
  if (record.writes.length + record.removes.length === 0) return;
  try {
    await stage(root, record, { changes, operations });
  } catch (error) {
    if (lookAt(root, commitFile) !== undefined) throw failure(recorded, error);
    abandon(root, operations);
    throw failure('nothing was written', error);
  }
  await finish(root, record, operations);
}

const recorded = 'what was to be written is recorded, and the next run finishes it';

/**
 * Finishes the transaction of a killed run, or deletes what it staged before the commit point.
 * Every writing command does this first. The caller holds the lock.
 */
export async function recoverJournal(root: string, operations: FileOperations): Promise<void> {
  assertRealFolders(root, [commitFile]);
  const record = readJournal(root);
  if (record === undefined) {
    try {
      clear(root, operations);
    } catch (error) {
      throw failure(`the leftovers in ${journalFolder} cannot be removed`, error);
    }
    return;
  }
  assertReachable(root, record);
  assertComplete(root, record);
  await finish(root, record, operations);
}

async function finish(
  root: string,
  record: JournalRecord,
  operations: FileOperations,
): Promise<void> {
  try {
    await carryOut(root, record, operations);
    operations.removeFile(join(root, commitFile));
    await operations.sync(join(root, journalFolder));
    clear(root, operations);
  } catch (error) {
    throw failure(recorded, error);
  }
}

/** The changes that the disk does not have yet, in path order. */
function recordOf(root: string, changes: TreeChanges): JournalRecord {
  const wanted: JournalRecord = {
    writes: sortedKeys(changes.writes).map((path, index) => ({
      path,
      staged: `${index}.new`,
      sha256: digestOf(changes.writes.get(path) ?? ''),
    })),
    removes: [...changes.removes].sort(compareText),
  };
  const fault = faultOf(wanted);
  if (fault !== undefined) throw new InternalError(`the changes cannot be written: ${fault}`);
  const present = assertReachable(root, wanted);
  return {
    writes: wanted.writes.filter((write) => !present.has(write.path) || !isThere(root, write)),
    removes: wanted.removes.filter((path) => present.has(path)),
  };
}

function isThere(root: string, { path, sha256 }: JournalRecord['writes'][number]): boolean {
  const bytes = readRegularFile(root, path);
  return bytes !== undefined && digestOf(bytes) === sha256;
}

/**
 * Stages the files, makes them durable, then renames `commit.json` into place: the commit point.
 */
async function stage(
  root: string,
  record: JournalRecord,
  { changes, operations }: { readonly changes: TreeChanges; readonly operations: FileOperations },
): Promise<void> {
  const folder = join(root, journalFolder);
  const draft = join(root, `${commitFile}.tmp`);
  makeStateFolder(root, stateFolder);
  operations.makeFolder(folder);
  for (const write of record.writes) {
    operations.writeFile(join(root, stagedPath(write)), changes.writes.get(write.path) ?? '');
  }
  operations.writeFile(draft, printJournal(root, record));
  const staged = record.writes.map((write) => join(root, stagedPath(write)));
  await syncAll([...staged, draft], operations);
  await syncAll([folder, join(root, stateFolder), root], operations);
  operations.rename(draft, join(root, commitFile));
  await operations.sync(folder);
}

/** Deletes what was staged, as far as possible; the next run deletes the rest. */
function abandon(root: string, operations: FileOperations): void {
  try {
    clear(root, operations);
  } catch {
    // The original failure is the one to report.
  }
}

/** Removes the journal's folder and its files. */
function clear(root: string, operations: FileOperations): void {
  const folder = join(root, journalFolder);
  if (lookAt(root, journalFolder) === undefined) return;
  for (const name of readdirSync(folder).sort(compareText))
    operations.removeFile(join(folder, name));
  operations.removeFolder(folder);
}

function failure(outcome: string, error: unknown): EnvironmentError {
  return new EnvironmentError(`${outcome}: ${reasonOf(error)}`);
}

/**
 * Carries out a committed transaction and makes the result durable. Earlier attempts may have been
 * interrupted: steps that are done are skipped. The journal itself is kept.
 */
async function carryOut(
  root: string,
  record: JournalRecord,
  operations: FileOperations,
): Promise<void> {
  makeFolders(root, record, operations);
  for (const write of record.writes) moveIntoPlace(root, write, operations);
  for (const path of record.removes) {
    if (lookAt(root, path) !== undefined) operations.removeFile(join(root, path));
  }
  removeEmptied(root, record, operations);
  await syncAll(foldersToSync(root, record), operations);
}

function makeFolders(root: string, record: JournalRecord, operations: FileOperations): void {
  for (const folder of foldersAbove(record.writes.map((write) => write.path))) {
    if (lookAt(root, folder) === undefined) operations.makeFolder(join(root, folder));
  }
}

function moveIntoPlace(root: string, write: StagedWrite, operations: FileOperations): void {
  try {
    operations.rename(join(root, stagedPath(write)), join(root, write.path));
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    const bytes = readRegularFile(root, write.path);
    if (bytes === undefined || digestOf(bytes) !== write.sha256) throw lostWrite(write);
  }
}

/** Removes the folders that the transaction has emptied, innermost first. */
function removeEmptied(root: string, record: JournalRecord, operations: FileOperations): void {
  const folders = foldersAbove(record.removes).filter(isEmptiedFolder);
  for (const folder of folders.reverse()) {
    try {
      operations.removeFolder(join(root, folder));
    } catch (error) {
      if (!hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) throw error;
    }
  }
}

/** Every folder whose entries may have changed, with the root. */
function foldersToSync(root: string, record: JournalRecord): string[] {
  const folders = foldersAbove([...record.writes.map((write) => write.path), ...record.removes]);
  return ['.', ...folders]
    .filter((folder) => lookAt(root, folder))
    .map((folder) => join(root, folder));
}

/**
 * The steps by which the journal changes the disk, one system call each. Tests replace them to make
 * the n-th step fail or end the process.
 */
export interface FileOperations {
  /** Makes one folder in an existing one. Fails when it exists. */
  makeFolder(path: string): void;
  /** Writes a new file. Fails when it exists. */
  writeFile(path: string, text: string): void;
  /** Makes a file's bytes, or a folder's entries, survive a power cut. */
  sync(path: string): Promise<void>;
  /** Renames a file, replacing an existing one. */
  rename(from: string, to: string): void;
  removeFile(path: string): void;
  /** Removes an empty folder. Fails when it is not empty. */
  removeFolder(path: string): void;
}

/** The operations on the real disk. */
export const diskOperations: FileOperations = {
  makeFolder: (path) => mkdirSync(path),
  writeFile: (path, text) => writeFileSync(path, text, { flag: 'wx' }),
  sync: syncPath,
  rename: (from, to) => renameSync(from, to),
  removeFile: (path) => unlinkSync(path),
  removeFolder: (path) => rmdirSync(path),
};

/** The number of concurrent fsync calls: enough to fill the disk's queue. */
const syncsAtOnce = 64;

/**
 * Syncs many paths concurrently, which takes half the time. On failure it waits for the started
 * calls, so that nothing touches the disk after the failure is reported.
 */
async function syncAll(paths: readonly string[], operations: FileOperations): Promise<void> {
  for (let start = 0; start < paths.length; start += syncsAtOnce) {
    const batch = paths.slice(start, start + syncsAtOnce);
    const results = await Promise.allSettled(batch.map((path) => operations.sync(path)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
}

async function syncPath(path: string): Promise<void> {
  const descriptor = openSync(path, 'r');
  try {
    await new Promise<void>((resolve, reject) => {
      fsync(descriptor, (error) => (error && !isUnsupported(error) ? reject(error) : resolve()));
    });
  } finally {
    closeSync(descriptor);
  }
}

/** Windows cannot sync a file that is open for reading only; its renames are journalled anyway. */
function isUnsupported(error: NodeJS.ErrnoException): boolean {
  return process.platform === 'win32' && error.code === 'EPERM';
}
