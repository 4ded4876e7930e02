import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { Socket } from 'node:net';
import { CommitProblem, EnvironmentError, startOf } from '../../model/problem.ts';
import { leasesFolder } from '../../model/repository-paths.ts';
import { firstLine } from '../system-error.ts';
import { linesOf } from './git-text.ts';

/** An object of a repository. */
export interface GitObject {
  /** The object name, 40 or 64 hex digits. */
  readonly id: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** As committed, without filters or conversion of line ends; undefined beyond 16 MiB. */
  readonly bytes: Buffer | undefined;
}

/** The largest object that is read. */
export const mostBytes = 16 * 1024 * 1024;

/**
 * The most bytes of files of one commit, and of one output of git. 100,000 leases have about 0.5
 * GiB. A small repository can have as many as it likes, since git packs equal bytes.
 */
export const mostBytesTogether = 2 * 1024 ** 3;

/** The problem of a commit that exceeds a bound, which `what` names. */
export function tooLarge(what: string): CommitProblem {
  return new CommitProblem({
    code: 'TREE_TOO_LARGE',
    message: `the folders of a commit that leasehold reads have more than ${what}`,
    at: startOf(leasesFolder),
    hint: 'remove the files that are not needed: a lease has three, in leases/, leases/allocations/ and dist/',
  });
}

/** How long a process without a question is kept, in milliseconds. */
const longestPause = 5_000;

/** Starts `git cat-file --batch`. */
export type StartBatch = () => ChildProcessWithoutNullStreams;

/**
 * Reads objects by one process, which starts with the first question and ends after a pause. It
 * does not keep this process alive.
 */
export class GitObjects {
  readonly #start: StartBatch;
  #batch: Batch | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #pause: NodeJS.Timeout | undefined;

  constructor(start: StartBatch) {
    this.#start = start;
  }

  /**
   * The objects of some names (an object name, or `<commit>:./<path>` from the folder of git) in
   * their order; undefined for a name without an object. A name must not contain a line break. An
   * EnvironmentError when git fails, a CommitProblem for more than {@link mostBytesTogether}.
   */
  read(names: readonly string[]): Promise<readonly (GitObject | undefined)[]> {
    if (names.length === 0) return Promise.resolve([]);
    const objects = this.#last.then(() => this.#ask(names));
    this.#last = objects.catch(() => {});
    return objects;
  }

  /** Ends the process, if there is one. The next question starts another. */
  close(): void {
    clearTimeout(this.#pause);
    this.#batch?.end();
    this.#batch = undefined;
  }

  async #ask(names: readonly string[]): Promise<readonly (GitObject | undefined)[]> {
    clearTimeout(this.#pause);
    this.#batch ??= new Batch(this.#start());
    try {
      const objects = await this.#batch.ask(names);
      this.#pause = setTimeout(() => this.close(), longestPause).unref();
      return objects;
    } catch (error) {
      this.close();
      throw error;
    }
  }
}

/** Parses the output of `git cat-file --batch` for some names: {@link GitObjects.read} at once. */
export function objectsIn(
  output: Buffer,
  names: readonly string[],
): readonly (GitObject | undefined)[] {
  let start = 0;
  return names.map((name) => {
    const end = output.indexOf(10, start);
    if (end < 0) throw new EnvironmentError('git cannot read committed files');
    const header = headerOf(output.toString('utf8', start, end), name);
    start = end + 1;
    if (!header) return undefined;
    const bytes = output.subarray(start, start + header.size);
    start += header.size + 1;
    return { bytes: header.size > mostBytes ? undefined : bytes, ...header };
  });
}

/** Parses the line before an object; undefined for a name without an object. */
function headerOf(line: string, name: string): Omit<GitObject, 'bytes'> | undefined {
  if (line === `${name} missing` || line === `${name} ambiguous`) return undefined;
  const [, id, type, digits] = /^([0-9a-f]+) (\w+) (\d+)$/.exec(line) ?? [];
  if (id === undefined || type === undefined) {
    throw new EnvironmentError(`git cannot read the object ${name}: ${line.slice(0, 80)}`);
  }
  return { id, type, size: Number(digits) };
}

/** One process. It answers a name with `<id> <type> <size>`, a line break, bytes, a line break. */
class Batch {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #output: AsyncIterator<Buffer>;
  readonly #closed: Promise<unknown>;
  /** Output that is not parsed yet. */
  #rest: Buffer = Buffer.alloc(0);
  #message = '';

  constructor(process: ChildProcessWithoutNullStreams) {
    this.#process = process;
    this.#output = process.stdout[Symbol.asyncIterator]();
    this.#closed = new Promise((resolve) => process.once('close', resolve));
    process.stderr.on('data', (text) => {
      this.#message += text;
    });
    process.on('error', ({ message }) => {
      this.#message = message;
    });
    // The output of a process that takes no input ends, which is reported.
    process.stdin.on('error', () => {});
  }

  async ask(names: readonly string[]): Promise<readonly (GitObject | undefined)[]> {
    this.#keepAlive('ref');
    this.#process.stdin.write(linesOf(names));
    const objects: (GitObject | undefined)[] = [];
    let remaining = mostBytesTogether;
    for (const name of names) {
      const object = await this.#object(name);
      remaining -= object?.bytes?.length ?? 0;
      if (remaining < 0) throw tooLarge('2 GiB');
      objects.push(object);
    }
    this.#keepAlive('unref');
    return objects;
  }

  end(): void {
    this.#keepAlive('unref');
    this.#process.stdin.end();
    this.#process.stdout.destroy();
  }

  /** Whether this process waits for the other one before it exits. */
  #keepAlive(change: 'ref' | 'unref'): void {
    const { stdin, stdout, stderr } = this.#process;
    this.#process[change]();
    for (const pipe of [stdin, stdout, stderr]) if (pipe instanceof Socket) pipe[change]();
  }

  async #object(name: string): Promise<GitObject | undefined> {
    const header = headerOf(await this.#line(), name);
    if (!header) return undefined;
    const { size } = header;
    const bytes = size > mostBytes ? await this.#skip(size) : await this.#take(size);
    await this.#skip(1);
    return { bytes, ...header };
  }

  async #line(): Promise<string> {
    let end = this.#rest.indexOf(10);
    while (end < 0) {
      this.#rest = Buffer.concat([this.#rest, await this.#more()]);
      end = this.#rest.indexOf(10);
    }
    const line = this.#rest.toString('utf8', 0, end);
    this.#rest = this.#rest.subarray(end + 1);
    return line;
  }

  async #take(size: number): Promise<Buffer> {
    const parts = [this.#rest];
    for (let length = this.#rest.length; length < size; length += parts.at(-1)?.length ?? 0) {
      parts.push(await this.#more());
    }
    const output = parts.length > 1 ? Buffer.concat(parts) : this.#rest;
    this.#rest = output.subarray(size);
    return output.subarray(0, size);
  }

  async #skip(size: number): Promise<undefined> {
    let remaining = size;
    while (remaining > this.#rest.length) {
      remaining -= this.#rest.length;
      this.#rest = await this.#more();
    }
    this.#rest = this.#rest.subarray(remaining);
  }

  async #more(): Promise<Buffer> {
    const { done, value } = await this.#output.next();
    if (!done) return value;
    await this.#closed;
    throw new EnvironmentError(`git cannot read committed files: ${firstLine(this.#message)}`);
  }
}
