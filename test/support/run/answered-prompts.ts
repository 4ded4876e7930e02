import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { onTestFailed } from 'vitest';
import { type Finished, runInProcess } from './run-in-process.ts';

/** Keys as a terminal sends them. */
export const keys = {
  enter: '\r',
  down: '\u001b[B',
  clear: '\u0015',
  stop: '\u0003',
  no: 'n',
  yes: 'y',
};

/** What somebody waits for on the screen, and then types. */
export type Step = readonly [shown: string, typed: string];

/** What came of it; `screen` is all that was shown, without its colours and moves. */
export interface Answered extends Finished {
  readonly screen: string;
  /** The steps that did not come to be. */
  readonly left: readonly Step[];
}

/** How somebody sits at a terminal. */
interface Sitting {
  /** Goes away after the last step. */
  readonly leaves?: boolean;
  /** What the terminal says of its size, if anything. */
  readonly size?: { readonly columns: number; readonly rows: number };
}

/**
 * Runs a command line at a terminal where somebody answers, step by step. When the test fails, prints the end of the
 * screen and the steps that are left: a run that waits for an answer shows for which one.
 */
export async function runAnswering(
  argv: readonly string[],
  cwd: string,
  steps: readonly Step[],
  { leaves = false, size }: Sitting = {},
): Promise<Answered> {
  const [input, output] = [new PassThrough(), Object.assign(new PassThrough(), size)];
  const left = [...steps];
  let screen = '';
  let seen = 0;
  output.on('data', (part: Buffer) => {
    screen += stripVTControlCharacters(part.toString('utf8'));
    const [shown, typed] = left[0] ?? [];
    if (shown === undefined || typed === undefined) return;
    const at = screen.indexOf(shown, seen);
    if (at < 0) return;
    seen = screen.length;
    left.shift();
    // The question listens once it is shown.
    setImmediate(() => {
      for (const key of keysOf(typed)) input.write(key);
      if (leaves && left.length === 0) input.end();
    });
  });
  let hasEnded = false;
  onTestFailed(() => {
    const state = hasEnded ? 'ended' : 'did not end';
    console.error(`leasehold ${argv.join(' ')} ${state}:\n${screen.slice(-800)}\nleft:`, left);
  });
  const finished = await runInProcess(argv, cwd, {}, { input, output });
  hasEnded = true;
  return { ...finished, screen, left };
}

/** The keys of a text: an arrow is three characters, which come at once. */
function keysOf(typed: string): readonly string[] {
  return typed
    .split(keys.down)
    .flatMap((part, index) => [...(index > 0 ? [keys.down] : []), ...part]);
}
