import type { Position, Problem } from '../../model/problem.ts';
import type { YamlDocument } from '../../text/yaml/yaml-document.ts';

/** A value of an SDL and the path that leads to it. */
export interface SdlNode {
  readonly value: unknown;
  readonly path: readonly PropertyKey[];
}

/**
 * Reads typed values out of an SDL and notes in `problems` what is not of the type: FIELD_TYPE,
 * FIELD_VALUE or FIELD_MISSING. What was noted comes back as undefined.
 */
export class SdlReader {
  readonly problems: Problem[] = [];
  readonly #document: YamlDocument;
  readonly #oddNumbers: ReadonlyMap<string, string>;

  constructor(document: YamlDocument) {
    this.#document = document;
    this.#oddNumbers = new Map(
      document.oddNumbers.map(({ path, source }) => [pathText(path), source]),
    );
  }

  /** The whole document. */
  get root(): SdlNode {
    return { value: this.#document.value, path: [] };
  }

  /** Where a value stands; for one behind an alias, where it is written. */
  at(node: SdlNode): Position {
    return this.#document.at(node.path);
  }

  /** Where the key of a value stands. */
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

  /** The items of a list. A list without a value (`expose:`) has none, as for Akash. */
  list(node: SdlNode): readonly SdlNode[] | undefined {
    if (node.value === null) return [];
    if (!Array.isArray(node.value)) {
      this.#wrongType(node, 'a list');
      return undefined;
    }
    return node.value.map((value, index) => ({ value, path: [...node.path, index] }));
  }

  /** A text; numbers and booleans are none. */
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
   * A port, 1 to 65535, written as a number in plain decimal: Akash's parser reads 010 as octal,
   * YAML 1.2 does not.
   */
  port(node: SdlNode): number | undefined {
    return this.#decimal(node, 1, 65_535);
  }

  /** A uint32, written as a port is. Without a value (`next_tries:`) it is 0, as for Akash. */
  uint32(node: SdlNode): number | undefined {
    return node.value === null ? 0 : this.#decimal(node, 0, 0xffff_ffff);
  }

  /**
   * The items of a list of texts. Akash's parser takes any scalar for a text (`500`), and passes over an item without
   * a value.
   */
  texts(node: SdlNode): readonly (SdlNode & { readonly text: string })[] {
    const items = (this.list(node) ?? []).filter(({ value }) => value !== null);
    return items.flatMap((item) => {
      const text = this.written(item) ?? this.text(item);
      return text === undefined ? [] : [{ ...item, text }];
    });
  }

  /** The text of a scalar as the file has it, without quotes: `2.0`, which YAML reads as 2. None of what is no scalar. */
  written(node: SdlNode): string | undefined {
    if (typeof node.value === 'object') return undefined;
    return this.#oddNumbers.get(pathText(node.path)) ?? String(node.value);
  }

  /** The field of a mapping, or undefined and a FIELD_MISSING at the mapping's own place. */
  required(
    fields: ReadonlyMap<string, SdlNode>,
    name: string,
    parent: SdlNode,
  ): SdlNode | undefined {
    const field = fields.get(name);
    if (!field) {
      this.problems.push({
        code: 'FIELD_MISSING',
        message: `'${name}' is missing from ${fieldName(parent)}`,
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
      message: `${fieldName(node)} is ${written}, expected a whole number from ${least} to ${most}`,
      at: this.at(node),
    });
    return undefined;
  }

  #wrongType(node: SdlNode, expected: string): void {
    this.problems.push({
      code: 'FIELD_TYPE',
      message: `${fieldName(node)} is ${typeName(node.value)}, expected ${expected}`,
      at: this.at(node),
    });
  }
}

/** The field's own key for a message, in quotes; items of a list by the list's key. */
export function fieldName(node: SdlNode): string {
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
