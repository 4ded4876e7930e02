import type { SourceTree } from '../interfaces/tree.ts';
import type { Position } from '../model/problem.ts';
import { distFolder, keysFolder, leasesFolder } from '../model/repository-paths.ts';
import type { InputFile } from '../text/yaml/template-hints.ts';

/** Bytes. No line of a larger file is shown. */
const largestShown = 256 * 1024;

/** Characters. A longer line is not shown: the patterns below would take long for it. */
const longestShown = 2000;

/** A name that says that a value is secret. */
const secretName =
  /pass(?:word|wd|phrase)|secret|token|credential|(?:api|private)[ _-]?key|-----BEGIN/i;

/** The value of an environment variable: an entry of a list, or a name in capitals. */
const environment = /^\s*-\s*["']?\w+=|\b[A-Z_][A-Z\d_]*=/;

/** A long value that looks random. Names of Kubernetes and accounts of Akash have no upper case. */
const secretValue = /\b[\da-f]{32,}\b|(?=[\w+/-]*[A-Z])(?=[\w+/-]*\d)[\w+/-]{32,}/;

/** Returns the line of a place, to be shown in a message; undefined where none is shown. */
export type LineAt = (at: Position) => string | undefined;

/**
 * The lines of the places in a tree. Undefined for the place of a whole file, for a file that is not
 * a regular one of `leases/` or `dist/` or has a key, and for a line that may hold a secret.
 */
export function sourceLines(tree: SourceTree): LineAt {
  return shownLines((file) => linesIn(tree, file));
}

/** The same of files that a person named on the command line. */
export function inputLines(files: readonly InputFile[]): LineAt {
  return shownLines((file) => {
    const bytes = files.find(({ name }) => name === file)?.bytes;
    return bytes && bytes.length <= largestShown ? linesOf(bytes) : [];
  });
}

function shownLines(read: (file: string) => readonly string[]): LineAt {
  const known = new Map<string, readonly string[]>();
  return ({ file, line, column }) => {
    if (line === 1 && column === 1) return undefined;
    const lines = known.get(file) ?? read(file);
    known.set(file, lines);
    const text = lines[line - 1];
    if (text === undefined || text.length > longestShown || text.trim() === '') return undefined;
    if (column > text.length + 1) return undefined;
    return [secretName, environment, secretValue].some((one) => one.test(text)) ? undefined : text;
  };
}

function linesIn(tree: SourceTree, file: string): readonly string[] {
  const isOurs = [leasesFolder, distFolder].some((folder) => file.startsWith(`${folder}/`));
  if (!isOurs || file.startsWith(`${keysFolder}/`) || file.split('/').includes('..')) return [];
  try {
    const bytes = tree.readUpTo ? tree.readUpTo(file, largestShown) : tree.read(file);
    return bytes && bytes.length <= largestShown ? linesOf(bytes) : [];
  } catch {
    // A link, or a file that is gone: the problem has its place.
    return [];
  }
}

/** The lines as the reader of YAML counts them: without a byte order mark. */
function linesOf(bytes: Uint8Array): readonly string[] {
  return new TextDecoder().decode(bytes).split(/\r?\n/);
}
