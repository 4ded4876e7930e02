/**
 * Reads a simple subset of YAML: block mappings and lists with a key or an item per line, words,
 * whole numbers, and quoted strings without escapes. Any other file is read by the `yaml` package.
 * It is twenty times faster, and a repository has a file for each lease.
 * test/property/plain-yaml.test.ts compares it with `yaml`.
 */

/** The data of a text, and the offset at which each mapping starts. */
export interface PlainYaml {
  /** Plain data. Mappings have no prototype. */
  readonly value: object;
  readonly starts: ReadonlyMap<object, number>;
}

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
  readonly scalar: (text: string) => string | number | boolean | undefined;
}

const plainText = /^[\n -~]*$/;
const deepest = 8;

/** Reads a text in the subset; undefined if `yaml` must read it. */
export function readPlainYaml(
  text: string,
  grammar: PlainGrammar = declarations,
): PlainYaml | undefined {
  if (!plainText.test(text)) return undefined;
  const reader = new PlainReader(linesOf(text), grammar);
  const value = reader.readMap(0, 0);
  return value && reader.isAtEnd ? { value, starts: reader.starts } : undefined;
}

/** The lines that are not empty and not comments. */
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let offset = 0;
  for (const line of text.split('\n')) {
    const content = line.trimStart();
    const indent = line.length - content.length;
    if (content !== '' && !content.startsWith('#')) {
      lines.push({ offset: offset + indent, indent, text: content });
    }
    offset += line.length + 1;
  }
  return lines;
}

class PlainReader {
  readonly starts = new Map<object, number>();
  readonly #lines: Line[];
  readonly #grammar: PlainGrammar;
  #next = 0;

  constructor(lines: Line[], grammar: PlainGrammar) {
    this.#lines = lines;
    this.#grammar = grammar;
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
      const value =
        written === undefined ? this.#readNested(indent, depth) : this.#grammar.scalar(written);
      if (value === undefined) return undefined;
      map[key] = value;
    }
  }

  /** Reads the mapping or list below a key. */
  #readNested(indent: number, depth: number): unknown {
    const line = this.#lines[this.#next];
    if (!line || line.indent <= indent) return undefined;
    return line.text.startsWith('- ')
      ? this.#readList(line.indent, depth + 1)
      : this.readMap(line.indent, depth + 1);
  }

  #readList(indent: number, depth: number): unknown[] | undefined {
    const list: unknown[] = [];
    for (;;) {
      const line = this.#lines[this.#next];
      if (!line || line.indent < indent) return list;
      if (line.indent > indent || !line.text.startsWith('- ')) return undefined;
      const item = this.#readItem(line, depth);
      if (item === undefined) return undefined;
      list.push(item);
    }
  }

  #readItem(line: Line, depth: number): unknown {
    const text = line.text.slice(2);
    if (!this.#grammar.entry.test(text)) {
      this.#next += 1;
      return this.#grammar.scalar(text);
    }
    const indent = line.indent + 2;
    this.#lines[this.#next] = { offset: line.offset + 2, indent, text };
    return this.readMap(indent, depth + 1);
  }
}

const word = /^[A-Za-z0-9][A-Za-z0-9._/-]*$/;
const notText = /^(?:null|true|false)$/i;
/** Numbers of YAML's core schema, and similar words. */
const numeric = /^(?:[0-9.]+(?:[eE]-?[0-9]+)?|0[ox][0-9a-fA-F]+)$/;
const address = /^[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+$/;
const whole = /^(?:0|[1-9][0-9]{0,14})$/;
const quoted = /^'[^']*'$|^"[^"\\]*"$/;

function scalar(text: string): string | number | boolean | undefined {
  if (text === 'true') return true;
  if (text === 'false') return false;
  if (quoted.test(text)) return text.slice(1, -1);
  if (!word.test(text) || notText.test(text)) return undefined;
  if (whole.test(text)) return Number(text);
  return numeric.test(text) && !address.test(text) ? undefined : text;
}

/** The grammar of declarations. The keys null, true and false are not strings. */
const declarations: PlainGrammar = {
  entry: /^(?!(?:null|true|false):)([a-z][a-z0-9]*):(?: +(\S.*))?$/i,
  scalar,
};
