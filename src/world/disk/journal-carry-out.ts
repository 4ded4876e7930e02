import { join } from 'node:path';
import { hasCode } from '../system-error.ts';
import { type FileOperations, syncAll } from './file-operations.ts';
import { isEmptiedFolder, type JournalRecord, type StagedWrite } from './journal-record.ts';
import { lostWrite, stagedPath } from './journal-targets.ts';
import { foldersAbove } from './real-folders.ts';
import { digestOf, lookAt, readRegularFile } from './regular-file.ts';

/**
 * Carries out a committed transaction and makes the result durable. Any number of half-done earlier
 * tries may lie behind: each step is skipped when it is done. The journal itself stays.
 */
export async function carryOut(
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

/** Removes the folders that the removes left empty, innermost first; never the outermost ones. */
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

/** Every folder whose names may have changed, with the root. */
function foldersToSync(root: string, record: JournalRecord): string[] {
  const folders = foldersAbove([...record.writes.map((write) => write.path), ...record.removes]);
  return ['.', ...folders]
    .filter((folder) => lookAt(root, folder))
    .map((folder) => join(root, folder));
}
