import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { EnvironmentError } from '../../model/problem.ts';
import { reasonOf } from '../system-error.ts';
import {
  type JournalRecord,
  journalAdvice,
  journalFolder,
  type StagedWrite,
} from './journal-record.ts';
import { assertRealFolders, foldersAbove } from './real-folders.ts';
import { digestOf, lookAt, readRegularFile } from './regular-file.ts';

/**
 * Fails with an EnvironmentError when a target cannot be written or removed: a link or a file is on
 * the way to it, a folder there may not be changed or lies on another disk, or something else than a
 * regular file stands at the target. Asked before the commit point, because after it there is no way back.
 * Gives the targets that are there.
 */
export function assertReachable(root: string, record: JournalRecord): ReadonlySet<string> {
  const paths = [...record.writes.map((write) => write.path), ...record.removes];
  assertRealFolders(root, paths);
  for (const folder of foldersAbove(paths)) assertChangeable(root, folder);
  const present = new Set<string>();
  for (const path of paths) {
    const stats = lookAt(root, path);
    if (stats?.isFile() === false) {
      throw new EnvironmentError(`${path} is no regular file; remove it and run the command again`);
    }
    if (stats) present.add(path);
  }
  return present;
}

/**
 * Fails with an EnvironmentError unless every write of a committed transaction can be finished or
 * is: the staged file has the recorded digest, or is gone and the target has it.
 */
export function assertComplete(root: string, record: JournalRecord): void {
  for (const write of record.writes) {
    const bytes = readRegularFile(root, stagedPath(write)) ?? readRegularFile(root, write.path);
    if (bytes === undefined || digestOf(bytes) !== write.sha256) throw lostWrite(write);
  }
}

/**
 * The bytes that a target has once the transaction is finished, from the staged file or, when
 * another process finishes it meanwhile, from the target.
 */
export function readPending(root: string, write: StagedWrite): Uint8Array {
  for (const path of [stagedPath(write), write.path]) {
    const bytes = readRegularFile(root, path);
    if (bytes !== undefined && digestOf(bytes) === write.sha256) return bytes;
  }
  throw lostWrite(write);
}

/** The staged file of a write, relative to the root. */
export function stagedPath(write: StagedWrite): string {
  return `${journalFolder}/${write.staged}`;
}

/** What is said when neither the staged file nor the target has the recorded bytes. */
export function lostWrite(write: StagedWrite): EnvironmentError {
  return new EnvironmentError(
    `a killed run cannot be finished, because ${write.path} is not what it wrote; ${journalAdvice}`,
  );
}

function assertChangeable(root: string, folder: string): void {
  const stats = lookAt(root, folder);
  if (stats === undefined) return;
  if (stats.dev !== lookAt(root, '.')?.dev) {
    throw new EnvironmentError(`${folder} lies on another disk than the repository`);
  }
  try {
    accessSync(join(root, folder), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new EnvironmentError(`${folder} may not be changed: ${reasonOf(error)}`);
  }
}
