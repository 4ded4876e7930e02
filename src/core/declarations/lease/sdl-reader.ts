import type { Position, Problem } from '../../model/problem.ts';
import type { YamlDocument } from '../../text/yaml/document.ts';

/** A value of an SDL and the path that leads to it. */
export interface SdlNode {
  readonly value: unknown;
  readonly path: readonly PropertyKey[];
}

/**
 * Reads typed values from an SDL. A value of another type is returned as undefined and added to
 * `problems`: FIELD_TYPE, FIELD_VALUE or FIELD_MISSING.
 */
export class SdlReader {
  readonly problems: Problem[] = [];
  readonly #document: YamlDocument;
  readonly #numberSources: ReadonlyMap<string, string>;

  constructor(document: YamlDocument) {
    this.#document = document;
    this.#numberSources = new Map(
      document.nonCanonicalNumbers.map(({ path, source }) => [pathText(path), source]),
    );
  }

  /** The whole document. */
  get root(): SdlNode {
    return { value: this.#document.value, path: [] };
  }

  /** The place of a value; behind an alias, the place of the anchored value. */
  at(node: SdlNode): Position {
    return this.#document.at(node.path);
  }

  /** The place of a value's key. */
  keyAt(node: SdlNode): Position {
    return this.#document.keyAt(node.path);
  }

  /** The entries of a mapping, in the order of the file. */
  mapping(node: SdlNode): ReadonlyMap<string, SdlNode> | undefined {
    if (!isMapping(node.value)) {
      this.#wrongType(node, 'a mapping');
      return undefined;
    }
    const entries = Object.entries(node.value);
    return new Map(entries.map(([key, value]) => [key, { value, path: [...node.path, key] }]));
  }

  /** The items of a list. A key without a value (`expose:`) is an empty list, as for Akash. */
  list(node: SdlNode): readonly SdlNode[] | undefined {
    if (node.value === null) return [];
    if (!Array.isArray(node.value)) {
      this.#wrongType(node, 'a list');
      return undefined;
    }
    return node.value.map((value, index) => ({ value, path: [...node.path, index] }));
  }

  /** A text; a number or boolean is not one. */
  text(node: SdlNode): string | undefined {
    if (typeof node.value === 'string') return node.value;
    this.#wrongType(node, 'text');
    return undefined;
  }

  /** `true` or `false`; `yes` and `on` are text in YAML 1.2. */
  flag(node: SdlNode): boolean | undefined {
    if (typeof node.value === 'boolean') return node.value;
    this.#wrongType(node, 'true or false');
    return undefined;
  }

  /**
   * A port, 1 to 65535, written as a plain decimal number: Akash's parser reads 010 as octal, YAML
   * 1.2 does not.
   */
  port(node: SdlNode): number | undefined {
    return this.#decimal(node, 1, 65_535);
  }

  /** A uint32 in plain decimal. A key without a value (`next_tries:`) is 0, as for Akash. */
  uint32(node: SdlNode): number | undefined {
    return node.value === null ? 0 : this.#decimal(node, 0, 0xffff_ffff);
  }

  /**
   * The items of a list of texts. Like Akash's parser, this accepts any scalar as text (`500`) and
   * ignores items without a value.
   */
  texts(node: SdlNode): readonly (SdlNode & { readonly text: string })[] {
    const items = (this.list(node) ?? []).filter(({ value }) => value !== null);
    return items.flatMap((item) => {
      const text = this.written(item) ?? this.text(item);
      return text === undefined ? [] : [{ ...item, text }];
    });
  }

  /**
   * The text of a scalar as written, without quotes: `2.0`, which YAML reads as 2. Undefined when
   * the value is not a scalar.
   */
  written(node: SdlNode): string | undefined {
    if (typeof node.value === 'object') return undefined;
    return this.#numberSources.get(pathText(node.path)) ?? String(node.value);
  }

  /** A field of a mapping. When it is missing, adds FIELD_MISSING at the mapping's place. */
  required(
    fields: ReadonlyMap<string, SdlNode>,
    name: string,
    parent: SdlNode,
  ): SdlNode | undefined {
    const field = fields.get(name);
    if (!field) {
      this.problems.push({
        code: 'FIELD_MISSING',
        message: `'${name}' is missing from ${sdlFieldName(parent)}`,
        at: this.at(parent),
      });
    }
    return field;
  }

  #decimal(node: SdlNode, least: number, most: number): number | undefined {
    if (typeof node.value !== 'number') {
      this.#wrongType(node, `a number from ${least} to ${most}`);
      return undefined;
    }
    const written = this.written(node) ?? '';
    const isDecimal = /^(?:0|[1-9]\d{0,9})$/.test(written);
    if (isDecimal && node.value >= least && node.value <= most) return node.value;
    this.problems.push({
      code: 'FIELD_VALUE',
      message: `${sdlFieldName(node)} is ${written}, expected a whole number from ${least} to ${most}`,
      at: this.at(node),
    });
    return undefined;
  }

  #wrongType(node: SdlNode, expected: string): void {
    this.problems.push({
      code: 'FIELD_TYPE',
      message: `${sdlFieldName(node)} is ${typeName(node.value)}, expected ${expected}`,
      at: this.at(node),
    });
  }
}

/** The key of a field for messages, in quotes; for list items, the index and the list's key. */
export function sdlFieldName(node: SdlNode): string {
  const last = node.path.at(-1);
  if (last === undefined) return 'the SDL';
  if (typeof last !== 'number') return `'${String(last)}'`;
  return `item ${last + 1} of '${String(node.path.at(-2) ?? '')}'`;
}

function pathText(path: readonly PropertyKey[]): string {
  return JSON.stringify(path);
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return `${value}`;
  return typeof value === 'object' ? 'a mapping' : 'a number';
}
