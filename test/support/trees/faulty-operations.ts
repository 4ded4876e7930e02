import { writeFileSync } from 'node:fs';
import {
  diskOperations,
  type FileOperations,
} from '../../../src/core/world/disk/file-operations.ts';

/**
 * How an operation goes wrong: `throw`, it fails and those after it work; `kill`, neither it nor any
 * after it happens; `tear`, the same, but a write gets half its text onto the disk.
 */
export type Fault = 'throw' | 'kill' | 'tear';

/** The operations of a disk that are counted, and go wrong at one of them. Syncs are left out: they are slow. */
export function faultyOperations(
  fault: Fault,
  at: number,
  disk: FileOperations = diskOperations,
): { readonly operations: FileOperations; count(): number } {
  let count = 0;
  function step<Result>(run: () => Result, tear?: () => void): Result {
    const index = count++;
    if (index < at || (index > at && fault === 'throw')) return run();
    if (index === at && fault === 'tear') tear?.();
    throw Object.assign(new Error('EIO: i/o error, at /a/path/of/this/machine'), { code: 'EIO' });
  }
  return {
    count: () => count,
    operations: {
      makeFolder: (path) => step(() => disk.makeFolder(path)),
      writeFile: (path, parts) =>
        step(
          () => disk.writeFile(path, parts),
          () => {
            const bytes = Buffer.concat([...parts].map((part) => Buffer.from(part)));
            writeFileSync(path, bytes.subarray(0, bytes.length / 2));
          },
        ),
      sync: async () => step(() => undefined),
      syncDisk: async () => step(() => true),
      rename: (from, to) => step(() => disk.rename(from, to)),
      removeFile: (path) => step(() => disk.removeFile(path)),
      removeFolder: (path) => step(() => disk.removeFolder(path)),
    },
  };
}

/** Operations that all work, without the wait for the disk. */
export const soundOperations: FileOperations = {
  ...diskOperations,
  sync: async () => undefined,
  syncDisk: async () => true,
};
