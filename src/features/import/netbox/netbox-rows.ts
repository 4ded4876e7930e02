import { addToGroup } from '../../../core/model/order.ts';
import {
  fail,
  type Outcome,
  ok,
  type Position,
  type Problem,
  startOf,
} from '../../../core/model/problem.ts';
import type { InputFile } from '../../../core/text/yaml/template-hints.ts';
import { largestSourceFile, readYamlStream } from '../../../core/text/yaml/yaml-document.ts';
import { readCsv } from '../../../lib/foreign/csv-table.ts';
import {
  type SourceFields,
  type SourceNode,
  type SourceReader,
  sourceKeyPlace,
  sourcePlace,
  sourceRoot,
} from '../../../lib/foreign/source-reader.ts';
import { problem } from '../codes.ts';

/** The kinds of NetBox objects that contain addresses. */
export type NetBoxKind = 'prefix' | 'range' | 'address';

/** The fields that identify the kind of an object, in NetBox's JSON and CSV. */
export const ownFields: readonly (readonly [NetBoxKind, readonly string[]])[] = [
  ['range', ['start_address']],
  ['address', ['address', 'ip_address']],
  ['prefix', ['prefix', 'prefix_flat']],
];

/** The value of a field, in all forms that the export contains. */
export interface NetBoxValue {
  /**
   * The machine-readable form first, such as `active` before `Active`. Empty for an empty field.
   */
  readonly texts: readonly string[];
  readonly at: Position;
}

/** A row of either export format: its fields, by {@link fieldName}. */
export interface NetBoxRow {
  readonly fields: ReadonlyMap<string, NetBoxValue>;
  readonly at: Position;
}

/** Normalizes the name of a JSON field, CSV header or option: `IP Address` is `ip_address`. */
export function fieldName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
}

/** A page of an answer of the REST API. */
interface Page {
  readonly rows: readonly NetBoxRow[];
  readonly count: SourceNode | undefined;
  readonly next: SourceNode | undefined;
}

/**
 * Reads an export of NetBox: an answer of its REST API, as a page (`{count, next, results}`), a
 * list or one object; or the CSV that its pages export. Problems: those of {@link readYamlStream}
 * and {@link readCsv}, FIELD_TYPE, FIELD_MISSING for a file that is no export, and IMPORT_TRUNCATED
 * for incomplete pages.
 */
export function readNetBoxRows(
  reader: SourceReader,
  files: readonly InputFile[],
): readonly NetBoxRow[] {
  const pages: Page[] = [];
  for (const file of files) {
    const read = isJson(file.bytes) ? readJson(reader, file) : readTable(file);
    if (read.ok) pages.push(...read.value);
    else reader.problems.push(...read.problems);
  }
  reader.problems.push(...truncated(pages));
  return pages.flatMap(({ rows }) => rows);
}

