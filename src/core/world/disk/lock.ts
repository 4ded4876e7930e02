import { randomUUID } from 'node:crypto';
import {
  linkSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { EnvironmentError } from '../../model/problem.ts';
import { stateFolder } from '../../model/repository-paths.ts';
import { hasCode, reasonOf } from '../system-error.ts';
import { makeStateFolder } from './regular-file.ts';

/** The exclusive right of one process to write below a root. */
export interface Lock {
  /** Lets the next process in. Releasing twice does nothing. */
  release(): void;
}

/** The folder of the lock's turns, one file each. */
const lockFolder = `${stateFolder}/lock`;

const defaultWaitMs = 10_000;
const pollMs = 20;

/**
 * Acquires the lock as soon as no live process holds it. An EnvironmentError when that takes longer
 * than 10 seconds, or than `LEASEHOLD_LOCK_WAIT_MS`.
 *
 * The file with the highest number in `.leasehold/lock/` is the current turn. It names its process
 * and is empty once released. A process that finds it released, or its process gone, creates the
 * next number with link(2), which succeeds for one process only; lower numbers are void. The
 * highest number is never removed, so a latecomer that creates an old number sees a higher one and
 * gives up. Two processes that find the same dead holder can therefore never both win, and there is
 * no further step at which a kill could do harm.
 *
 * The usual library, proper-lockfile, judges a lock by its age: after a killed run the next one
 * would wait for seconds, and a slow disk could cost a live process its lock.
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

/** The lock or its holder; the holder is undefined when another process was faster just now. */
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

/** The process of a turn; undefined when it is released or was not written by leasehold. */
function readTurn(path: string): ProcessIdentity | undefined {
  const fields = readFileSync(path, 'utf8').split('\n');
  const [pid = '', started = '', boot = '', namespace = ''] = fields;
  return /^[1-9]\d{0,9}$/.test(pid) ? { pid: Number(pid), started, boot, namespace } : undefined;
}

/** Creates a turn with all of its content at once; false when the number exists. */
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

/** Deletes earlier turns and drafts. A draft that is still in use is written again. */
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
        // The process ends soon, which ends its turn.
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
    `${who} has the lock, and kept it for ${waitMs} ms; if it is not a leasehold run, remove ${lockFolder}`,
  );
}

/**
 * Identifies a process even after its number was given to another. All fields but `pid` come from
 * Linux's /proc and are empty on other systems.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in clock ticks since boot (proc(5), /proc/pid/stat, field 22). */
  readonly started: string;
  /** The boot id of the machine. */
  readonly boot: string;
  /** The PID namespace, different in each container. */
  readonly namespace: string;
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, started: statusOf('self').started, ...ownSurroundings() };
}

/**
 * True when a process is certainly gone: the machine was rebooted, the number is free or belongs to
 * another process, or the process is a zombie. A process of another container cannot be seen and
 * counts as alive.
 */
function isGone(identity: ProcessIdentity): boolean {
  const here = ownSurroundings();
  if (identity.boot !== here.boot) return true;
  if (identity.namespace !== here.namespace) return false;
  if (!isNumberTaken(identity.pid)) return true;
  const { started, state } = statusOf(String(identity.pid));
  return state === 'Z' || state === 'X' || (started !== '' && started !== identity.started);
}

function isNumberTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasCode(error, 'ESRCH');
  }
}

function ownSurroundings(): { readonly boot: string; readonly namespace: string } {
  return {
    boot: textOrNone(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    namespace: textOrNone(() => readlinkSync('/proc/self/ns/pid')),
  };
}

/**
 * The second field is the program's name in brackets, with any characters: count from the last one.
 */
function statusOf(pid: string): { readonly state: string; readonly started: string } {
  const text = textOrNone(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', started: fields[19] ?? '' };
}

function textOrNone(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
