import childProcess, { type ChildProcess, type SpawnOptions } from 'node:child_process';
import { EventEmitter } from 'node:events';
import {
  closeSync,
  createWriteStream,
  existsSync,
  mkdtempSync,
  open,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Duplex, PassThrough, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { quoted } from '../repositories/git-shell.ts';

/** Runs each request, a file of shell commands, in a process of its own. Ends with the process that asks. */
const script = `
while read -r request; do ( . "./$request" ) & done
rm -rf "$PWD"
`;
/** How many of them run at once; a git beyond them starts plainly. Each has three named pipes. */
const places = 12;

/** The process of a git that the small shell has started, as the product uses it. */
class StartedGit extends EventEmitter {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  pid: number | undefined;
  killed = false;
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;
  #signal: NodeJS.Signals | undefined;

  /** Connects the streams with the named pipes of a place. */
  constructor(place: string) {
    super();
    opened(`${place}.in`, 'w', this.stdin, (fd) => {
      const input = createWriteStream('', { fd });
      input.on('error', (failure) => this.stdin.destroy(failure));
      this.stdin.pipe(input);
      return input;
    });
    for (const end of ['out', 'err'] as const) {
      const stream = end === 'out' ? this.stdout : this.stderr;
      opened(`${place}.${end}`, 'r', stream, (fd) => {
        const output = new Socket({ fd, readable: true, writable: false });
        output.pipe(stream);
        return output;
      });
    }
  }

  ref(): void {}

  unref(): void {}

  /** A program that a shell starts in the background ignores SIGINT. */
  kill(asked: NodeJS.Signals = 'SIGTERM'): boolean {
    this.#signal = asked === 'SIGINT' ? 'SIGTERM' : asked;
    this.killed = true;
    this.#sendSignal();
    return true;
  }

  began(pid: number): void {
    this.pid = pid;
    this.emit('spawn');
    this.#sendSignal();
  }

  #sendSignal(): void {
    if (this.#signal === undefined || this.pid === undefined) return;
    try {
      process.kill(this.pid, this.#signal);
    } catch {
      // It has ended.
    }
  }

  async ended(status: number): Promise<void> {
    const isKilled = this.#signal !== undefined && status === 128 + constants.signals[this.#signal];
    if (isKilled) this.signalCode = this.#signal ?? null;
    else this.exitCode = status;
    this.emit('exit', this.exitCode, this.signalCode);
    this.stdin.destroy();
    const outputs = [this.stdout, this.stderr];
    for (const output of outputs) if (output.readableFlowing === null) output.resume();
    await Promise.allSettled(outputs.map((output) => finished(output)));
    this.emit('close', this.exitCode, this.signalCode);
  }
}

/** Opens a pipe for a stream, and closes it with the stream: the next git of its place must see the end of its input. */
function opened(
  path: string,
  flags: 'r' | 'w',
  stream: PassThrough,
  connect: (fd: number) => Duplex | Writable,
): void {
  open(path, flags, (error, fd) => {
    if (error) stream.destroy(error);
    else if (stream.destroyed) closeSync(fd);
    else {
      const pipe = connect(fd);
      stream.once('close', () => pipe.destroy());
    }
  });
}

type StartGit = (args: readonly string[], options: SpawnOptions) => ChildProcess | undefined;

function openShell(): StartGit {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-starts-'));
  const free = Array.from({ length: places }, (_, index) => String(index));
  const pipes = free.flatMap((place) => ['in', 'out', 'err'].map((end) => `${place}.${end}`));
  childProcess.spawnSync('mkfifo', pipes, { cwd: folder });
  const shell = real('sh', ['-c', script], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
  shell.unref();
  for (const pipe of [shell.stdin, shell.stdout]) (pipe as Socket).unref();
  const started = new Map<string, StartedGit>();
  createInterface({ input: shell.stdout }).on('line', (line) => {
    const [place = '', what, number] = line.split(' ');
    const git = started.get(place);
    if (what === 'began') git?.began(Number(number));
    else {
      started.delete(place);
      git?.once('close', () => free.push(place)).ended(Number(number));
    }
  });
  return (args, { cwd, env = process.env }) => {
    const root = cwd?.toString() ?? process.cwd();
    const place = hasGit(env.PATH) && existsSync(root) ? free.shift() : undefined;
    if (place === undefined) return undefined;
    const path = join(folder, place);
    // A shell exports no other names, such as those of functions of bash.
    const settings = Object.entries(env)
      .filter(([name]) => /^[A-Za-z_]\w*$/.test(name))
      .map(([name, value]) => `export ${name}=${quoted(value ?? '')}`);
    const lines = [
      ...settings,
      `cd ${quoted(root)}`,
      `git ${args.map(quoted).join(' ')} < ${path}.in > ${path}.out 2> ${path}.err &`,
      `echo "${place} began $!"`,
      'wait $!',
      // Reads no further: the next request of the place may be in the file already.
      `echo "${place} ended $?"; exit`,
    ];
    writeFileSync(path, `${lines.join('\n')}\n`);
    const git = new StartedGit(path);
    started.set(place, git);
    shell.stdin.write(`${place}\n`);
    return git as unknown as ChildProcess;
  };
}

function hasGit(path = ''): boolean {
  return path.split(':').some((folder) => existsSync(join(folder, 'git')));
}

/** Kept for the files that come later in the same process. */
const kept = globalThis as { realSpawn?: typeof childProcess.spawn; startGit?: StartGit };
kept.realSpawn ??= childProcess.spawn;
const real = kept.realSpawn as (
  command: string,
  args: readonly string[],
  options: SpawnOptions,
) => childProcess.ChildProcessWithoutNullStreams;

/**
 * Starts git for the product from a small shell, one for this process. To start a program, the system copies the tables of
 * the memory of the process that starts it: with the product in it, that costs more than git itself.
 */
childProcess.spawn = ((
  command: string,
  args: readonly string[] = [],
  options: SpawnOptions = {},
) => {
  if (command !== 'git') return real(command, args, options);
  kept.startGit ??= openShell();
  return kept.startGit(args, options) ?? real(command, args, options);
}) as typeof childProcess.spawn;
syncBuiltinESMExports();
