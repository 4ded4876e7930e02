import { objectName } from '../../model/live.ts';
import { isList, type Manifest, type Tree, type TreeMap } from '../manifest.ts';
import { checkSchema, type LeafCheck, leafChecks } from '../rules/object-schemas.ts';
import { shortText, yamlText } from '../yaml-text.ts';

/** The values by which files of one shape differ. A word has the same index in all of them. */
export type Words = readonly string[];

/** A file of a shape, rendered from its words. */
export interface Example {
  readonly words: Words;
  readonly manifests: readonly Manifest[];
}

/** A file that was filled in from a template. Its objects match their schemas. */
export interface FilledFile {
  readonly text: FilledText;
  /** The names of its objects: see `objectName`. */
  readonly names: readonly string[];
}

/**
 * The file of one shape, with blanks for its words. It is made from two examples, which were
 * rendered and which have no word in common: cut out the words, and both are the same.
 */
export class FileTemplate {
  readonly #blanks: readonly Filler[];
  readonly #text: Parts;
  readonly #names: readonly Parts[];

  private constructor(patterns: readonly Pattern[], blanks: readonly CheckedBlank[]) {
    const keys = blanks.map(({ key }) => key);
    const marked = patterns.map(
      (pattern) => filled(pattern, ({ key }) => markOf(keys.indexOf(key))) as Manifest,
    );
    this.#blanks = blanks.map((blank) => new Filler(blank));
    this.#text = partsOf(yamlText(marked));
    this.#names = marked.map(({ kind, metadata }) => partsOf(objectName(kind, metadata)));
  }

  /**
   * Returns undefined when the examples differ in more than their words or are empty, and when a
   * schema does not judge each blank by itself.
   */
  static of(first: Example, second: Example): FileTemplate | undefined {
    if (first.manifests.length === 0) return undefined;
    const [patterns, others] = [first, second].map(({ words, manifests }) =>
      manifests.map((manifest) => cut(manifest, cutterOf(words))),
    );
    const text = JSON.stringify(patterns);
    if (!patterns || text !== JSON.stringify(others) || anyMark.test(text)) return undefined;
    const blanks = new Map<string, CheckedBlank>();
    for (const [index, manifest] of first.manifests.entries()) {
      checkSchema(manifest);
      for (const { blank, path } of blanksIn(patterns[index] ?? null)) {
        const checks = leafChecks(manifest, path);
        if (!checks) return undefined;
        const { key, parts, isNumber } = blank;
        const all = new Set([...(blanks.get(key)?.checks ?? []), ...checks]);
        blanks.set(key, { key, parts, isNumber, checks: [...all] });
      }
    }
    return new FileTemplate(patterns, [...blanks.values()]);
  }

  /**
   * Fills in the words of another file of the shape. Undefined when the file must be rendered: a
   * value does not fit its schema, or its text depends on its place.
   */
  fill(words: Words): FilledFile | undefined {
    const texts: string[] = [];
    for (const blank of this.#blanks) {
      const text = blank.fill(words);
      if (text === undefined) return undefined;
      texts.push(text);
    }
    return {
      text: new FilledText(this.#text, texts),
      names: this.#names.map((parts) => joined(parts, texts)),
    };
  }
}

/** A text of ASCII characters whose parts are joined only when it is written. */
export class FilledText {
  readonly #parts: Parts;
  readonly #texts: readonly string[];

  constructor(parts: Parts, texts: readonly string[]) {
    this.#parts = parts;
    this.#texts = texts;
  }

