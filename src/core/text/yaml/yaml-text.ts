import { LineCounter } from 'yaml';
import {
  fail,
  type Outcome,
  ok,
  okUnless,
  type Position,
  type Problem,
  startOf,
} from '../../model/problem.ts';

/** The largest file that is read, in bytes: 256 KiB. */
const largestFile = 256 * 1024;

/** The most problems that are reported for a file: one mistake can cause many. */
export const mostProblems = 20;

const plainText = /^[\n -~]*$/;

/** True for a text of printable ASCII characters and line breaks. */
export function isPlainText(text: string): boolean {
  return plainText.test(text);
}

/**
 * A copy of a word that was cut out of a plain text. V8 keeps the whole text for a cut of it that is
 * longer than twelve characters: a run would keep the text of each file for one name.
 */
export function copyOf(word: string): string {
  return word.length > longestCopied ? Buffer.from(word, 'latin1').toString('latin1') : word;
}

/** V8 copies cuts of up to so many characters itself. */
const longestCopied = 12;

/** A line of seven such characters is in each text with a marker. */
const perhapsConflict = /[<|=>]{7}/;
/** Git's markers are longer than seven characters in a file that it detected as renamed. */
const conflictMarker = /^(?:<{7,}(?: .*)?|\|{7,}(?: .*)?|={7}|>{7,}(?: .*)?)\r?$/gm;

/**
 * Characters that are forbidden in a declaration: controls other than tab and line ends, a carriage
 * return within a line, lone surrogates, noncharacters, a byte order mark within the text, and
 * characters that make a text look different: line separators and bidirectional overrides.
 */
const forbidden =
  /(?![\t\n])(?!\r\n)\p{Cc}|\p{Cs}|\p{Noncharacter_Code_Point}|[\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** Options of {@link readText}. */
export interface TextRules {
  /** The largest file, in bytes. */
  readonly mostBytes?: number;
  /**
   * True to allow forbidden characters, for a file whose parts are imported and checked one by
   * one.
   */
  readonly anyCharacter?: boolean;
}

/**
 * Reads the text of a file without a byte order mark at its start. Problems: FILE_TOO_LARGE,
 * FILE_ENCODING (each forbidden character once, at its first place) and YAML_CONFLICT.
 */
export function readText(
  file: string,
  bytes: Uint8Array,
  { mostBytes = largestFile, anyCharacter = false }: TextRules = {},
): Outcome<string> {
  const large = tooLarge(file, bytes.length, mostBytes);
  if (large) return fail([large]);
  // Each byte as a character: the text, if all of them are plain.
  const plain = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  if (isPlainText(plain) && !perhapsConflict.test(plain)) return ok(plain);
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

/** FILE_TOO_LARGE for a file with too many bytes. */
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
 * The first forbidden character of a text, as `U+202E`; undefined if there is none. Also for
 * values: an escape in a quoted string can produce one.
 */
export function forbiddenCharacter(text: string): string | undefined {
  if (plainText.test(text)) return undefined;
  const [found] = text.match(forbidden) ?? [];
  return found === undefined ? undefined : codePoint(found);
}

/**
 * The first forbidden character in the strings and keys of a value, as {@link forbiddenCharacter}.
 */
export function forbiddenWithin(value: unknown): string | undefined {
  if (typeof value === 'string') return forbiddenCharacter(value);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, part] of Object.entries(value)) {
    const found = forbiddenCharacter(key) ?? forbiddenWithin(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function notUtf8(file: string, bytes: Uint8Array): Problem {
  if (/^(?:\xff\xfe|\xfe\xff)/.test(String.fromCharCode(...bytes.subarray(0, 2)))) {
    const message = 'the file is UTF-16 text, expected UTF-8';
    return { code: 'FILE_ENCODING', message, at: startOf(file) };
  }
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

/** Maps offsets of a text to places. Lines are counted once, for the first place. */
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
