import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A program to start. */
export interface Start {
  /** Names its log file. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A program that runs until it is stopped, or until the test process is gone. */
export interface Running {
  readonly name: string;
  /** How it ended; undefined while it runs. */
  readonly gone: () => string | undefined;
  /** Everything it printed. */
  readonly log: () => string;
  /** The CPU seconds that it has used, and the most memory that it had at once, in MB. */
  usage(): Usage;
  /** Ends it with a signal and waits until it is gone. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** What a program has cost. */
interface Usage {
  readonly cpu: number;
  readonly memory: number;
}

/** Linux counts the CPU time of processes in hundredths of a second. */
const ticks = 100;

/** The usage of a process, from Linux's /proc. */
function usageOf(pid: number): Usage {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14);
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { cpu: (Number(user) + Number(system)) / ticks, memory: Math.round(Number(peak) / 1024) };
}

/** Go programs look for garbage less often, up to a GiB: memory is there, and the suite is bound by the processor. */
const collectingLess = { GOGC: '400', GOMEMLIMIT: '1GiB' };

interface Message {
  readonly id: number;
  readonly pid?: number;
  readonly gone?: string;
}

const script = fileURLToPath(new URL('keeper.mjs', import.meta.url));

/** Keeps the programs of one test process. None outlives it; see keeper.mjs. */
export class Keeper {
  private readonly process: ChildProcess;
  /** For the files of its programs. */
  readonly folder: string;
  private readonly logs: string;
  private readonly listeners = new Map<number, (message: Message) => void>();
  private count = 0;

  /** Logs go to `logs` in the folder, which is removed when all is over. */
  constructor(folder: string) {
    this.folder = folder;
    this.logs = join(folder, 'logs');
    mkdirSync(this.logs, { recursive: true });
    this.process = fork(script, [folder], { stdio: 'inherit' });
    this.process.on('message', (message: Message) => this.listeners.get(message.id)?.(message));
  }

  start({ name, command, args, env, cwd }: Start): Promise<Running> {
    this.count += 1;
    const id = this.count;
    const log = join(this.logs, `${id}-${name}.log`);
    return new Promise((resolve, reject) => {
      let pid: number | undefined;
      let gone: string | undefined;
      const waiting: (() => void)[] = [];
      const running: Running = {
        name,
        gone: () => gone,
        log: () => readFileSync(log, 'utf8'),
        usage() {
          if (pid === undefined) throw new Error(`${name} has not started`);
          return usageOf(pid);
        },
        stop: (signal = 'SIGTERM') =>
          new Promise((done) => {
            if (gone !== undefined || pid === undefined) return done();
            waiting.push(done);
            process.kill(pid, signal);
          }),
      };
      this.listeners.set(id, (message) => {
        if (message.pid !== undefined) {
          pid = message.pid;
          resolve(running);
        }
        if (message.gone === undefined) return;
        gone = message.gone;
        if (pid === undefined) reject(new Error(`${name} does not start: ${gone}`));
        for (const done of waiting.splice(0)) done();
      });
      const merged = { ...collectingLess, ...process.env, ...env };
      this.process.send({ id, command, args, env: merged, cwd: cwd ?? this.folder, log });
    });
  }

  /** Ends all programs at once and removes the folder. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.process.on('exit', () => resolve());
      this.process.disconnect();
    });
  }
}