  /** In characters, and in bytes. */
  get length(): number {
    let length = 0;
    for (const part of this.#parts) length += this.#textOf(part).length;
    return length;
  }

  isEqual(other: string): boolean {
    let start = 0;
    for (const part of this.#parts) {
      const text = this.#textOf(part);
      if (!other.startsWith(text, start)) return false;
      start += text.length;
    }
    return start === other.length;
  }

  toString(): string {
    return joined(this.#parts, this.#texts);
  }

  #textOf(part: Parts[number]): string {
    return typeof part === 'number' ? (this.#texts[part] ?? '') : part;
  }
}

/** A text with blanks: what is between them, and their indexes. */
type Parts = readonly (string | number)[];

function partsOf(marked: string): Parts {
  return marked.split(anyMark).map((part, index) => (index % 2 === 0 ? part : Number(part)));
}

function joined(parts: Parts, texts: readonly string[]): string {
  let text = '';
  for (const part of parts) text += typeof part === 'number' ? texts[part] : part;
  return text;
}

/** A scalar with words in it: texts, and the indexes of words. */
class Blank {
  readonly parts: readonly (string | number)[];
  readonly isNumber: boolean;

  constructor(parts: readonly (string | number)[], isNumber: boolean) {
    this.parts = parts;
    this.isNumber = isNumber;
  }

  get key(): string {
    return JSON.stringify(this);
  }
}

interface CheckedBlank extends Pick<Blank, 'key' | 'parts' | 'isNumber'> {
  readonly checks: readonly LeafCheck[];
}

/** Fills in one blank. Most values of a file are those of the file before, so the last is kept. */
class Filler {
  readonly #blank: CheckedBlank;
  #last = '';
  /** The printed text of the last value. Undefined when it does not fit. */
  #text: string | undefined;

  constructor(blank: CheckedBlank) {
    this.#blank = blank;
  }

  /** Undefined when the value does not fit its schema, or when its text depends on its place. */
  fill(words: Words): string | undefined {
    const { parts, isNumber, checks } = this.#blank;
    let value = '';
    for (const part of parts) value += typeof part === 'string' ? part : words[part];
    if (value === this.#last) return this.#text;
    this.#last = value;
    const written = isNumber ? Number(value) : value;
    const isValid = checks.every((check) => check(written));
    if (!isValid) this.#text = undefined;
    else this.#text = typeof written === 'string' ? shortText(written) : String(written);
    return this.#text;
  }
}

/** A tree with blanks. */
type Pattern = Exclude<Tree, readonly Tree[] | TreeMap> | Blank | readonly Pattern[] | PatternMap;

interface PatternMap {
  readonly [key: string]: Pattern;
}

/** A plain string that stands for a blank while a template is printed. */
function markOf(index: number): string {
  return `BLANK.${index}.BLANK`;
}

const anyMark = /BLANK\.([0-9]+)\.BLANK/;

/** Returns a function that cuts the words out of a scalar. */
function cutterOf(words: Words): (scalar: string | number) => string | number | Blank {
  // A longer word may contain a shorter one.
  const longest = [...words].sort((left, right) => right.length - left.length);
  const anyWord = new RegExp(`(${longest.map(literal).join('|')})`);
  return (scalar) => {
    const parts = String(scalar)
      .split(anyWord)
      .map((part, index) => (index % 2 === 0 ? part : words.indexOf(part)))
      .filter((part) => part !== '');
    const hasWord = parts.some((part) => typeof part === 'number');
    return hasWord ? new Blank(parts, typeof scalar === 'number') : scalar;
  };
}

function literal(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function cut(tree: Tree, cutScalar: ReturnType<typeof cutterOf>): Pattern {
  if (typeof tree === 'string' || typeof tree === 'number') return cutScalar(tree);
  if (typeof tree === 'boolean' || typeof tree === 'bigint' || tree === null) return tree;
  if (isList(tree)) return tree.map((item) => cut(item, cutScalar));
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, cut(value, cutScalar)]],
    ),
  );
}

interface PlacedBlank {
  readonly blank: Blank;
  readonly path: readonly (string | number)[];
}

function blanksIn(pattern: Pattern, path: readonly (string | number)[] = []): PlacedBlank[] {
  if (pattern instanceof Blank) return [{ blank: pattern, path }];
  if (typeof pattern !== 'object' || pattern === null) return [];
  if (isList(pattern)) return pattern.flatMap((item, index) => blanksIn(item, [...path, index]));
  return Object.entries(pattern).flatMap(([key, value]) => blanksIn(value, [...path, key]));
}

/** The tree of a pattern, with a text for each blank. */
function filled(pattern: Pattern, textOf: (blank: Blank) => string): Tree {
  if (pattern instanceof Blank) return textOf(pattern);
  if (typeof pattern !== 'object' || pattern === null) return pattern;
  if (isList(pattern)) return pattern.map((item) => filled(item, textOf));
  return Object.fromEntries(
    Object.entries(pattern).map(([key, value]) => [key, filled(value, textOf)]),
  );
}
