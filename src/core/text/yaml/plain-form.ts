import type { Position } from '../../model/problem.ts';
import { type PlainScalar, phrase, plainPlaces, plainScalar, readPlainYaml } from './plain-yaml.ts';

/**
 * The form of a plain text is everything but its scalars. Most files of a repository have one of a
 * few forms, so the structure is read from the first text of a form, and from every other one only
 * the scalars. test/property/plain-form.test.ts compares it with the plain reader.
 */
export interface PlainForm {
  /** The mapping of the text. */
  readonly root: FormMap;
  /** How many scalars were cut out. Those in comments have no part. */
  readonly words: number;
}

/** A part of a form: a scalar, by its index, or a mapping or a list of parts. */
export type FormPart = number | FormMap | FormList;

interface FormMap {
  readonly kind: 'map';
  /** Undefined when it depends on the length of a scalar before it on its line. */
  readonly at: Omit<Position, 'file'> | undefined;
  readonly entries: ReadonlyMap<string, FormPart>;
}

interface FormList {
  readonly kind: 'list';
  readonly items: readonly FormPart[];
}

/** A text of a known form, with its scalars by index. A scalar in a comment is undefined. */
export interface FormedText {
  readonly form: PlainForm;
  readonly scalars: readonly (PlainScalar | undefined)[];
}

/**
 * A scalar between a separator and another one, or the end of the line. No separator is within a
 * phrase, so a text is read once.
 */
const scalar = new RegExp(
  `(?<=^ *- |[:,] |[[{] ?)('[^'\\n]*'|"[^"\\\\\\n]*"|${phrase})(?=[\\n,}\\]]| [}\\]]| +#)`,
  'm',
);

/** Stands for each scalar. Plain text does not have it. */
const blank = '\0';

/** A repository of many forms gains nothing from them. */
const mostForms = 500;

/** The forms of the texts that were read so far. */
export class PlainForms {
  /** By the text between the scalars. Undefined for a text that is not plain. */
  readonly #readers = new Map<string, FormReader | undefined>();
  readonly #most: number;

  constructor(most = mostForms) {
    this.#most = most;
  }

  /** Reads a text by its form; undefined when it is not plain, or when its form is not kept. */
  read(text: string): FormedText | undefined {
    // Scalars have odd indexes.
    const pieces = text.split(scalar);
    const words: string[] = [];
    for (let index = 1; index < pieces.length; index += 2) {
      words.push(pieces[index] ?? '');
      pieces[index] = blank;
    }
    const key = pieces.join('');
    let reader = this.#readers.get(key);
    if (!reader) {
      if (this.#readers.has(key) || this.#readers.size >= this.#most) return undefined;
      reader = FormReader.of(text, words, key);
      this.#readers.set(key, reader);
    }
    return reader?.read(words);
  }
}

/** Reads the scalars of texts of one form. */
class FormReader {
  readonly #form: PlainForm;
  /** True for the scalars that are a part. */
  readonly #isPart: readonly boolean[];
  /** The words of the last text, and their values: most are those of the next text. */
  readonly #words: string[] = [];
  readonly #values: (PlainScalar | undefined)[] = [];

  private constructor(form: PlainForm, parts: ReadonlySet<number>) {
    this.#form = form;
    this.#isPart = Array.from({ length: form.words }, (_, index) => parts.has(index));
  }

  /** Undefined when the text is not plain, or has a scalar that was not cut out. */
  static of(text: string, words: readonly string[], key: string): FormReader | undefined {
    const read = readPlainYaml(text);
    const places = plainPlaces(text);
    if (!read || !places) return undefined;
    const starts = startsOf(words, key);
    const parts = new Set<number>();
    const partOf = (value: unknown, path: readonly PropertyKey[]): FormPart | undefined => {
      if (typeof value !== 'object' || value === null) {
        const index = starts.indexOf(places.at(path));
        parts.add(index);
        return index < 0 ? undefined : index;
      }
      const inner = Object.entries(value).map(([step, one]) => {
        return [step, partOf(one, [...path, Array.isArray(value) ? Number(step) : step])] as const;
      });
      if (inner.some(([, part]) => part === undefined)) return undefined;
      const known = inner as (readonly [string, FormPart])[];
      if (Array.isArray(value)) return { kind: 'list', items: known.map(([, part]) => part) };
      const at = fixedPlace(text, read.starts.get(value) ?? 0, starts);
      return { kind: 'map', at, entries: new Map(known) };
    };
    const root = partOf(read.value, []);
    if (typeof root !== 'object' || root.kind !== 'map') return undefined;
    return new FormReader({ root, words: words.length }, parts);
  }

  /** Undefined when a scalar is not plain. */
  read(words: readonly string[]): FormedText | undefined {
    const scalars: (PlainScalar | undefined)[] = [];
    for (let index = 0; index < words.length; index += 1) {
      const text = words[index] ?? '';
      if (text !== this.#words[index]) {
        const value = this.#isPart[index] ? plainScalar(text) : undefined;
        if (this.#isPart[index] && value === undefined) return undefined;
        this.#words[index] = text;
        this.#values[index] = value;
      }
      scalars.push(this.#values[index]);
    }
    return { form: this.#form, scalars };
  }
}

/** The offset of each word in the text from which it was cut. */
function startsOf(words: readonly string[], key: string): readonly number[] {
  let offset = 0;
  return key.split(blank).flatMap((piece, index) => {
    const start = offset + piece.length;
    const text = words[index];
    offset = start + (text?.length ?? 0);
    return text === undefined ? [] : [start];
  });
}

/** The place of an offset, if no scalar is before it on its line. */
function fixedPlace(text: string, offset: number, starts: readonly number[]): FormMap['at'] {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  if (starts.some((start) => start >= lineStart && start < offset)) return undefined;
  return { line: text.slice(0, offset).split('\n').length, column: offset - lineStart + 1 };
}

/** The part of a form at a path; undefined if there is none. */
export function formPartAt(form: PlainForm, path: readonly PropertyKey[]): FormPart | undefined {
  let part: FormPart | undefined = form.root;
  for (const step of path) {
    if (typeof part !== 'object') return undefined;
    part = part.kind === 'map' ? part.entries.get(String(step)) : part.items[Number(step)];
  }
  return part;
}
