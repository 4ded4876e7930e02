import { hash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import { EnvironmentError } from '../../model/problem.ts';
import { hasCode, reasonOf } from '../system-error.ts';

/** What stands at a path below root itself, links not followed; undefined when nothing does. */
export function lookAt(root: string, path: string): Stats | undefined {
  try {
    return lstatSync(join(root, path), { throwIfNoEntry: false });
  } catch (error) {
    throw new EnvironmentError(`${path} cannot be looked at: ${reasonOf(error)}`);
  }
}

/**
 * The bytes of a regular file below root, or undefined when nothing stands there.
 *
 * A symbolic link at the path is refused and not followed, a pipe is refused and not waited for.
 * Everything but a readable regular file is an EnvironmentError that names the path below root.
 */
export function readRegularFile(root: string, path: string): Uint8Array | undefined {
  try {
    const descriptor = openSync(join(root, path), readWithoutFollowing);
    try {
      return readWhole(descriptor, path);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (error instanceof EnvironmentError) throw error;
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    if (hasCode(error, 'ELOOP', 'EMLINK')) throw notRegular(path);
    throw new EnvironmentError(`${path} cannot be read: ${reasonOf(error)}`);
  }
}

/** SHA-256 of bytes, or of a text's UTF-8 bytes: 64 lower-case hex digits. */
export function digestOf(content: Uint8Array | string): string {
  return hash('sha256', content, 'hex');
}

/** Windows has neither flag. */
const readWithoutFollowing =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function readWhole(descriptor: number, path: string): Uint8Array {
  const stats = fstatSync(descriptor);
  if (!stats.isFile()) throw notRegular(path);
  const bytes = readFileSync(descriptor);
  if (bytes.length !== stats.size) {
    throw new EnvironmentError(`${path} changed while it was read; run the command again`);
  }
  return bytes;
}

function notRegular(path: string): EnvironmentError {
  return new EnvironmentError(`${path} is no regular file, and links are not followed`);
}
