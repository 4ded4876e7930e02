import type { ProblemCode } from '../../core/model/codes/problem-codes.ts';
import {
  fail,
  type Outcome,
  ok,
  type Position,
  type Problem,
  startOf,
} from '../../core/model/problem.ts';
import type { YamlDocument } from '../../core/text/yaml/document.ts';
import type { InputFile } from '../../core/text/yaml/template-hints.ts';
import { readYamlStream } from '../../core/text/yaml/yaml-document.ts';

/**
 * A note of an import. `changed`: imported with another value than in the source. `left`: not
 * imported.
 */
export interface ImportNote {
  readonly effect: 'changed' | 'left';
  /** The subject: a pool's name, or a kind and a name. */
  readonly subject: string;
  /** One sentence, without a trailing period. */
  readonly message: string;
  readonly at: Position;
}

/** A value in a file of another program, with its place. */
export interface SourceNode {
  readonly value: unknown;
  readonly document: YamlDocument;
  readonly path: readonly PropertyKey[];
}

/** The entries of a mapping by key, in the order of the file. */
export type SourceFields = ReadonlyMap<string, SourceNode>;

/** The root of a document. */
export function sourceRoot(document: YamlDocument): SourceNode {
  return { value: document.value, document, path: [] };
}

/** The place of a value; of an aliased value, the place of its anchor. */
export function sourcePlace({ document, path }: SourceNode): Position {
  return document.at(path);
}

/** The place of the key of a value. */
export function sourceKeyPlace({ document, path }: SourceNode): Position {
  return document.keyAt(path);
}

/**
 * Reads the fields of a source file and collects its problems and notes. `problems` are errors that
 * the other program rejects too: FIELD_TYPE and FIELD_MISSING of this class, others by {@link
 * SourceReader.refuse}.
 */
export class SourceReader {
  readonly problems: Problem[] = [];
  readonly notes: ImportNote[] = [];

  /** Notes that something is not imported. */
  leave(subject: string, message: string, at: Position): void {
    this.notes.push({ effect: 'left', subject, message, at });
  }

  /** Notes that something is imported with another value. */
  change(subject: string, message: string, at: Position): void {
    this.notes.push({ effect: 'changed', subject, message, at });
  }

  /** Adds a problem that the other program rejects too. */
  refuse(code: ProblemCode, message: string, at: Position, hint?: string): void {
    this.problems.push({ code, message, at, ...(hint !== undefined && { hint }) });
  }

  /**
   * The entries of a mapping; none for an empty value. Undefined with FIELD_TYPE for another value.
   */
  mapping(node: SourceNode | undefined): SourceFields | undefined {
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

  /**
   * The items of a list; none for an empty value, as in Go and Ansible. FIELD_TYPE for another
   * value.
   */
  list(node: SourceNode | undefined): readonly SourceNode[] {
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

  /** A string; undefined for an empty value. FIELD_TYPE for another value. */
  text(node: SourceNode | undefined): string | undefined {
    if (node === undefined || node.value === null) return undefined;
    if (typeof node.value === 'string') return node.value;
    this.#mistyped(node, 'a string');
    return undefined;
  }

  /** The strings of a list. FIELD_TYPE for an item of another type, also for an empty one. */
  texts(node: SourceNode | undefined): readonly SourceText[] {
    return this.list(node).flatMap((item) => {
      if (item.value === null) this.#mistyped(item, 'a string');
      const text = this.text(item);
      return text === undefined ? [] : [{ text, node: item }];
    });
  }

  /**
   * A boolean, also in the words of YAML 1.1, which Go and Ansible accept. FIELD_TYPE for another
   * value.
   */
  flag(node: SourceNode | undefined): boolean | undefined {
    if (node === undefined || node.value === null) return undefined;
    if (typeof node.value === 'boolean') return node.value;
    if (typeof node.value === 'string') {
      if (/^(y|yes|on|true)$/i.test(node.value)) return true;
      if (/^(n|no|off|false)$/i.test(node.value)) return false;
    }
    this.#mistyped(node, 'true or false');
    return undefined;
  }

  /** Notes every field that is not one of the known ones as not imported. */
  leaveOthers(subject: string, fields: SourceFields, known: readonly string[]): void {
    for (const [name, node] of fields) {
      if (known.includes(name)) continue;
      this.leave(
        subject,
        `the field '${name}' is not one that leasehold reads`,
        sourceKeyPlace(node),
      );
    }
  }

  #mistyped(node: SourceNode, expected: string): void {
    const message = `${fieldName(node)} is ${typeName(node.value)}, expected ${expected}`;
    this.refuse('FIELD_TYPE', message, sourcePlace(node));
  }
}

/** A string in a source file, with its node. */
export interface SourceText {
  readonly text: string;
  readonly node: SourceNode;
}

/** A field in a message: its key in quotes; for an item of a list, the key of the list. */
function fieldName({ path }: SourceNode): string {
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

/** A source file with one document, and its text. */
export interface SourceDocument {
  readonly root: SourceNode;
  readonly text: string;
}

/**
 * Reads a source file with one document. Problems: those of {@link readYamlStream}, and
 * YAML_DOCUMENTS for none or several.
 */
export function readSourceDocument({ name, bytes }: InputFile): Outcome<SourceDocument> {
  const documents = readYamlStream(name, bytes);
  if (!documents.ok) return documents;
  const [document, second] = documents.value;
  if (!document || second) {
    const found = second ? 'more than one document' : 'no document';
    const message = `the file has ${found}, expected exactly one`;
    const at = second ? second.at([]) : startOf(name);
    return fail([{ code: 'YAML_DOCUMENTS', message, at }]);
  }
  return ok({ root: sourceRoot(document), text: new TextDecoder().decode(bytes) });
}

/**
 * Reads YAML documents that are a string in a YAML file. Places are in the file: exact in a block
 * scalar (`|`), otherwise the start of the string. Problems: those of {@link readYamlStream}.
 */
export function readEmbedded(
  holder: SourceNode,
  text: string,
  fileText: string,
): Outcome<readonly YamlDocument[]> {
  const start = sourcePlace(holder);
  const indent = indentOf(text, fileText.split(/\r?\n/).slice(start.line));
  const outside = ({ line, column }: Position): Position =>
    indent === undefined
      ? start
      : { file: start.file, line: start.line + line, column: indent + column };
  const read = readYamlStream(start.file, new TextEncoder().encode(text));
  if (!read.ok) {
    const problems = read.problems.map((problem) => ({ ...problem, at: outside(problem.at) }));
    return fail(problems);
  }
  const documents = read.value.map((document) => ({
    ...document,
    at: (path: readonly PropertyKey[]) => outside(document.at(path)),
    keyAt: (path: readonly PropertyKey[]) => outside(document.keyAt(path)),
  }));
  return ok(documents);
}

/** The indent of a block scalar; undefined if the lines below are not those of the string. */
function indentOf(text: string, below: readonly string[]): number | undefined {
  const lines = text.replace(/\n+$/, '').split('\n');
  const indents = lines.map((line, index) => {
    const around = below[index];
    return line.trim() === '' || !around?.endsWith(line) ? undefined : around.length - line.length;
  });
  const [indent] = indents.filter((found) => found !== undefined);
  const isBlock = lines.every((line, index) => line.trim() === '' || indents[index] === indent);
  return isBlock ? indent : undefined;
}
