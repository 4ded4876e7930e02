import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder } from '../../model/folders.ts';
import { compareText, sortedKeys } from '../../model/order.ts';
import { EnvironmentError, InternalError } from '../../model/problem.ts';
import type { TreeChanges } from '../../ports/tree.ts';
import { reasonOf } from '../system-error.ts';
import { type FileOperations, syncAll } from './file-operations.ts';
import { carryOut } from './journal-carry-out.ts';
import {
  commitFile,
  faultOf,
  type JournalRecord,
  journalFolder,
  printJournal,
  readJournal,
} from './journal-record.ts';
import { assertComplete, assertReachable, stagedPath } from './journal-targets.ts';
import { assertRealFolders } from './real-folders.ts';
import { digestOf, lookAt, readRegularFile } from './regular-file.ts';
import { makeStateFolder } from './state-folder.ts';

/**
 * Writes and removes files below root as one step. What is on the disk already is left alone; when
 * that is all, nothing is touched.
 *
 * Before `commit.json` has its name the tree is wholly old, from then on wholly new, in the eyes of
 * every leasehold command, wherever the process is killed. The caller holds the lock. A refusal of
 * the disk is an EnvironmentError that says which of the two it is.
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
 * Finishes the transaction of a killed run, or clears away what it staged before the commit point.
 * Every command that writes does this first. The caller holds the lock.
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

/** What of the changes the disk does not have yet, in path order. */
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

/** Stages the files, makes them durable, then gives `commit.json` its name: the commit point. */
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

/** Takes back what was staged, as far as the disk lets us; the next run does the rest. */
function abandon(root: string, operations: FileOperations): void {
  try {
    clear(root, operations);
  } catch {
    // The failure that led here is the one to report.
  }
}

/** Removes the journal's folder and the files in it. */
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
