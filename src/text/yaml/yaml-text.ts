import { LineCounter } from 'yaml';
import {
  fail,
  type Outcome,
  okUnless,
  type Position,
  type Problem,
  startOf,
} from '../../model/problem.ts';

/** The largest file that is read, in bytes: 256 KiB. */
const largestFile = 256 * 1024;

/** More problems than this of one file say nothing new: one slip makes many of them. */
export const mostProblems = 20;

const plainText = /^[\n -~]*$/;
/** Git's are longer than seven characters where it merged what it took for a renamed file. */
const conflictMarker = /^(?:<{7,}(?: .*)?|\|{7,}(?: .*)?|={7}|>{7,}(?: .*)?)\r?$/gm;

/**
 * Characters that a declaration may not hold: controls other than tab and line ends, a carriage
 * return that ends no line, lone surrogates, noncharacters, a byte order mark within the text, and
 * what makes a text look other than it reads: line separators and bidirectional overrides.
 */
const forbidden =
  /(?![\t\n])(?!\r\n)\p{Cc}|\p{Cs}|\p{Noncharacter_Code_Point}|[\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** How a text is read. */
export interface TextRules {
  /** The largest file. */
  readonly mostBytes?: number;
  /** Whether forbidden characters pass: for a file of which only parts are taken, each looked at by itself. */
  readonly anyCharacter?: boolean;
}

/**
 * The text of a file that people write, without the byte order mark that some editors put before it. Problems:
 * FILE_TOO_LARGE, FILE_ENCODING (each forbidden character once, at its first place) and YAML_CONFLICT.
 */
export function readText(
  file: string,
  bytes: Uint8Array,
  { mostBytes = largestFile, anyCharacter = false }: TextRules = {},
): Outcome<string> {
  const large = tooLarge(file, bytes.length, mostBytes);
  if (large) return fail([large]);
  const unmarked = withoutMark(bytes);
  const text = decode(unmarked);
  if (text === undefined) return fail([notUtf8(file, unmarked)]);
  const found = anyCharacter ? [] : forbiddenCharacters(file, text);
  const problems = [...found, ...conflicts(file, text)];
  return okUnless(problems, text);
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasMark ? bytes.subarray(3) : bytes;
}

/** FILE_TOO_LARGE for a file of more bytes than are read. */
export function tooLarge(
  file: string,
  size: number,
  mostBytes: number = largestFile,
): Problem | undefined {
  if (size <= mostBytes) return undefined;
  const message = `the file has ${size} bytes, expected at most ${mostBytes}`;
  return { code: 'FILE_TOO_LARGE', message, at: startOf(file) };
}

/**
 * The first character of a text that a declaration may not hold, as `U+202E`; undefined when there
 * is none. For values too: an escape in a quoted string can make one that the file does not show.
 */
export function forbiddenCharacter(text: string): string | undefined {
  if (plainText.test(text)) return undefined;
  const [found] = text.match(forbidden) ?? [];
  return found === undefined ? undefined : codePoint(found);
}

/** The first forbidden character of the texts and keys of a value, as {@link forbiddenCharacter} names it. */
export function forbiddenWithin(value: unknown): string | undefined {
  if (typeof value === 'string') return forbiddenCharacter(value);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, part] of Object.entries(value)) {
    const found = forbiddenCharacter(key) ?? forbiddenWithin(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function notUtf8(file: string, bytes: Uint8Array): Problem {
  let line = 1;
  let start = 0;
  for (;;) {
    const newline = bytes.indexOf(10, start);
    const end = newline < 0 ? bytes.length : newline;
    if (newline < 0 || decode(bytes.subarray(start, end)) === undefined) {
      const lossy = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
        bytes.subarray(start, end),
      );
      const at = { file, line, column: lossy.indexOf('\ufffd') + 1 };
      return { code: 'FILE_ENCODING', message: 'the file has bytes that are not UTF-8', at };
    }
    start = end + 1;
    line += 1;
  }
}

function forbiddenCharacters(file: string, text: string): Problem[] {
  if (plainText.test(text)) return [];
  const placeOf = placesIn(file, text);
  const problems = new Map<string, Problem>();
  for (const match of text.matchAll(forbidden)) {
    if (problems.size === mostProblems) break;
    const name = codePoint(match[0]);
    if (problems.has(name)) continue;
    const message = `the file has the character ${name}, which is not allowed`;
    problems.set(name, { code: 'FILE_ENCODING', message, at: placeOf(match.index) });
  }
  return [...problems.values()];
}

function conflicts(file: string, text: string): Problem[] {
  const markers = [...text.matchAll(conflictMarker)].slice(0, mostProblems);
  const placeOf = placesIn(file, text);
  const [at, ...also] = markers.map(({ index }) => placeOf(index));
  if (at === undefined) return [];
  const message = 'the file has merge conflict markers, expected a resolved file';
  return [{ code: 'YAML_CONFLICT', message, at, also }];
}

/** Where the offsets of a text stand. Its lines are counted once, when the first place is asked for. */
export function placesIn(file: string, text: string): (offset: number) => Position {
  let lines: LineCounter | undefined;
  return (offset) => {
    lines ??= linesOf(text);
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
}

function linesOf(text: string): LineCounter {
  const lines = new LineCounter();
  for (let start = 0; ; ) {
    lines.addNewLine(start);
    const end = text.indexOf('\n', start);
    if (end < 0) return lines;
    start = end + 1;
  }
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
