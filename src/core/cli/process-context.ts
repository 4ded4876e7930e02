import { createInterface } from 'node:readline/promises';
import { parseDay } from '../model/day.ts';
import { InternalError } from '../model/problem.ts';
import { shippedPath } from '../world/shipped-file.ts';
import { hasCode, reasonOf } from '../world/system-error.ts';
import { exit, type ProcessContext, takesColors } from './cli-context.ts';

/** The parts of a process that a context is made of. */
type Streams = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'env'>;

/**
 * The context of the running process: its streams, its folder and its clock. A terminal with
 * TERM=dumb has no colours and no movable cursor, and readline takes no Backspace there: it gets no
 * progress line and no prompts, only questions of one line.
 */
export function processContext({ stdin, stdout, stderr, env }: Streams = process): ProcessContext {
  const isDumb = env.TERM === 'dumb';
  watch(stdout);
  watch(stderr);
  return {
    out: (text) => stdout.write(text),
    err: (text) => stderr.write(text),
    color: takesColors(stderr.isTTY === true, env),
    terminal: stdout.isTTY === true,
    today: () => {
      const day = parseDay(new Date().toISOString().slice(0, 10));
      if (day === undefined) throw new InternalError('the clock gives an invalid day');
      return day;
    },
    elapsed: () => performance.now(),
    ...(stderr.isTTY === true && !isDumb && stderr.columns > 0
      ? { errColumns: stderr.columns }
      : {}),
    env,
    cwd: process.cwd(),
    program: shippedPath('.'),
    ...(stdout.isTTY === true && stdout.columns > 0 ? { columns: stdout.columns } : {}),
    ...(stdin.isTTY === true && stderr.isTTY === true ? { ask } : {}),
    ...(stdin.isTTY === true && stderr.isTTY === true && !isDumb
      ? { asking: { input: stdin, output: stderr } }
      : {}),
  };
}

/** Returns an empty answer when the input ends. */
async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return await Promise.race([lines.question(question), closed]);
  } finally {
    lines.close();
  }
}

/**
 * Ignores a reader that closed the pipe, such as `head`. Any other failure to write ends the
 * process with exit status 74.
 */
function watch(stream: NodeJS.WriteStream): void {
  stream.on('error', (error) => {
    if (hasCode(error, 'EPIPE')) return;
    if (stream === process.stdout) {
      process.stderr.write(`leasehold: the output cannot be written: ${reasonOf(error)}\n`);
    }
    process.once('exit', () => {
      process.exitCode = exit.environment;
    });
  });
}
