import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TreeChanges } from '../../interfaces/tree.ts';
import { compareText, sortedKeys } from '../../model/order.ts';
import { EnvironmentError, InternalError } from '../../model/problem.ts';
import { distFolder, stateFolder } from '../../model/repository-paths.ts';
import { hasCode, reasonOf } from '../system-error.ts';
import { type FileOperations, syncAll, syncsAtOnce } from './file-operations.ts';
import {
  assertComplete,
  assertReachable,
  bytesFile,
  commitFile,
  faultOf,
  findJournal,
  isEmptiedFolder,
  type JournalRecord,
  type JournalWrite,
  journalFolder,
  missingTargets,
  printJournal,
  readPending,
  targetsOf,
} from './journal-record.ts';
import {
  assertRealFolders,
  digestOf,
  FolderStats,
  foldersAbove,
  lookAt,
  makeStateFolder,
  readRegularFile,
} from './regular-file.ts';

/**
 * Writes and removes files below root as one transaction. Files that already have the wanted bytes
 * are left alone; when all do, no file is touched.
 *
 * Wherever the process is killed, every leasehold command sees the old tree before `commit.json` is
 * renamed into place, and the new one afterwards, until git puts another tree in place. The files
 * to stage are added to git's index before the transaction ends. The caller holds the lock. When
 * the disk refuses, the EnvironmentError names which of the two holds.
 */
export async function commitChanges(
  root: string,
  changes: TreeChanges,
  operations: FileOperations,
  addToIndex: AddToIndex = noIndex,
): Promise<void> {
  await recoverJournal(root, operations, addToIndex);
  const record = recordOf(root, changes);
  if (record.writes.length + record.removes.length === 0) {
    if (record.staged.length > 0) await addToIndex(record.staged);
    return;
  }
  try {
    await stage(root, record, { changes, operations });
  } catch (error) {
    if (lookAt(root, commitFile) !== undefined) throw failure(recorded, error);
    abandon(root, operations);
    throw failure('nothing was written', error);
  }
  const bytesOf = ({ path }: JournalWrite) => writtenText(changes, path);
  await finish(root, record, { operations, addToIndex, bytesOf, isKept: false });
}

/** Adds files to git's index as they are on the disk. Throws an EnvironmentError that says what to do. */
export type AddToIndex = (paths: readonly string[]) => Promise<void>;

/** Outside git there is no index. */
const noIndex: AddToIndex = async () => {};

const recorded = 'what was to be written is recorded, and the next run finishes it';

/**
 * Finishes the transaction of a killed run, or deletes what it staged before the commit point. When
 * git has put another tree in place since, the transaction is deleted too, and the targets that
 * the disk lacks are returned. Every writing command does this first. The caller holds the lock.
 */
export async function recoverJournal(
  root: string,
  operations: FileOperations,
  addToIndex: AddToIndex = noIndex,
): Promise<readonly string[]> {
  assertRealFolders(root, [commitFile]);
  const found = findJournal(root);
  if (found && !found.isOvertaken) {
    assertReachable(root, found);
    assertComplete(root, found);
    const bytesOf = (write: JournalWrite) => readPending(root, write);
    await finish(root, found, { operations, addToIndex, bytesOf, isKept: true });
    return [];
  }
  const missing = found ? missingTargets(root, found) : [];
  try {
    clear(root, operations);
  } catch (error) {
    throw failure(`the leftovers in ${journalFolder} cannot be removed`, error);
  }
  return missing;
}

/** How a transaction is finished. */
interface Finishing {
  readonly operations: FileOperations;
  readonly addToIndex: AddToIndex;
  /** The recorded bytes of a target. */
  readonly bytesOf: (write: JournalWrite) => Uint8Array | string;
  /** True when the journal stays, for the next run, if git cannot add the files to its index. */
  readonly isKept: boolean;
}

async function finish(root: string, record: JournalRecord, finishing: Finishing): Promise<void> {
  const { operations } = finishing;
  let unstaged: unknown;
  try {
    await carryOut(root, record, finishing);
    unstaged = await addStaged(record, finishing);
    if (unstaged === undefined || !finishing.isKept) {
      operations.removeFile(join(root, commitFile));
      await operations.sync(join(root, journalFolder));
      clear(root, operations);
    }
  } catch (error) {
    throw failure(recorded, error);
  }
  // The files are written: only the index lacks them.
  if (unstaged !== undefined) throw unstaged;
}

