import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** A command line to start, and where. */
export interface CommandLine {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * When to strike: so many milliseconds after the process was started, after the journal was begun,
 * after the commit point, or after the journal was closed.
 */
export interface Moment {
  readonly after: 'start' | 'staging' | 'commit' | 'end';
  readonly delayMs: number;
}

/** How to strike: `group` ends every process of the command, `app` only the one that has the lock. */
export interface Blow {
  readonly signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT';
  readonly at: 'group' | 'app';
}

/** How a command ended. */
export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  /** Milliseconds from its start to its end, the start of its journal and its commit point. */
  readonly lifeMs: number;
  readonly stagedMs: number;
  readonly committedMs: number;
}

/** Runs a command, strikes it at a moment, and waits until all its processes are gone. */
export async function runCommand(
  command: CommandLine,
  strike?: { readonly moment: Moment; readonly blow: Blow },
): Promise<Ended> {
  const started = performance.now();
  const child = spawn(process.execPath, [command.program, ...command.args], {
    cwd: command.cwd,
    env: { ...process.env, ...command.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  child.stdout.resume();
  // All processes of the group have these pipes: they close when the last one is gone.
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const watch = new Watch(command.cwd, () => child.exitCode !== null || child.signalCode !== null);
  if (strike !== undefined && child.pid !== undefined) {
    await watch.until(strike.moment.after);
    await watch.delay(strike.moment.delayMs);
    hit(child.pid, command.cwd, strike.blow);
  } else {
    await watch.until('end');
  }
  const [status, signal] = await closed;
  return {
    status,
    signal,
    stderr,
    lifeMs: performance.now() - started,
    stagedMs: watch.stagedAt - started,
    committedMs: watch.committedAt - started,
  };
}

/** Looks at a repository's journal every millisecond. */
class Watch {
  stagedAt = Number.NaN;
  committedAt = Number.NaN;
  readonly #journal: string;
  readonly #isOver: () => boolean;

  constructor(root: string, isOver: () => boolean) {
    this.#journal = join(root, '.leasehold/txn');
    this.#isOver = isOver;
  }

  async until(point: Moment['after']): Promise<void> {
    if (point === 'start') return;
    const commit = join(this.#journal, 'commit.json');
    // What a killed run left staged is cleared away first: only a folder that comes new counts.
    const isLeft = (): boolean => !existsSync(this.#journal);
    if (!isLeft()) await this.#poll(isLeft);
    await this.#poll(() => existsSync(join(this.#journal, 'bytes')) || existsSync(commit));
    this.stagedAt = performance.now();
    if (point === 'staging') return;
    await this.#poll(() => existsSync(commit));
    this.committedAt = performance.now();
    if (point === 'commit') return;
    await this.#poll(() => !existsSync(commit));
  }

  /** Waits, but no longer than the process lives. */
  async delay(milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds;
    for (let left = milliseconds; left >= 1 && !this.#isOver(); left = end - performance.now()) {
      await wait(Math.min(left, 20));
    }
  }

  async #poll(isReached: () => boolean): Promise<void> {
    while (!isReached() && !this.#isOver()) await wait(1);
  }
}

function hit(leader: number, root: string, { signal, at }: Blow): void {
  const app = at === 'app' ? lockHolder(root) : undefined;
  try {
    process.kill(app ?? -leader, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The process that has the lock, when one has it. */
function lockHolder(root: string): number | undefined {
  const folder = join(root, '.leasehold/lock');
  const turns = existsSync(folder) ? readdirSync(folder).filter((name) => /^\d+$/.test(name)) : [];
  const last = turns.map(Number).sort((left, right) => right - left)[0];
  if (last === undefined) return undefined;
  const pid = Number.parseInt(readFileSync(join(folder, String(last)), 'utf8'), 10);
  // A killed run's number may be another process's by now, which is none of ours to end.
  return folderOf(pid) === realpathSync(root) ? pid : undefined;
}

function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}
