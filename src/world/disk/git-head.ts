import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { digestOf } from './regular-file.ts';

/** Bytes at the end of git's log of HEAD that are read: more than its last line. */
const tailBytes = 4096;

/**
 * Returns a text that changes whenever git moves HEAD or puts another tree in place: on a commit, a
 * checkout, a merge, a stash, and a reset, also to the same commit. It is the digest of HEAD and of
 * the end of its log, without a call of git. Returns undefined outside a git repository.
 */
export function headMark(root: string): string | undefined {
  try {
    const folder = gitFolder(root);
    if (folder === undefined) return undefined;
    const head = readFileSync(join(folder, 'HEAD'), 'utf8');
    return digestOf(`${head}\n${logTail(join(folder, 'logs/HEAD'))}`);
  } catch {
    return undefined;
  }
}

/** The folder of git of the work tree that a folder is in. A linked work tree has a file that names it. */
function gitFolder(root: string): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    const path = join(folder, '.git');
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return path;
    if (stats?.isFile()) {
      const named = readFileSync(path, 'utf8').match(/^gitdir: (.*)$/m)?.[1];
      return named === undefined ? undefined : resolve(folder, named);
    }
    if (dirname(folder) === folder) return undefined;
  }
}

/** The size of a log and its end; empty for none: git can be told not to keep one. */
function logTail(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })) return '';
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const tail = Buffer.alloc(Math.min(size, tailBytes));
    const read = readSync(descriptor, tail, 0, tail.length, size - tail.length);
    return `${size} ${tail.subarray(0, read).toString()}`;
  } finally {
    closeSync(descriptor);
  }
}
