import type { MessagePort, Worker } from 'node:worker_threads';
import { EnvironmentError, InternalError } from '../../../core/model/problem.ts';

/**
 * The methods of a thread's work, with at most one argument. Arguments and results are plain data.
 */
type Methods<Work> = { readonly [Name in keyof Work]: (argument: never) => Promise<unknown> };

/** Work in another thread, which starts with the first call. */
export interface WorkThread<Work> {
  readonly work: Work;
  /** Ends the thread. Pending calls reject with an EnvironmentError. */
  close(): Promise<void>;
}

/** How a thread is started and ended. Times are in milliseconds. */
export interface ThreadTerms {
  readonly start: () => Worker;
  /**
   * Time limit of a call. When it is exceeded the thread ends, and the next call starts another.
   */
  readonly longestAnswer: number;
  /** Idle time after which the thread ends to free its memory; the next call starts another. */
  readonly longestIdle: number;
}

/** A message to a thread: a call, or undefined to end. */
type Sent = { readonly id: number; readonly name: string; readonly argument: unknown } | undefined;

/** The result of a call. */
type Answer = { readonly id: number } & (
  | { readonly value: unknown }
  | { readonly refused: string }
  | { readonly failed: string }
);

/** Milliseconds that a thread gets to end by itself. */
const longestEnd = 1_000;

/** Runs work in another thread. `names` are the methods of the work. */
export function workThread<Work extends Methods<Work>>(
  names: readonly (keyof Work & string)[],
  terms: ThreadTerms,
): WorkThread<Work> {
  let running: RunningThread | undefined;
  let isClosed = false;
  const ask = (name: string, argument: unknown): Promise<unknown> => {
    if (isClosed) return Promise.reject(new EnvironmentError(ending));
    if (!running?.isAlive) running = new RunningThread(terms);
    return running.ask(name, argument);
  };
  const methods = names.map((name) => [name, (argument: unknown) => ask(name, argument)]);
  return {
    work: Object.fromEntries(methods) as Work,
    async close() {
      isClosed = true;
      await running?.end(ending);
    },
  };
}

const ending = 'the program ends';

/** Answers calls inside the thread. `end` releases everything that keeps the thread running. */
export function answerThread<Work extends Methods<Work>>(
  port: MessagePort,
  work: Work,
  end: () => void,
): void {
  const methods = new Map<string, (argument: never) => Promise<unknown>>(Object.entries(work));
  port.on('message', async (sent: Sent) => {
    if (sent === undefined) {
      end();
      port.close();
      return;
    }
    port.postMessage(await answerTo(sent, methods.get(sent.name)));
  });
}

async function answerTo(
  { id, name, argument }: NonNullable<Sent>,
  method: ((argument: never) => Promise<unknown>) | undefined,
): Promise<Answer> {
  try {
    if (method === undefined) throw new InternalError(`the thread has no method ${name}`);
    return { id, value: await method(argument as never) };
  } catch (error) {
    if (error instanceof EnvironmentError) return { id, refused: error.message };
    return { id, failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** A pending call. */
interface Waiter {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** One thread, until it ends. */
class RunningThread {
  readonly #worker: Worker;
  readonly #longestAnswer: number;
  readonly #longestIdle: number;
  readonly #waiters = new Map<number, Waiter>();
  readonly #ended: Promise<void>;
  #asked = 0;
  #idle: NodeJS.Timeout | undefined;
  isAlive = true;

  constructor({ start, longestAnswer, longestIdle }: ThreadTerms) {
    this.#longestAnswer = longestAnswer;
    this.#longestIdle = longestIdle;
    this.#worker = start();
    this.#worker.on('message', (answer: Answer) => this.#take(answer));
    this.#worker.on('error', (error) =>
      this.#giveUp(`the thread that reads the tree ended: ${error}`),
    );
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#giveUp('the thread that reads the tree ended');
        resolve();
      });
    });
  }

  ask(name: string, argument: unknown): Promise<unknown> {
    clearTimeout(this.#idle);
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve, reject) => {
      const seconds = this.#longestAnswer / 1000;
      const timer = setTimeout(() => {
        void this.end(`no answer of the disk, git or the remote for ${seconds} s`);
      }, this.#longestAnswer);
      this.#waiters.set(id, { resolve, reject, timer });
      this.#worker.postMessage({ id, name, argument } satisfies Sent);
    });
  }

  /**
   * Rejects pending calls with a reason. The thread may end by itself, so that its processes end
   * too.
   */
  async end(reason: string): Promise<void> {
    this.#giveUp(reason);
    this.#worker.postMessage(undefined satisfies Sent);
    const timer = setTimeout(() => void this.#worker.terminate(), longestEnd);
    await this.#ended;
    clearTimeout(timer);
  }

  #giveUp(reason: string): void {
    this.isAlive = false;
    clearTimeout(this.#idle);
    for (const { reject, timer } of this.#waiters.values()) {
      clearTimeout(timer);
      reject(new EnvironmentError(reason));
    }
    this.#waiters.clear();
  }

  #take(answer: Answer): void {
    const waiter = this.#waiters.get(answer.id);
    if (waiter === undefined) return;
    this.#waiters.delete(answer.id);
    clearTimeout(waiter.timer);
    if (this.isAlive && this.#waiters.size === 0) {
      this.#idle = setTimeout(() => void this.end('it is idle'), this.#longestIdle);
    }
    // In a turn of its own: a port hands over up to a thousand messages in one, and who asks again at
    // once would let no request in between.
    setImmediate(() => {
      if ('value' in answer) waiter.resolve(answer.value);
      else if ('refused' in answer) waiter.reject(new EnvironmentError(answer.refused));
      else waiter.reject(new InternalError(answer.failed));
    });
  }
}
