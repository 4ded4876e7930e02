import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  fsync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import process from 'node:process';

/**
 * The steps by which the journal changes the disk. Tests replace them to make the n-th step fail or
 * end the process.
 */
export interface FileOperations {
  /** Makes one folder in an existing one. Fails when it exists. */
  makeFolder(path: string): void;
  /** Writes a new file from its parts. Fails when it exists. */
  writeFile(path: string, parts: Iterable<string | Uint8Array>): void;
  /** Makes a file's bytes, or a folder's entries, survive a power cut. */
  sync(path: string): Promise<void>;
  /** The same for everything on the disk of a folder. False when this machine cannot do it. */
  syncDisk(folder: string): Promise<boolean>;
  /** Renames a file, replacing an existing one. */
  rename(from: string, to: string): void;
  removeFile(path: string): void;
  /** Removes an empty folder. Fails when it is not empty. */
  removeFolder(path: string): void;
}

/** The operations on the real disk. */
export const diskOperations: FileOperations = {
  makeFolder: (path) => mkdirSync(path),
  writeFile: writeParts,
  sync: syncPath,
  syncDisk,
  rename: (from, to) => renameSync(from, to),
  removeFile: (path) => unlinkSync(path),
  removeFolder: (path) => rmdirSync(path),
};

/** Bytes that are written with one call. */
const mostAtOnce = 1024 * 1024;

function writeParts(path: string, parts: Iterable<string | Uint8Array>): void {
  const descriptor = openSync(path, 'wx');
  try {
    let waiting: Uint8Array[] = [];
    let size = 0;
    const writeWaiting = (): void => {
      const [first] = waiting;
      const all = first && waiting.length === 1 ? first : Buffer.concat(waiting);
      for (let done = 0; done < all.length; ) done += writeSync(descriptor, all, done);
      waiting = [];
      size = 0;
    };
    for (const part of parts) {
      const bytes = typeof part === 'string' ? Buffer.from(part) : part;
      waiting.push(bytes);
      size += bytes.length;
      if (size >= mostAtOnce) writeWaiting();
    }
    writeWaiting();
  } finally {
    closeSync(descriptor);
  }
}

/** The number of concurrent fsync calls: enough to fill the disk's queue. */
export const syncsAtOnce = 64;

/**
 * Syncs many paths concurrently, which takes half the time. On failure it waits for the started
 * calls, so that nothing touches the disk after the failure is reported.
 */
export async function syncAll(paths: readonly string[], operations: FileOperations): Promise<void> {
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

/** Node has no syncfs(2), but the `sync` of Linux does. That of other systems does not wait. */
async function syncDisk(folder: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const child = spawn('sync', ['-f', folder], { stdio: 'ignore' });
  const [status] = await once(child, 'close').catch(() => [undefined]);
  return status === 0;
}