/** Adds the files that a transaction names to git's index. Returns the error when git cannot. */
async function addStaged({ staged }: JournalRecord, { addToIndex }: Finishing): Promise<unknown> {
  if (staged.length === 0) return undefined;
  return addToIndex(staged).then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** The changes that the disk does not have yet, in path order, with the manifests last. */
function recordOf(root: string, changes: TreeChanges): JournalRecord {
  const wanted: JournalRecord = {
    writes: sortedKeys(changes.writes)
      .sort(distLast)
      .map((path) => {
        const text = writtenText(changes, path);
        return { path, start: 0, size: Buffer.byteLength(text), sha256: digestOf(text) };
      }),
    removes: [...changes.removes].sort(compareText),
    staged: changes.staged ?? [],
  };
  const fault = faultOf(wanted);
  if (fault !== undefined) throw new InternalError(`the changes cannot be written: ${fault}`);
  const present = assertReachable(root, wanted);
  let start = 0;
  return {
    writes: wanted.writes
      .filter((write) => !present.has(write.path) || !isThere(root, write))
      .map((write) => {
        start += write.size;
        return { ...write, start: start - write.size };
      }),
    removes: wanted.removes.filter((path) => present.has(path)),
    staged: wanted.staged,
  };
}

/** Manifests follow from records, and not the other way around. */
function distLast(left: string, right: string): number {
  return Number(isInDist(left)) - Number(isInDist(right));
}

function isInDist(path: string): boolean {
  return path.startsWith(`${distFolder}/`);
}

function isThere(root: string, { path, sha256 }: JournalWrite): boolean {
  const bytes = readRegularFile(root, path);
  return bytes !== undefined && digestOf(bytes) === sha256;
}

/**
 * Records the bytes of all files, makes them durable, then renames `commit.json` into place: the
 * commit point.
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
  const texts = record.writes.map(({ path }) => writtenText(changes, path));
  operations.writeFile(join(root, bytesFile), texts);
  operations.writeFile(draft, [printJournal(root, record)]);
  await syncAll([join(root, bytesFile), draft], operations);
  await syncAll([folder, join(root, stateFolder), root], operations);
  operations.rename(draft, join(root, commitFile));
  await operations.sync(folder);
}

function writtenText({ writes }: TreeChanges, path: string): string {
  return writes.get(path) ?? '';
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
  // The record goes first: without the bytes it could not be finished.
  if (lookAt(root, commitFile) !== undefined) operations.removeFile(join(root, commitFile));
  for (const name of readdirSync(folder).sort(compareText))
    operations.removeFile(join(folder, name));
  operations.removeFolder(folder);
}

function failure(outcome: string, error: unknown): EnvironmentError {
  return new EnvironmentError(`${outcome}: ${reasonOf(error)}`);
}

/** A file of the transaction before it becomes its target: no reader sees half of one. */
const nextFile = `${journalFolder}/next`;

/**
 * Carries out a committed transaction and makes the result durable. Earlier attempts may have been
 * interrupted: everything is written again. The journal itself is kept.
 */
async function carryOut(
  root: string,
  record: JournalRecord,
  { operations, bytesOf }: Finishing,
): Promise<void> {
  makeFolders(root, record, operations);
  const next = join(root, nextFile);
  if (lookAt(root, nextFile) !== undefined) operations.removeFile(next);
  for (const write of record.writes) {
    operations.writeFile(next, [bytesOf(write)]);
    operations.rename(next, join(root, write.path));
  }
  for (const path of record.removes) {
    if (lookAt(root, path) !== undefined) operations.removeFile(join(root, path));
  }
  removeEmptied(root, record, operations);
  await makeDurable(root, record, operations);
}

function makeFolders(root: string, record: JournalRecord, operations: FileOperations): void {
  const known = new FolderStats(root);
  for (const folder of foldersAbove(record.writes.map((write) => write.path))) {
    if (known.of(folder) === undefined) operations.makeFolder(join(root, folder));
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

/**
 * Makes the targets survive a power cut: a few one by one, many by syncing their disk, which takes
 * a tenth of the time.
 */
async function makeDurable(
  root: string,
  record: JournalRecord,
  operations: FileOperations,
): Promise<void> {
  const isMuch = targetsOf(record).length > syncsAtOnce;
  if (isMuch && (await operations.syncDisk(root))) return;
  const written = record.writes.map(({ path }) => join(root, path));
  await syncAll([...written, ...foldersToSync(root, record)], operations);
}

/** Every folder whose entries may have changed, with the root. */
function foldersToSync(root: string, record: JournalRecord): string[] {
  const folders = foldersAbove(targetsOf(record));
  return ['.', ...folders]
    .filter((folder) => lookAt(root, folder))
    .map((folder) => join(root, folder));
}
