import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PoolOptions, PoolWorker, WorkerRequest } from 'vitest/node';

const script = fileURLToPath(new URL('own-network.sh', import.meta.url));

/** True when this machine lets a process have a network of its own. */
export function canOwnNetwork(): boolean {
  try {
    execFileSync(script, ['--version'], { stdio: 'ignore', env: withNode(process.env) });
    return true;
  } catch {
    return false;
  }
}

/** Runs `ip` in the network of this process, and gives what it prints. */
export function ip(...args: readonly string[]): string {
  const env = { ...process.env, PATH: systemPath };
  return execFileSync('ip', [...args], { env, encoding: 'utf8' });
}

/** Where `ip` and its like are, also for users without them in their `PATH`. */
export const systemPath = `${process.env.PATH}:/usr/sbin:/sbin`;

/** A pool of vitest in which every test file runs in a process with a network of its own. */
export const ownNetworkPool = {
  name: 'own-network',
  createPoolWorker: (options: PoolOptions): PoolWorker => new OwnNetworkWorker(options),
};

/** Vitest's worker for child processes, started through own-network.sh. */
class OwnNetworkWorker implements PoolWorker {
  readonly name = ownNetworkPool.name;
  readonly cacheFs = true;
  readonly #options: PoolOptions;
  #process: ChildProcess | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  on(event: string, callback: (argument: unknown) => void): void {
    this.#running.on(event, callback);
  }

  off(event: string, callback: (argument: unknown) => void): void {
    this.#running.off(event, callback);
  }

  send(message: WorkerRequest): void {
    this.#running.send(message);
  }

  deserialize(data: unknown): unknown {
    return data;
  }

  async start(): Promise<void> {
    const { distPath, env, execArgv } = this.#options;
    this.#process ??= fork(join(distPath, 'workers/forks.js'), [], {
      env: withNode(env),
      execArgv,
      execPath: script,
      stdio: 'inherit',
      serialization: 'advanced',
    });
  }

  async stop(): Promise<void> {
    const running = this.#running;
    const gone = new Promise<void>((resolve) => {
      if (running.exitCode !== null || running.signalCode !== null) resolve();
      else running.once('exit', () => resolve());
    });
    const impatient = setTimeout(() => running.kill('SIGKILL'), 30_000);
    running.kill();
    await gone;
    clearTimeout(impatient);
    this.#process = undefined;
  }

  get #running(): ChildProcess {
    if (!this.#process) throw new Error('the worker is not started');
    return this.#process;
  }
}

/** The node that runs now, for the script. */
function withNode(env: Partial<NodeJS.ProcessEnv>): NodeJS.ProcessEnv {
  return { ...env, NODE: process.execPath } as NodeJS.ProcessEnv;
}
