import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { diskOperations } from '../../../src/world/disk/file-operations.ts';
import { commitFile } from '../../../src/world/disk/journal-record.ts';
import { faultyOperations } from './faulty-operations.ts';

/** Runs something, and kills it at a step on the disk: neither that step nor a later one happens. False when it ends before. */
export async function isKilled(at: number, run: () => Promise<unknown>): Promise<boolean> {
  const sound = { ...diskOperations };
  const { operations, count } = faultyOperations('kill', at, sound);
  Object.assign(diskOperations, operations);
  try {
    await run();
  } finally {
    Object.assign(diskOperations, sound);
  }
  return count() > at;
}

/** True when a killed run has left what the next run has to finish. */
export function hasUnfinished(root: string): boolean {
  return existsSync(join(root, commitFile));
}
