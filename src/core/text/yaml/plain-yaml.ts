/**
 * Reads a simple subset of YAML: block mappings and lists with a key or an item per line, mappings
 * and lists in braces and brackets within a line, words, decimal numbers, quoted strings without
 * escapes, and comments. Any other file is read by the `yaml` package. It is twenty times faster,
 * and a repository has a file for each lease. test/property/plain-yaml.test.ts compares it with
 * `yaml`.
 */

import { copyOf } from './yaml-text.ts';

/** The data of a text, and the offset at which each mapping starts. */
export interface PlainYaml {
  /** Plain data. Mappings have no prototype. */
  readonly value: object;
  readonly starts: ReadonlyMap<object, number>;
}

/** The offsets of all parts of a text. */
export interface PlainPlaces {
  /** Of the value at a path; without one, of the nearest value above. */
  at(path: readonly PropertyKey[]): number;
  /** Of the last key of a path; for an item of a list, of the item. */
  keyAt(path: readonly PropertyKey[]): number;
}

/** A value of a mapping or an item of a list, with its offset and the one of its key. */
interface Part {
  readonly key: number | undefined;
  readonly start: number;
  readonly value: unknown;
}

/** The parts of each mapping by key, and of each list by index. */
type Parts = Map<object, Map<PropertyKey, Part>>;

interface Line {
  readonly offset: number;
  readonly indent: number;
  readonly text: string;
}

type PlainMap = Record<string, unknown>;

/** The grammar of keys and scalars. */
export interface PlainGrammar {
  /** A key, and the text beside it. */
  readonly entry: RegExp;
  /** The value of a scalar; undefined if `yaml` must read it. */
  readonly scalar: (text: string) => PlainScalar | undefined;
}

/** The value of a plain scalar. */
type PlainScalar = string | number | boolean;

const plainText = /^[\n -~]*$/;
const deepest = 8;

/** Reads a text in the subset; undefined if `yaml` must read it. */
export function readPlainYaml(
  text: string,
  grammar: PlainGrammar = declarations,
): PlainYaml | undefined {
  return readParts(text, grammar, undefined);
}

/** The places in a text of declarations that {@link readPlainYaml} reads; undefined for others. */
export function plainPlaces(text: string): PlainPlaces | undefined {
  const parts: Parts = new Map();
  const read = readParts(text, declarations, parts);
  if (!read) return undefined;
  const { value, starts } = read;
  const root: Part = { key: undefined, start: starts.get(value) ?? 0, value };
  const partOf = (whole: Part, step: PropertyKey | undefined): Part | undefined => {
    const own = parts.get(Object(whole.value));
    return own?.get(Array.isArray(whole.value) ? Number(step) : (step ?? ''));
  };
  const partAt = (path: readonly PropertyKey[]): Part => {
    let part = root;
    for (const step of path) {
      const next = partOf(part, step);
      if (!next) return part;
      part = next;
    }
    return part;
  };
  return {
    at: (path) => partAt(path).start,
    keyAt: (path) => partOf(partAt(path.slice(0, -1)), path.at(-1))?.key ?? partAt(path).start,
  };
}

function readParts(
  text: string,
  grammar: PlainGrammar,
  parts: Parts | undefined,
): PlainYaml | undefined {
  if (!plainText.test(text)) return undefined;
  const reader = new PlainReader(linesOf(text), grammar, parts);
  const value = reader.readMap(0, 0);
  return value && reader.isAtEnd ? { value, starts: reader.starts } : undefined;
}

/** The lines that are not empty and not comments, without a first line `---`. */
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let offset = 0;
  let hasStart = false;
  for (const line of text.split('\n')) {
    const content = line.trimStart();
    const indent = line.length - content.length;
    const isIgnored = content === '' || content.startsWith('#');
    if (line === '---' && lines.length === 0 && !hasStart) hasStart = true;
    else if (!isIgnored) {
      lines.push({ offset: offset + indent, indent, text: withoutComment(content) });
    }
    offset += line.length + 1;
  }
  return lines;
}

