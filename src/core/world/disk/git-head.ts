import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * The history of HEAD in git up to now. It is read without a call of git, and compared by
 * {@link hasMoved}.
 */
export interface HeadMark {
  /** The text of git's file HEAD. */
  readonly head: string;
  /** The log of HEAD, with its size in bytes. Absent where git keeps none in a file. */
  readonly log?: { readonly size: number; readonly last: string } | undefined;
}

/** Bytes at the end of the log that are read: thousands of lines. */
const tailBytes = 1024 * 1024;

/** Returns the mark of the repository that a folder is in; undefined without one, or an unreadable one. */
export function headMark(root: string): HeadMark | undefined {
  const found = readHead(root);
  if (found === undefined) return undefined;
  const { head, log } = found;
  return log ? { head, log: { size: log.size, last: linesOf(log.tail).at(-1) ?? '' } } : { head };
}

/**
 * True when git has put another tree in place since a mark was made: by a checkout, a merge, a
 * pull, a rebase, a stash, or a reset, also to the same commit. A commit leaves the tree as it is.
 * False when that cannot be told.
 *
 * Actions that git does not log are not seen: `git restore` and `git checkout -- FILE`. Where git keeps no
 * log in a file (`core.logAllRefUpdates=false`, reftable), only another branch is.
 */
export function hasMoved(root: string, mark: HeadMark | undefined): boolean {
  const now = readHead(root);
  if (mark === undefined || now === undefined) return false;
  if (mark.log === undefined || now.log === undefined) return mark.head !== now.head;
  const later = linesSince(mark.log, now.log);
  return later === undefined || later.some((line) => !isCommit(line));
}

/** A line of a log: `OLD NEW NAME <EMAIL> TIME ZONE`, a tab, and what was done. */
function isCommit(line: string): boolean {
  return /^[^\t]*\tcommit\b/.test(line);
}

/**
 * The lines of a log after a known one; undefined when that one is not there any more. Git drops
 * old lines from the start of the log, which is then shorter.
 */
function linesSince(
  { size, last }: NonNullable<HeadMark['log']>,
  now: Log,
): readonly string[] | undefined {
  const start = now.tail.length - (now.size - size);
  if (now.size >= size && start >= 0) {
    const known = linesOf(now.tail.subarray(0, start)).at(-1) ?? '';
    if (known === last) return linesOf(now.tail.subarray(start));
  }
  const lines = linesOf(now.tail);
  const place = lines.lastIndexOf(last);
  return place < 0 ? undefined : lines.slice(place + 1);
}

function linesOf(bytes: Buffer): readonly string[] {
  return bytes
    .toString()
    .split('\n')
    .filter((line) => line !== '');
}

/** The size of a log in bytes, and its end. */
interface Log {
  readonly size: number;
  readonly tail: Buffer;
}

/** Git's file HEAD and its log; undefined without a repository, or for an unreadable one. */
function readHead(
  root: string,
): { readonly head: string; readonly log: Log | undefined } | undefined {
  try {
    const folder = gitFolder(realpathSync(root));
    if (folder === undefined) return undefined;
    const head = readFileSync(join(folder, 'HEAD'), 'utf8');
    return { head, log: readLog(join(folder, 'logs/HEAD')) };
  } catch {
    return undefined;
  }
}

/** Git's folder of the work tree that a folder is in. A linked work tree has a file that names it. */
function gitFolder(root: string): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    const path = join(folder, '.git');
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return path;
    if (stats?.isFile()) {
      const named = readFileSync(path, 'utf8').match(/^gitdir: (.*?)\r?$/m)?.[1];
      return named === undefined ? undefined : resolve(folder, named);
    }
    if (dirname(folder) === folder) return undefined;
  }
}

/** Undefined for a log that does not exist. */
function readLog(path: string): Log | undefined {
  if (!statSync(path, { throwIfNoEntry: false })) return undefined;
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const tail = Buffer.alloc(Math.min(size, tailBytes));
    const read = readSync(descriptor, tail, 0, tail.length, size - tail.length);
    return { size, tail: tail.subarray(0, read) };
  } finally {
    closeSync(descriptor);
  }
}
