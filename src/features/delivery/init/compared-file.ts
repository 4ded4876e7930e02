import { type Outcome, type Problem, startOf } from '../../../model/problem.ts';
import type { SourceTree } from '../../../ports/tree.ts';

/** The text that a file is to have; undefined to leave what is there, or what is wrong with that. */
type WantedText = string | undefined | readonly Problem[];

/** A file that a set-up wants. `textOf` is given what is there. */
export interface WantedFile {
  readonly path: string;
  readonly textOf: (existing: string | undefined) => WantedText;
}

/** What is there, and what is wanted. */
export interface ComparedFile {
  readonly path: string;
  /** Undefined where nothing is. */
  readonly before: string | undefined;
  /** Undefined to leave what is there. */
  readonly after: string | undefined;
}

/**
 * A wanted file beside what is there. Problems: FILE_NOT_REGULAR when a folder, a link or the like stands in its way,
 * FILE_ENCODING, and those of the wanted text.
 */
export function comparedFile(
  tree: SourceTree,
  { path, textOf }: WantedFile,
): Outcome<ComparedFile> {
  // A file is listed under its own name, and what is in the way of one as the file or link that it is.
  const entries = tree.list(path);
  const other = entries.find((entry) => entry.path !== path || entry.kind !== 'file');
  if (other) return { ok: false, problems: [inTheWay(path, other.path)] };
  const before = entries.length > 0 ? decoded(tree.read(path)) : undefined;
  if (entries.length > 0 && before === undefined) {
    return { ok: false, problems: [undecodable(path)] };
  }
  const after = textOf(before);
  return typeof after === 'object'
    ? { ok: false, problems: after }
    : { ok: true, value: { path, before, after } };
}

function inTheWay(path: string, other: string): Problem {
  const obstacle = other.startsWith(`${path}/`) ? path : other;
  return {
    code: 'FILE_NOT_REGULAR',
    message: other.startsWith(`${path}/`)
      ? 'there is a folder where a file is to be'
      : 'not a regular file, and links are not followed',
    at: startOf(obstacle),
    hint: 'move it elsewhere, and run leasehold init again',
  };
}

function undecodable(path: string): Problem {
  return {
    code: 'FILE_ENCODING',
    message: 'not UTF-8 text, so it cannot be compared',
    at: startOf(path),
    hint: 'save it as UTF-8, and run leasehold init again',
  };
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