/** The text before spaces and a `#`, or before a quote that is not closed. It reads a line once. */
const beforeComment = /^(?:[^'" ]+| +(?![ #])|'[^']*'|"[^"\\]*")*/;

/** Removes a comment at the end of a line. A `#` in quotes does not start one. */
function withoutComment(line: string): string {
  if (!line.includes(' #')) return line;
  const [content = ''] = beforeComment.exec(line) ?? [];
  return line.startsWith(' ', content.length) ? content : line;
}

class PlainReader {
  readonly starts = new Map<object, number>();
  readonly #lines: Line[];
  readonly #grammar: PlainGrammar;
  readonly #parts: Parts | undefined;
  #next = 0;

  constructor(lines: Line[], grammar: PlainGrammar, parts: Parts | undefined) {
    this.#lines = lines;
    this.#grammar = grammar;
    this.#parts = parts;
  }

  get isAtEnd(): boolean {
    return this.#next === this.#lines.length;
  }

  /** Reads the mapping at an indent, from the next line on. */
  readMap(indent: number, depth: number): PlainMap | undefined {
    const first = this.#lines[this.#next];
    if (first?.indent !== indent || depth > deepest) return undefined;
    const map: PlainMap = Object.create(null);
    this.starts.set(map, first.offset);
    for (;;) {
      const line = this.#lines[this.#next];
      if (!line || line.indent < indent) return map;
      const [, key, written] = this.#grammar.entry.exec(line.text) ?? [];
      if (line.indent > indent || key === undefined || key in map) return undefined;
      this.#next += 1;
      const { start, value } = this.#readValue(line, written, depth);
      if (value === undefined) return undefined;
      map[key] = value;
      this.#note(map, key, { key: line.offset, start, value });
    }
  }

  /** Reads the value of a key: what is written beside it, or the lines below it. */
  #readValue({ offset, indent, text }: Line, written: string | undefined, depth: number) {
    if (written === undefined) {
      const start = this.#lines[this.#next]?.offset ?? 0;
      return { start, value: this.#readNested(indent, depth) };
    }
    const start = offset + text.length - written.length;
    return { start, value: this.#readWritten(written, start, depth) };
  }

  /** Reads the mapping or list below a key. */
  #readNested(indent: number, depth: number): unknown {
    const line = this.#lines[this.#next];
    if (!line || line.indent < indent) return undefined;
    const isBeside = line.indent === indent;
    if (line.text.startsWith('- ')) return this.#readList(line.indent, depth + 1, isBeside);
    return isBeside ? undefined : this.readMap(line.indent, depth + 1);
  }

  /** Reads the list at an indent. `isBeside` when its key has the same indent. */
  #readList(indent: number, depth: number, isBeside: boolean): unknown[] | undefined {
    const list: unknown[] = [];
    for (;;) {
      const line = this.#lines[this.#next];
      if (!line || line.indent < indent) return list;
      const isItem = line.text.startsWith('- ');
      if (line.indent === indent && !isItem && isBeside) return list;
      if (line.indent > indent || !isItem) return undefined;
      const item = this.#readItem(line, depth);
      if (item === undefined) return undefined;
      this.#note(list, list.length, { key: undefined, start: line.offset + 2, value: item });
      list.push(item);
    }
  }

  #readItem(line: Line, depth: number): unknown {
    const text = line.text.slice(2);
    if (!this.#grammar.entry.test(text)) {
      this.#next += 1;
      return this.#readWritten(text, line.offset + 2, depth);
    }
    const indent = line.indent + 2;
    this.#lines[this.#next] = { offset: line.offset + 2, indent, text };
    return this.readMap(indent, depth + 1);
  }

  /** Reads the rest of a line: a scalar, or a mapping or list in braces or brackets. */
  #readWritten(text: string, offset: number, depth: number): unknown {
    if (!/^[[{]/.test(text)) return this.#grammar.scalar(text);
    const flow: Flow = { text, offset, next: 0 };
    const value = this.#readFlow(flow, depth + 1);
    return flow.next === text.length ? value : undefined;
  }

  #readFlow(flow: Flow, depth: number): unknown {
    const opening = flow.text[flow.next];
    if (opening === '{' || opening === '[') {
      if (depth > deepest) return undefined;
      const start = flow.offset + flow.next;
      taken(flow, flowStart);
      return opening === '{'
        ? this.#readFlowMap(flow, start, depth)
        : this.#readFlowList(flow, depth);
    }
    const written = taken(flow, flowScalar);
    return written === undefined ? undefined : this.#grammar.scalar(written);
  }

  #readFlowMap(flow: Flow, opening: number, depth: number): PlainMap | undefined {
    const map: PlainMap = Object.create(null);
    this.starts.set(map, opening);
    if (taken(flow, flowEnd.map) !== undefined) return map;
    do {
      const keyStart = flow.offset + flow.next;
      const written = taken(flow, flowKey);
      const [, key] = this.#grammar.entry.exec(written?.trimEnd() ?? '') ?? [];
      if (key === undefined || key in map) return undefined;
      const start = flow.offset + flow.next;
      const value = this.#readFlow(flow, depth + 1);
      if (value === undefined) return undefined;
      map[key] = value;
      this.#note(map, key, { key: keyStart, start, value });
    } while (taken(flow, flowComma) !== undefined);
    return taken(flow, flowEnd.map) === undefined ? undefined : map;
  }

  #readFlowList(flow: Flow, depth: number): unknown[] | undefined {
    const list: unknown[] = [];
    if (taken(flow, flowEnd.list) !== undefined) return list;
    do {
      const start = flow.offset + flow.next;
      const item = this.#readFlow(flow, depth + 1);
      if (item === undefined) return undefined;
      this.#note(list, list.length, { key: undefined, start, value: item });
      list.push(item);
    } while (taken(flow, flowComma) !== undefined);
    return taken(flow, flowEnd.list) === undefined ? undefined : list;
  }

  #note(whole: object, name: PropertyKey, part: Part): void {
    if (this.#parts === undefined) return;
    const known = this.#parts.get(whole) ?? new Map<PropertyKey, Part>();
    this.#parts.set(whole, known.set(name, part));
  }
}

