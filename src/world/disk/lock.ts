import { randomUUID } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { stateFolder } from '../../model/folders.ts';
import { EnvironmentError } from '../../model/problem.ts';
import { hasCode, reasonOf } from '../system-error.ts';
import { isGone, ownIdentity, type ProcessIdentity } from './process-identity.ts';
import { makeStateFolder } from './state-folder.ts';

/** The right to write below a root, held by one process at a time. */
export interface Lock {
  /** Lets the next one in. Releasing twice does nothing. */
  release(): void;
}

/** Below this folder stand the lock's turns, one file each. */
const lockFolder = `${stateFolder}/lock`;

const defaultWaitMs = 10_000;
const pollMs = 20;

/**
 * The lock, as soon as no live process has it; an EnvironmentError when that takes longer than 10
 * seconds, or than `LEASEHOLD_LOCK_WAIT_MS`.
 *
 * The file with the highest number in `.leasehold/lock/` is the turn that counts. It names its
 * process and is empty once released. Who finds that one released, or its process gone, makes the next
 * number with link(2), which only one can; a file of a lower number is void. The highest is never
 * removed, so a late comer who makes a number that was taken before sees a higher one, and gives up.
 * So two who find the same dead process can never both win, and no third step can be killed half-way.
 *
 * Written here because the usual library, proper-lockfile, goes by the lock's age: after a killed run
 * the next one would wait for seconds, and a slow disk could lose a living one its lock.
 */
export async function acquireLock(root: string): Promise<Lock> {
  const waitMs = waitFrom(process.env.LEASEHOLD_LOCK_WAIT_MS);
  const deadline = performance.now() + waitMs;
  makeStateFolder(root, lockFolder);
  for (;;) {
    const attempt = tryOnce(join(root, lockFolder));
    if ('release' in attempt) return attempt;
    if (performance.now() >= deadline) throw heldBy(attempt.holder, waitMs);
    await wait(pollMs);
  }
}

/** The lock, or who has it; undefined for someone who was faster just now. */
function tryOnce(folder: string): Lock | { readonly holder: ProcessIdentity | undefined } {
  try {
    const last = lastTurn(folder);
    const holder = last === 0 ? undefined : readTurn(join(folder, String(last)));
    if (holder !== undefined && !isGone(holder)) return { holder };
    const turn = last + 1;
    if (!makeTurn(folder, turn)) return { holder: undefined };
    if (lastTurn(folder) !== turn) {
      rmSync(join(folder, String(turn)), { force: true });
      return { holder: undefined };
    }
    clearBefore(folder, turn);
    return lockOf(join(folder, String(turn)));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return { holder: undefined };
    throw new EnvironmentError(`the lock in ${lockFolder} cannot be taken: ${reasonOf(error)}`);
  }
}

function lastTurn(folder: string): number {
  const turns = readdirSync(folder).filter((name) => /^[1-9]\d{0,14}$/.test(name));
  return turns.reduce((last, name) => Math.max(last, Number(name)), 0);
}

/** Whose turn it is; undefined when it is released, or is nothing that a process here wrote. */
function readTurn(path: string): ProcessIdentity | undefined {
  const fields = readFileSync(path, 'utf8').split('\n');
  const [pid = '', started = '', boot = '', namespace = ''] = fields;
  return /^[1-9]\d{0,9}$/.test(pid) ? { pid: Number(pid), started, boot, namespace } : undefined;
}

/** Makes a turn with its whole content at once; false when there is one of that number. */
function makeTurn(folder: string, turn: number): boolean {
  const draft = join(folder, `draft-${randomUUID()}`);
  const { pid, started, boot, namespace } = ownIdentity();
  writeFileSync(draft, `${[pid, started, boot, namespace].join('\n')}\n`, { flag: 'wx' });
  try {
    linkSync(draft, join(folder, String(turn)));
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Clears earlier turns, and drafts of processes that were killed; one still in work is made again. */
function clearBefore(folder: string, turn: number): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith('draft-') || Number(name) < turn)
      rmSync(join(folder, name), { force: true });
  }
}

function lockOf(path: string): Lock {
  let isReleased = false;
  return {
    release() {
      if (isReleased) return;
      isReleased = true;
      try {
        truncateSync(path);
      } catch {
        // The process ends soon, and its turn with it.
      }
    },
  };
}

function waitFrom(text: string | undefined): number {
  if (text === undefined || text === '') return defaultWaitMs;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new EnvironmentError('LEASEHOLD_LOCK_WAIT_MS is not a number of milliseconds');
}

function heldBy(holder: ProcessIdentity | undefined, waitMs: number): EnvironmentError {
  const who = holder === undefined ? 'another process' : `process ${holder.pid}`;
  return new EnvironmentError(
    `${who} has the lock, and kept it for ${waitMs} ms; if that is no leasehold run, remove ${lockFolder}`,
  );
}
