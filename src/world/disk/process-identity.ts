import { readFileSync, readlinkSync } from 'node:fs';
import { hasCode } from '../system-error.ts';

/**
 * What names one process, also after it is gone and its number is given to another. Texts are empty
 * where the system does not tell: all but `pid` come from Linux's /proc.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in clock ticks since the machine did (proc(5), /proc/pid/stat, field 22). */
  readonly started: string;
  /** The machine's start that its numbers count from. */
  readonly boot: string;
  /** The process number namespace, different in each container. */
  readonly namespace: string;
}

/** The identity of this process. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, started: statusOf('self').started, ...ownSurroundings() };
}

/**
 * True when a process is certainly gone: the machine was started anew, the number is free or names
 * another process, or only its exit status is left. A process of another container cannot be seen
 * from here, and counts as alive.
 */
export function isGone(identity: ProcessIdentity): boolean {
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
    boot: textOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    namespace: textOf(() => readlinkSync('/proc/self/ns/pid')),
  };
}

/** The program's name stands second, in brackets, and may hold anything: count from its last bracket. */
function statusOf(pid: string): { readonly state: string; readonly started: string } {
  const text = textOf(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', started: fields[19] ?? '' };
}

function textOf(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