/** The rest of a line that is read character by character. */
interface Flow {
  readonly text: string;
  /** Where it starts in the file. */
  readonly offset: number;
  next: number;
}

const flowScalar = /'[^']*'|"[^"]*"|[^\s,[\]{}'"#]+(?: [^\s,[\]{}'"#]+)*/y;
const flowKey = /[^\s,[\]{}'"#]+: +/y;
const flowStart = /[[{] */y;
const flowComma = / *, */y;
const flowEnd = { map: / *\}/y, list: / *\]/y };

/** The match of a pattern at the current place, which moves behind it. */
function taken(flow: Flow, pattern: RegExp): string | undefined {
  pattern.lastIndex = flow.next;
  const [found] = pattern.exec(flow.text) ?? [];
  flow.next += found?.length ?? 0;
  return found;
}

const innerCharacter = '[A-Za-z0-9._/:=@+%$~*!?&|<>()^;-]';
const lastCharacter = '[A-Za-z0-9._/=@+%$~*!?&|<>()^;-]';
const restOfWord = `${innerCharacter}*${lastCharacter}`;

/** The pattern of words with one space between them. A colon is neither first nor last in a word. */
const phrase = `[A-Za-z0-9/_$](?:${restOfWord})?(?: (?!:)${restOfWord})*`;

const wholePhrase = new RegExp(`^${phrase}$`);
const notText = /^(?:null|true|false)$/i;
/** Numbers of YAML's core schema, and similar words. */
const numeric = /^(?:[0-9.]+(?:[eE][-+]?[0-9]+)?|0[ox][0-9a-fA-F]+)$/;
const address = /^[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+$/;
/** A number as JavaScript prints it, without an exponent. */
const decimal = /^(?:0|[1-9][0-9]{0,14}|(?:0|[1-9][0-9]{0,8})\.[0-9]{0,5}[1-9])$/;
const quoted = /^'[^']*'$|^"[^"\\]*"$/;

/** The value of a scalar of a declaration; undefined if `yaml` must read it. */
function plainScalar(written: string): PlainScalar | undefined {
  if (written === 'true') return true;
  if (written === 'false') return false;
  if (quoted.test(written)) return copyOf(written.slice(1, -1));
  if (!wholePhrase.test(written) || notText.test(written)) return undefined;
  if (decimal.test(written)) return Number(written);
  return numeric.test(written) && !address.test(written) ? undefined : copyOf(written);
}

/** The grammar of declarations. The keys null, true and false are not strings. */
const declarations: PlainGrammar = {
  entry: /^(?!(?:null|true|false):)([a-z][a-z0-9._/-]{0,1000}):(?: +(\S.*))?$/i,
  scalar: plainScalar,
};
