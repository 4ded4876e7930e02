import { isList, type Manifest, type Tree, type TreeMap } from './manifest.ts';
import { checkSchema, type LeafCheck, leafChecks } from './rules/object-schemas.ts';
import { shortText, yamlText } from './yaml-text.ts';

/** The values by which files of one shape differ. A word has the same index in all of them. */
export type Words = readonly string[];

/** A file of a shape, rendered from its words. */
export interface Example {
  readonly words: Words;
  readonly manifests: readonly Manifest[];
}

/** A file that was filled in from a template. Its objects match their schemas. */
export interface FilledFile {
  readonly manifests: readonly Manifest[];
  readonly text: string;
}

/**
 * The file of one shape, with blanks for its words. It is made from two examples, which were
 * rendered and which have no word in common: cut out the words, and both are the same.
 */
export class FileTemplate {
  readonly #blanks: readonly CheckedBlank[];
  readonly #objects: readonly Filler[];
  /** The text: what is between the blanks, and the indexes of blanks. */
  readonly #parts: readonly (string | number)[];

  private constructor(patterns: readonly Pattern[], blanks: readonly CheckedBlank[]) {
    const keys = blanks.map(({ key }) => key);
    const indexOf = ({ key }: Blank): number => keys.indexOf(key);
    const marked = patterns.map((pattern) => fillerOf(pattern, indexOf)(keys.map(markOf)));
    const parts = yamlText(marked as readonly TreeMap[]).split(anyMark);
    this.#blanks = blanks;
    this.#objects = patterns.map((pattern) => fillerOf(pattern, indexOf));
    this.#parts = parts.map((part, index) => (index % 2 === 0 ? part : Number(part)));
  }

  /**
   * Returns undefined when the examples differ in more than their words, and when a schema does not
   * judge each blank by itself.
   */
  static of(first: Example, second: Example): FileTemplate | undefined {
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
    const values: (string | number)[] = [];
    const texts: string[] = [];
    for (const blank of this.#blanks) {
      const value = valueIn(blank, words);
      const text = typeof value === 'string' ? shortText(value) : value?.toString();
      if (value === undefined || text === undefined) return undefined;
      values.push(value);
      texts.push(text);
    }
    return {
      manifests: this.#objects.map((fill) => fill(values) as Manifest),
      text: this.#parts.map((part) => (typeof part === 'number' ? texts[part] : part)).join(''),
    };
  }
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

/** Returns undefined when the value does not fit its schema. */
function valueIn(
  { parts, isNumber, checks }: CheckedBlank,
  words: Words,
): string | number | undefined {
  let text = '';
  for (const part of parts) text += typeof part === 'string' ? part : words[part];
  const value = isNumber ? Number(text) : text;
  return checks.every((check) => check(value)) ? value : undefined;
}

/** A tree with blanks. */
type Pattern = Exclude<Tree, readonly Tree[] | TreeMap> | Blank | readonly Pattern[] | PatternMap;

interface PatternMap {
  readonly [key: string]: Pattern;
}

/** A plain string that stands for a blank while a template is printed. */
function markOf(_: string, index: number): string {
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

/** Makes a tree from the values of all blanks. */
type Filler = (values: readonly (string | number)[]) => Tree;

/** Parts without blanks are the same objects in all filled trees. */
function fillerOf(pattern: Pattern, indexOf: (blank: Blank) => number): Filler {
  if (pattern instanceof Blank) {
    const index = indexOf(pattern);
    return (values) => values[index] ?? null;
  }
  const constant = pattern as Tree;
  if (typeof pattern !== 'object' || pattern === null) return () => constant;
  if (blanksIn(pattern).length === 0) return () => constant;
  if (isList(pattern)) {
    const items = pattern.map((item) => fillerOf(item, indexOf));
    return (values) => items.map((fill) => fill(values));
  }
  const filled = Object.entries(pattern).flatMap(([key, value]) =>
    blanksIn(value).length === 0 ? [] : [[key, fillerOf(value, indexOf)] as const],
  );
  return (values) => {
    const map: { [key: string]: Tree | undefined } = { ...(constant as TreeMap) };
    for (const [key, fill] of filled) map[key] = fill(values);
    return map;
  };
}
