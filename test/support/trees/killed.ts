import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { diskOperations } from '../../../src/core/world/disk/file-operations.ts';
import { commitFile } from '../../../src/core/world/disk/journal-record.ts';
import { faultyOperations } from './faulty-operations.ts';

/** What a run that may have been killed gave. */
interface Struck<Result> {
  readonly result: Result;
  /** False for a run that ended before. */
  readonly isKilled: boolean;
}

/** Runs something, and kills it at a step on the disk: neither that step nor a later one happens. */
export async function struckAt<Result>(
  at: number,
  run: () => Promise<Result>,
): Promise<Struck<Result>> {
  const sound = { ...diskOperations };
  const { operations, count } = faultyOperations('kill', at, sound);
  Object.assign(diskOperations, operations);
  try {
    const result = await run();
    return { result, isKilled: count() > at };
  } finally {
    Object.assign(diskOperations, sound);
  }
}

/** True when a killed run has left what the next run has to finish. */
export function hasUnfinished(root: string): boolean {
  return existsSync(join(root, commitFile));
}