function isJson(bytes: Uint8Array): boolean {
  return /^\s*[[{]/.test(new TextDecoder().decode(bytes.subarray(0, 256)));
}

function readTable({ name, bytes }: InputFile): Outcome<readonly Page[]> {
  const table = readCsv(name, bytes, largestSourceFile);
  if (!table.ok) return table;
  const names = table.value.headers.map(({ text }) => fieldName(text));
  if (!isOfNetBox(names)) {
    const message =
      'the file is no export of NetBox: it has no column ID, Prefix, Start Address or IP Address';
    return fail([noExport(message, startOf(name))]);
  }
  const rows = table.value.records.map((record): NetBoxRow => {
    const fields = record.flatMap(({ text, at }, index) => {
      const field = names[index] ?? '';
      // Custom fields come last, and may have the label of a column: that of an export is Pool.
      if (names.indexOf(field) !== index) return [];
      return [[field, { texts: csvTexts(field, text), at }] as const];
    });
    return { fields: new Map(fields), at: record[0]?.at ?? { file: name, line: 1, column: 1 } };
  });
  return ok([{ rows, count: undefined, next: undefined }]);
}

/** True for the fields of an object of NetBox, or the columns of its CSV. */
function isOfNetBox(names: readonly string[]): boolean {
  return ['id', ...ownFields.flatMap(([, own]) => own)].some((name) => names.includes(name));
}

/** Addresses in a file that is no export, such as an error, may be in use and would look free. */
function noExport(message: string, at: Position): Problem {
  const hint = 'look into the file: it may be an error, or the page of a login. Export it again';
  return { code: 'FIELD_MISSING', message, at, hint };
}

/** Placeholders for empty values in different releases of NetBox. */
const placeholders: ReadonlySet<string> = new Set(['', '—', '&mdash;']);

function csvTexts(field: string, text: string): readonly string[] {
  // NetBox writes the depth of a prefix as dots before it.
  const plain = text.replace(/^[\s•]+/, '').trim();
  const texts = field === 'tags' ? plain.split(',').map((tag) => tag.trim()) : [plain];
  return texts.filter((one) => !placeholders.has(one));
}

function readJson(reader: SourceReader, { name, bytes }: InputFile): Outcome<readonly Page[]> {
  const documents = readYamlStream(name, bytes);
  if (!documents.ok) return documents;
  return ok(
    documents.value.map((document): Page => {
      const root = sourceRoot(document);
      if (Array.isArray(root.value)) return pageOf(reader, root, new Map());
      const fields = reader.mapping(root) ?? new Map<string, SourceNode>();
      const results = fields.get('results');
      if (results) return pageOf(reader, results, fields);
      const row = jsonRow(reader, root);
      if (!isOfNetBox([...fields.keys()])) {
        const detail = fields.get('detail')?.value;
        const why = typeof detail === 'string' ? `, and 'detail' is '${detail}'` : '';
        const message = `the file is no export of NetBox: it has no 'results' and no 'id'${why}`;
        reader.problems.push(noExport(message, sourcePlace(root)));
      }
      return { rows: row ? [row] : [], count: undefined, next: undefined };
    }),
  );
}

function pageOf(reader: SourceReader, results: SourceNode, fields: SourceFields): Page {
  const rows = reader.list(results).flatMap((item) => jsonRow(reader, item) ?? []);
  return { rows, count: fields.get('count'), next: fields.get('next') };
}

function jsonRow(reader: SourceReader, node: SourceNode): NetBoxRow | undefined {
  const own = reader.mapping(node);
  if (!own) return undefined;
  const custom = reader.mapping(own.get('custom_fields')) ?? new Map<string, SourceNode>();
  const fields = new Map<string, NetBoxValue>();
  for (const [name, value] of [...custom, ...own]) {
    fields.set(fieldName(name), { texts: textsOf(value.value), at: sourcePlace(value) });
  }
  const assigned = own.get('assigned_object');
  if (assigned)
    fields.set('assigned', { texts: assignedTexts(assigned), at: sourcePlace(assigned) });
  return { fields, at: sourcePlace(node) };
}

/** The fields that name a referenced object, the machine-readable one first. */
const words = ['value', 'slug', 'name', 'rd', 'label', 'display'] as const;

function textsOf(value: unknown): readonly string[] {
  if (value === null || value === undefined || value === '') return [];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== 'object') return [String(value)];
  const map = value as Readonly<Record<string, unknown>>;
  return words.flatMap((word) => {
    const text = map[word];
    return typeof text === 'string' || typeof text === 'number' ? textsOf(text) : [];
  });
}

/** The device or virtual machine of an interface, then the interface; a group by its own name. */
function assignedTexts({ value }: SourceNode): readonly string[] {
  const { device, virtual_machine: machine } = Object(value) as Readonly<Record<string, unknown>>;
  const parent = device ?? machine;
  return [parent, value].flatMap((one) => {
    const { display, name } = Object(one) as Readonly<Record<string, unknown>>;
    const text = display ?? name;
    return typeof text === 'string' && text !== '' ? [text] : [];
  });
}

/** IMPORT_TRUNCATED for the pages of one query that together have fewer objects than its count. */
function truncated(pages: readonly Page[]): readonly Problem[] {
  const byCount = new Map<string, Page[]>();
  for (const page of pages) {
    if (typeof page.count?.value !== 'number') continue;
    const kind = [...(page.rows[0]?.fields.keys() ?? [])].sort().join(' ');
    const key = `${page.count.value} ${kind}`;
    addToGroup(byCount, key, page);
  }
  return [...byCount.values()].flatMap((group) => {
    const open = group.find(({ next }) => typeof next?.value === 'string') ?? group[0];
    const count = Number(group[0]?.count?.value ?? 0);
    const found = distinctRows(group);
    const at = open?.next ?? open?.count;
    return found >= count || !at ? [] : [incomplete(sourceKeyPlace(at), found, count)];
  });
}

function distinctRows(pages: readonly Page[]): number {
  const rows = pages.flatMap((page) => page.rows);
  return new Set(rows.map(({ fields }, index) => fields.get('id')?.texts[0] ?? `row ${index}`))
    .size;
}

function incomplete(at: Position, found: number, count: number): Problem {
  return {
    code: problem.IMPORT_TRUNCATED,
    message: `the file has ${found} of ${count} objects: it is one page of more`,
    at,
    hint: 'ask with ?limit=0, or name the files of all pages',
  };
}
