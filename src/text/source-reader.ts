import type { ProblemCode } from '../model/codes/problem-codes.ts';
import { fail, type Outcome, ok, type Position, type Problem, startOf } from '../model/problem.ts';
import { readYamlStream, type YamlDocument } from './yaml/yaml-document.ts';

/** A file to import, by the name that somebody gave it. */
export interface ImportFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * What an import tells of one thing that it met. `changed`: it was taken, and says something else than in the
 * source. `left`: it was not taken.
 */
export interface ImportNote {
  readonly effect: 'changed' | 'left';
  /** What it is about: a pool's name, or a kind and a name. */
  readonly subject: string;
  /** One sentence, without a trailing period. */
  readonly message: string;
  readonly at: Position;
}

/** A value of a file that was written for another program, and where it stands. */
export interface SourceNode {
  readonly value: unknown;
  readonly document: YamlDocument;
  readonly path: readonly PropertyKey[];
}

/** The entries of a mapping by their keys, in the order of the file. */
export type SourceFields = ReadonlyMap<string, SourceNode>;

/** The whole of a document. */
export function sourceRoot(document: YamlDocument): SourceNode {
  return { value: document.value, document, path: [] };
}

/** Where a value stands; for one behind an alias, where it is written. */
export function sourcePlace({ document, path }: SourceNode): Position {
  return document.at(path);
}

/** Where the key of a value stands. */
export function sourceKeyPlace({ document, path }: SourceNode): Position {
  return document.keyAt(path);
}

/**
 * Collects what an import tells of its source. `problems` are what the program that the file was written for refuses
 * too: FIELD_TYPE and FIELD_MISSING from here, others from {@link ForeignReader.refuse}. `notes` are all the rest.
 */
export class SourceReader {
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

  /** The items of a list; none of an empty value, as for Go and Ansible. */
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

  /** A text; undefined for an empty value. FIELD_TYPE for anything else. */
  text(node: SourceNode | undefined): string | undefined {
    if (node === undefined || node.value === null) return undefined;
    if (typeof node.value === 'string') return node.value;
    this.#mistyped(node, 'a string');
    return undefined;
  }

  /** The texts of a list. FIELD_TYPE for an item that is none, also for an empty one. */
  texts(node: SourceNode | undefined): readonly SourceText[] {
    return this.list(node).flatMap((item) => {
      if (item.value === null) this.#mistyped(item, 'a string');
      const text = this.text(item);
      return text === undefined ? [] : [{ text, node: item }];
    });
  }

  /** `true` or `false`, also in the words of YAML 1.1, which Go and Ansible take. FIELD_TYPE for anything else. */
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

  /** Tells of every field that is none of the known ones that it is not taken. */
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

/** A text of a foreign file, and where it stands. */
export interface SourceText {
  readonly text: string;
  readonly node: SourceNode;
}

/** The field's own key for a message, in quotes; items of a list by the list's key. */
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

/** The one document of a file that was written for another program, and the file's text. */
export interface SourceDocument {
  readonly root: SourceNode;
  readonly text: string;
}

/** Reads a file with one document. Problems: those of {@link readYamlStream}, and YAML_DOCUMENTS for none or several. */
export function readSourceDocument({ name, bytes }: ImportFile): Outcome<SourceDocument> {
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
 * The documents in a text that a YAML file holds as a value, with places in the file itself: those of a block text
 * (`|`) exactly, those of a text written otherwise at its beginning. Problems: those of {@link readYamlStream}.
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

/** How far the lines below a block text's first line are indented; undefined when they are not the text's own. */
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

const rendered =
  'leasehold does not read templates: render the file first, as with helm template';

const filledIn = 'leasehold does not substitute variables: write the value itself';

/** Problems with a hint where a template, or a variable that another program fills in, is the cause. */
export function explainTemplates<Value>(
  outcome: Outcome<Value>,
  files: readonly ImportFile[],
): Outcome<Value> {
  if (outcome.ok) return outcome;
  const linesOf = new Map(
    files.map(({ name, bytes }) => [name, new TextDecoder().decode(bytes).split('\n')]),
  );
  const problems = outcome.problems.map((problem) => {
    const hint = hintFor(problem, linesOf.get(problem.at.file) ?? []);
    return hint === undefined ? problem : { ...problem, hint };
  });
  return fail(problems);
}

function hintFor({ code, at, hint }: Problem, lines: readonly string[]): string | undefined {
  const line = lines[at.line - 1] ?? '';
  // What makes a text no YAML can stand above the place where it is found.
  if (code === 'YAML_SYNTAX' ? lines.some(isTemplate) : isTemplate(line)) return rendered;
  return hint === undefined && line.includes('${') ? filledIn : undefined;
}

/** Whether a line has `{{ … }}` outside of quotes and comments. */
function isTemplate(line: string): boolean {
  const start = line.indexOf('{{');
  return start >= 0 && line.includes('}}', start) && !/['"#]/.test(line.slice(0, start));
}
