import { firstLine } from '../system-error.ts';

/** The longest silence of a command that reaches a remote, in milliseconds. */
export const longestSilence = 120_000;

/** The first line of git's error message. Paths in git's folder begin there, as `.git/index.lock`. */
export function firstLineOf(error: unknown): string {
  const line = firstLine(error instanceof Error ? error.message : String(error));
  return line.replace(/'[^']*\/(\.git\/[^']+)'/g, "'$1'");
}

/**
 * The reason of git's failure in one line: the first line that is not a warning, a hint or the
 * remote's name, without the credentials of a URL.
 */
export function reasonOfGit(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (message === 'block timeout reached') return `no answer for ${longestSilence / 1000} s`;
  if (/^Abort (?:already|signal)/.test(message)) return 'timed out';
  const lines = message.split('\n').filter((line) => line.trim() !== '');
  const [first = lines[0] ?? ''] = lines.filter((line) => !/^(?:warning:|hint:|From )/i.test(line));
  return first
    .trim()
    .replace(/^(?:fatal|error): /, '')
    .replace(/:\/\/[^/@\s]*@/g, '://')
    .replace(/\.$/, '');
}

/** A pathspec without wildcards. */
export function literal(path: string): string {
  return `:(literal)${path}`;
}

/** The lines of an output, without empty ones. */
export function linesIn(output: string): string[] {
  return output.split('\n').filter((line) => line !== '');
}

/** The texts of an output that end with NUL, without empty ones. */
export function partsIn(output: string): string[] {
  return output.split('\0').filter((part) => part !== '');
}

/** Lines of standard input. */
export function linesOf(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
