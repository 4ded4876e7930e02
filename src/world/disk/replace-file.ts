import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { EnvironmentError } from '../../model/problem.ts';
import { reasonOf } from '../system-error.ts';
import { lookAt, readRegularFile } from './regular-file.ts';

/** The bytes of a file that somebody named, by its absolute path; undefined when nothing stands there. */
export function readNamedFile(path: string): Uint8Array | undefined {
  return readRegularFile(dirname(path), basename(path));
}

/**
 * Puts bytes in place of a file, or makes it and the folders above: whoever reads it has the old bytes or the new
 * ones, wherever the process is killed. It keeps its permissions. An EnvironmentError when the disk refuses.
 */
export function replaceFile(path: string, bytes: Uint8Array): void {
  const folder = dirname(path);
  const staged = join(folder, `.${basename(path)}.leasehold-${process.pid}`);
  const mode = lookAt(folder, basename(path))?.mode ?? 0o644;
  try {
    mkdirSync(folder, { recursive: true });
    writeSynced(staged, bytes, mode & 0o777);
    renameSync(staged, path);
  } catch (error) {
    rmSync(staged, { force: true });
    throw new EnvironmentError(`${path} cannot be written: ${reasonOf(error)}`);
  }
}

function writeSynced(path: string, bytes: Uint8Array, mode: number): void {
  const descriptor = openSync(path, 'wx', mode);
  try {
    for (let start = 0; start < bytes.length; ) start += writeSync(descriptor, bytes, start);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
