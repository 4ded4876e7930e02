import type { ProblemCode } from '../model/codes/problem-codes.ts';
import type { ImportNote } from '../model/input-file.ts';
import type { Position, Problem } from '../model/problem.ts';
import type { YamlDocument } from './yaml/yaml-document.ts';

/** A value of a file that was written for another program, and where it stands. */
export interface ForeignNode {
  readonly value: unknown;
  readonly document: YamlDocument;
  readonly path: readonly PropertyKey[];
}

/** The entries of a mapping by their keys, in the order of the file. */
export type ForeignFields = ReadonlyMap<string, ForeignNode>;

/** The whole of a document. */
export function rootOf(document: YamlDocument): ForeignNode {
  return { value: document.value, document, path: [] };
}

/** Where a value stands; for one behind an alias, where it is written. */
export function placeOf({ document, path }: ForeignNode): Position {
  return document.at(path);
}

/** Where the key of a value stands. */
export function keyPlaceOf({ document, path }: ForeignNode): Position {
  return document.keyAt(path);
}

/**
 * Collects what an import tells of its source. `problems` are what the program that the file was written for refuses
 * too: FIELD_TYPE and FIELD_MISSING from here, others from {@link ForeignReader.refuse}. `notes` are all the rest.
 */
export class ForeignReader {
  readonly problems: Problem[] = [];
  readonly notes: ImportNote[] = [];

  /** Tells that something is not taken. */
  leave(subject: string, message: string, at: Position): void {
    this.notes.push({ effect: 'left', subject, message, at });
  }

  /** Tells that something is taken, and says something else than in the source. */
  change(subject: string, message: string, at: Position): void {
    this.notes.push({ effect: 'changed', subject, message, at });
  }

  /** Tells what the source's own program refuses. */
  refuse(code: ProblemCode, message: string, at: Position, hint?: string): void {
    this.problems.push({ code, message, at, ...(hint !== undefined && { hint }) });
  }

  /** The entries of a mapping; none of an empty value. Undefined, and FIELD_TYPE, for anything else. */
  mapping(node: ForeignNode | undefined): ForeignFields | undefined {
    if (node === undefined || node.value === null) return new Map();
    if (typeof node.value !== 'object' || Array.isArray(node.value)) {
      this.#mistyped(node, 'a mapping');
      return undefined;
    }
    return new Map(
      Object.entries(node.value).map(([key, value]) => [
        key,
        { value, document: node.document, path: [...node.path, key] },
      ]),
    );
  }

  /** The items of a list; none of an empty value, as for Go and Ansible. */
  list(node: ForeignNode | undefined): readonly ForeignNode[] {
    if (node === undefined || node.value === null) return [];
    if (!Array.isArray(node.value)) {
      this.#mistyped(node, 'a list');
      return [];
    }
    return node.value.map((value, index) => ({
      value,
      document: node.document,
      path: [...node.path, index],
    }));
  }

  /** A text; undefined for an empty value. FIELD_TYPE for anything else. */
  text(node: ForeignNode | undefined): string | undefined {
    if (node === undefined || node.value === null) return undefined;
    if (typeof node.value === 'string') return node.value;
    this.#mistyped(node, 'a string');
    return undefined;
  }

  /** The texts of a list. FIELD_TYPE for an item that is none, also for an empty one. */
  texts(node: ForeignNode | undefined): readonly ForeignText[] {
    return this.list(node).flatMap((item) => {
      if (item.value === null) this.#mistyped(item, 'a string');
      const text = this.text(item);
      return text === undefined ? [] : [{ text, node: item }];
    });
  }

  /** `true` or `false`, also in the words of YAML 1.1, which Go and Ansible take. FIELD_TYPE for anything else. */
  flag(node: ForeignNode | undefined): boolean | undefined {
    if (node === undefined || node.value === null) return undefined;
    if (typeof node.value === 'boolean') return node.value;
    if (typeof node.value === 'string') {
      if (/^(y|yes|on|true)$/i.test(node.value)) return true;
      if (/^(n|no|off|false)$/i.test(node.value)) return false;
    }
    this.#mistyped(node, 'true or false');
    return undefined;
  }

  /** Tells of every field that is none of the known ones that it is not taken. */
  leaveOthers(subject: string, fields: ForeignFields, known: readonly string[]): void {
    for (const [name, node] of fields) {
      if (known.includes(name)) continue;
      this.leave(subject, `the field '${name}' is not one that leasehold reads`, keyPlaceOf(node));
    }
  }

  #mistyped(node: ForeignNode, expected: string): void {
    const message = `${fieldName(node)} is ${typeName(node.value)}, expected ${expected}`;
    this.refuse('FIELD_TYPE', message, placeOf(node));
  }
}

/** A text of a foreign file, and where it stands. */
export interface ForeignText {
  readonly text: string;
  readonly node: ForeignNode;
}

/** The field's own key for a message, in quotes; items of a list by the list's key. */
function fieldName({ path }: ForeignNode): string {
  const last = path.at(-1);
  if (last === undefined) return 'the document';
  if (typeof last !== 'number') return `'${String(last)}'`;
  return `item ${last + 1} of '${String(path.at(-2) ?? '')}'`;
}

function typeName(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  if (typeof value === 'boolean') return `${value}`;
  return typeof value === 'string' ? `the text '${value}'` : `the number ${String(value)}`;
}
