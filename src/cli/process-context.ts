import { createInterface } from 'node:readline/promises';
import { parseDay } from '../model/day.ts';
import { InternalError } from '../model/problem.ts';
import { shippedPath } from '../world/shipped-file.ts';
import { hasCode, reasonOf } from '../world/system-error.ts';
import { exit, type ProcessContext } from './cli-context.ts';

/** The context of the running process: its streams, its folder and its clock. */
export function processContext(): ProcessContext {
  watch(process.stdout);
  watch(process.stderr);
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    color: process.stderr.isTTY === true && !process.env.NO_COLOR,
    terminal: process.stdout.isTTY === true,
    today: () => {
      const day = parseDay(new Date().toISOString().slice(0, 10));
      if (day === undefined) throw new InternalError('the clock gives an invalid day');
      return day;
    },
    elapsed: () => performance.now(),
    ...(process.stderr.isTTY === true && process.stderr.columns > 0
      ? { errColumns: process.stderr.columns }
      : {}),
    env: process.env,
    cwd: process.cwd(),
    program: shippedPath('.'),
    ...(process.stdout.isTTY === true && process.stdout.columns > 0
      ? { columns: process.stdout.columns }
      : {}),
    ...(process.stdin.isTTY === true && process.stderr.isTTY === true
      ? { ask, asking: { input: process.stdin, output: process.stderr } }
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
