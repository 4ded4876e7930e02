import {
  closeSync,
  fsync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';

/**
 * Every step by which the journal changes the disk, one call of the operating system each. A test
 * puts its own in to make the n-th step fail, or to end the process there.
 */
export interface FileOperations {
  /** Makes one folder; its parent is there. Fails when it exists. */
  makeFolder(path: string): void;
  /** Makes a new file with the text. Fails when it exists. */
  writeFile(path: string, text: string): void;
  /** Makes a file's bytes, or a folder's names, survive a power cut. */
  sync(path: string): Promise<void>;
  /** Gives a file another name, in place of what has it. */
  rename(from: string, to: string): void;
  removeFile(path: string): void;
  /** Removes an empty folder. Fails when something is in it. */
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

/** How many fsync calls are under way at a time: enough to keep the disk's queue filled. */
const syncsAtOnce = 64;

/**
 * Syncs many paths, some at a time: half the time of one by one. Waits for all that were started
 * before it fails, so that nothing touches the disk after the failure is reported.
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

/** Windows cannot sync what is open for reading only; its renames are journalled all the same. */
function isUnsupported(error: NodeJS.ErrnoException): boolean {
  return process.platform === 'win32' && error.code === 'EPERM';
}
