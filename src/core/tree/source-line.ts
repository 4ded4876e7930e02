import type { SourceTree } from '../interfaces/tree.ts';
import type { Position } from '../model/problem.ts';
import { distFolder, keysFolder, leasesFolder } from '../model/repository-paths.ts';

/** Bytes. No line of a larger file is shown. */
const largestShown = 256 * 1024;

/** Characters. A longer line is not shown: the patterns below would take long for it. */
const longestShown = 2000;

/** A name that says that a value is secret, or a value of an environment variable. */
const secretName =
  /pass(?:word|wd|phrase)|secret|token|credential|(?:api|private)[ _-]?key|-----BEGIN|\b[A-Z_][A-Z\d_]*=/i;

/** A long value that looks random. Names of Kubernetes and accounts of Akash have no upper case. */
const secretValue = /\b[\da-f]{32,}\b|(?=[\w+/-]*[A-Z])(?=[\w+/-]*\d)[\w+/-]{32,}/;

/**
 * A function that returns the line of a place as a tree has it, to be shown in a message. Undefined
 * for the place of a whole file, for a file that is not a regular one of `leases/` or `dist/` or has
 * a key, and for a line that may hold a secret.
 */
export function sourceLines(tree: SourceTree): (at: Position) => string | undefined {
  const known = new Map<string, readonly string[]>();
  return ({ file, line, column }) => {
    if (line === 1 && column === 1) return undefined;
    const lines = known.get(file) ?? linesIn(tree, file);
    known.set(file, lines);
    const text = lines[line - 1];
    if (text === undefined || text.length > longestShown || text.trim() === '') return undefined;
    if (column > text.length + 1) return undefined;
    return secretName.test(text) || secretValue.test(text) ? undefined : text;
  };
}

/** The lines as the reader of YAML counts them: without a byte order mark. */
function linesIn(tree: SourceTree, file: string): readonly string[] {
  const isOurs = [leasesFolder, distFolder].some((folder) => file.startsWith(`${folder}/`));
  if (!isOurs || file.startsWith(`${keysFolder}/`) || file.split('/').includes('..')) return [];
  try {
    const text = new TextDecoder().decode(tree.readUpTo?.(file, largestShown));
    return text.split(/\r?\n/);
  } catch {
    // A link, or a file that is gone: the problem has its place.
    return [];
  }
}
