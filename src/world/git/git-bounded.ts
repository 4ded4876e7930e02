import { EnvironmentError } from '../../model/problem.ts';
import { firstLine, quietGit } from './git.ts';

/** What a command gets that reads what others pushed, beside its arguments. */
export interface BoundedInput {
  /** Lines of standard input. */
  readonly lines: readonly string[];
  /** Ends the command when the time is over. */
  readonly signal?: AbortSignal | undefined;
}

/** More is not read: a small tree that holds itself many times over prints without end. */
const mostBytes = 16 * 1024 * 1024;

/** What a command prints of some lines; nothing for none. An EnvironmentError when that is more than 16 MiB, does not come in time, or git fails. */
export async function readBounded(
  root: string,
  command: readonly string[],
  { lines, signal }: BoundedInput,
): Promise<string> {
  if (lines.length === 0) return '';
  const full = new AbortController();
  const signals = signal === undefined ? [full.signal] : [full.signal, signal];
  const input = lines.map((line) => `${line}\n`).join('');
  let size = 0;
  const git = quietGit(root, { input, signal: AbortSignal.any(signals) });
  git.outputHandler((_, stdout) => {
    stdout.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      if (size > mostBytes) full.abort();
    });
  });
  try {
    return await git.raw([...command]);
  } catch (error) {
    if (full.signal.aborted) throw new EnvironmentError('there is too much of it to be read');
    if (signal?.aborted) throw new EnvironmentError('the time was over before it was read');
    throw new EnvironmentError(`git cannot read it: ${firstLine(error)}`);
  }
}
