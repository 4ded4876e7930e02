import type { MessagePort, Worker } from 'node:worker_threads';
import { EnvironmentError, InternalError } from '../model/problem.ts';

/** Work that a thread does: methods of at most one argument, which takes and gives plain data. */
type Methods<Work> = { readonly [Name in keyof Work]: (argument: never) => Promise<unknown> };

/** Work that is done in another thread, which starts with the first question. */
export interface WorkThread<Work> {
  readonly work: Work;
  /** Gives up what is under way, with an EnvironmentError for whoever waits, and ends the thread. */
  close(): Promise<void>;
}

/** How a thread is run. */
export interface ThreadTerms {
  readonly start: () => Worker;
  /** Milliseconds after which a question is given up, and with it the thread: the next question starts another. */
  readonly longestAnswer: number;
  /** Milliseconds without a question after which the thread ends, so that its memory is free: the next question starts another. */
  readonly longestIdle: number;
}

/** What is sent to a thread: a question, or undefined when it is to end. */
type Sent = { readonly id: number; readonly name: string; readonly argument: unknown } | undefined;

/** What a thread sends back. */
type Answer = { readonly id: number } & (
  | { readonly value: unknown }
  | { readonly refused: string }
  | { readonly failed: string }
);

/** Milliseconds in which a thread may end by itself. */
const longestEnd = 1_000;

/** Work that a thread does for this one, by the names of its methods. */
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

/** Does the work in the thread that was started for it. What `end` does lets go of all that keeps the thread. */
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
    if (method === undefined) throw new InternalError(`a thread knows no ${name}`);
    return { id, value: await method(argument as never) };
  } catch (error) {
    if (error instanceof EnvironmentError) return { id, refused: error.message };
    return { id, failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** Whoever waits for an answer. */
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
    this.#worker.on('error', (error) => this.#giveUp(`what reads the tree ended: ${error}`));
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#giveUp('what reads the tree ended');
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

  /** Rejects what is under way for a reason. The thread may end by itself, so that what it started ends too. */
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
      this.#idle = setTimeout(() => void this.end('nobody asks'), this.#longestIdle);
    }
    if ('value' in answer) waiter.resolve(answer.value);
    else if ('refused' in answer) waiter.reject(new EnvironmentError(answer.refused));
    else waiter.reject(new InternalError(answer.failed));
  }
}
