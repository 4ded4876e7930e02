import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { InternalError } from '../../model/problem.ts';

/** Where a node stands: keys of mappings, and indexes of lists from 0. */
export type NodePath = readonly (string | number)[];

/**
 * The text of a sound file with one more entry in a mapping, after the others. Every other character stays as
 * it is: comments, quotes, layout. `value` is YAML as it is to stand there, on one line.
 */
export function withEntry(text: string, path: NodePath, key: string, value: string): string {
  const map = nodeAt(text, path);
  if (!isMap(map)) throw new InternalError(`no mapping at ${path.join('.')}`);
  const entry = `${key}: ${value}`;
  return map.flow ? inFlow(text, map, entry) : inBlock(text, map, entry);
}

/** A mapping to write: keys with their values, YAML as it is to stand there on one line. */
export type NewItem = readonly (readonly [key: string, value: string])[];

/**
 * The text of a sound file with more mappings in a list that has some, after the others. Every other character stays
 * as it is.
 */
export function withItems(text: string, path: NodePath, items: readonly NewItem[]): string {
  const list = nodeAt(text, path);
  if (!isSeq(list) || list.items.length === 0) {
    throw new InternalError(`no list with items at ${path.join('.')}`);
  }
  const lines = items.map((item) => item.map(([key, value]) => `${key}: ${value}`));
  if (!list.flow) return itemsInBlock(text, list, lines);
  const end = endOf((list.items.at(-1) ?? null) as Node | null) ?? 0;
  const added = lines.map((item) => `, { ${item.join(', ')} }`).join('');
  return `${text.slice(0, end)}${added}${text.slice(end)}`;
}

/**
 * The text of a sound file with more values in a list, after the others. Every other character stays as it is. Values
 * are YAML as they are to stand there, on one line.
 */
export function withScalars(text: string, path: NodePath, values: readonly string[]): string {
  const list = nodeAt(text, path);
  if (!isSeq(list)) throw new InternalError(`no list at ${path.join('.')}`);
  const last = list.items.at(-1) as Node | undefined;
  if (last && !list.flow) {
    return itemsInBlock(
      text,
      list,
      values.map((value) => [value]),
    );
  }
  const end = (last && endOf(last)) ?? (list.range?.[0] ?? 0) + 1;
  const added = `${last ? ', ' : ''}${values.join(', ')}`;
  return `${text.slice(0, end)}${added}${text.slice(end)}`;
}

/** The text of a sound file with another value at a path that has one. `value` is as in {@link withEntry}. */
export function withValue(text: string, path: NodePath, value: string): string {
  const node = nodeAt(text, path);
  const [start, end] = node?.range ?? [];
  if (start === undefined || end === undefined) {
    throw new InternalError(`no value at ${path.join('.')}`);
  }
  const whole = text.slice(start, end);
  if (whole === '') {
    // A key without a value: what comes after it on its line is a comment.
    const head = text.slice(0, start).replace(/[ \t]+$/, '');
    return `${head} ${value}${text.slice(head.length)}`;
  }
  return `${text.slice(0, start)}${value}${text.slice(start + whole.trimEnd().length)}`;
}

/**
 * The text of a sound file with another text at a path that has one: a block (`|`) stays a block, and its lines that did
 * not change stay as they are; any other comes to stand in double quotes.
 */
export function withText(text: string, path: NodePath, value: string): string {
  const node = nodeAt(text, path);
  if (!isScalar(node) || typeof node.value !== 'string') {
    throw new InternalError(`no text at ${path.join('.')}`);
  }
  const [start, end] = node.range ?? [0, 0];
  const block = text.slice(start, end);
  const indent = node.type === 'BLOCK_LITERAL' ? blockIndent(block, node.value) : undefined;
  if (indent === undefined) return withValue(text, path, JSON.stringify(value));
  return `${text.slice(0, start)}${blockWith(block, indent, [node.value, value])}${text.slice(end)}`;
}

/** The text of a block with another value: line by line, since each line of a block is one of its value. */
function blockWith(
  block: string,
  indent: string,
  [before, after]: readonly [before: string, after: string],
): string {
  const [head = '', ...lines] = block.split('\n');
  const carriage = head.endsWith('\r') ? '\r' : '';
  const old = before.split('\n');
  const now = (before.endsWith('\n') ? after : after.replace(/\n$/, '')).split('\n');
  const most = Math.min(old.length, now.length);
  let same = 0;
  while (same < most && old[same] === now[same]) same += 1;
  let rest = 0;
  while (rest < most - same && old.at(-1 - rest) === now.at(-1 - rest)) rest += 1;
  const changed = now
    .slice(same, now.length - rest)
    .map((line) => (line === '' ? carriage : `${indent}${line}${carriage}`));
  return [head, ...lines.slice(0, same), ...changed, ...lines.slice(old.length - rest)].join('\n');
}

/** What stands before the lines of a block in its file; undefined for a block without a line that has more. */
function blockIndent(block: string, value: string): string | undefined {
  const written = block
    .split(/\r?\n/)
    .slice(1)
    .find((line) => line.trim() !== '');
  const line = value.split('\n').find((one) => one.trim() !== '');
  return written === undefined || line === undefined || !written.endsWith(line)
    ? undefined
    : written.slice(0, written.length - line.length);
}

/** True when a file has a value at a path; a key without one has none. */
export function hasValue(text: string, path: NodePath): boolean {
  const node = nodeAt(text, path);
  return isCollection(node) || (isScalar(node) && node.value !== null);
}

/** True when a file has a key at a path, with a value or without. */
export function hasKey(text: string, path: NodePath): boolean {
  return nodeAt(text, path) !== undefined;
}

/**
 * True when what stands at a path, or around it, also stands elsewhere: an alias names its anchor, so that a change of the
 * one changes the other.
 */
export function isAliased(text: string, path: NodePath): boolean {
  const document = parsed(text);
  const named = new Set<string>();
  visit(document, { Alias: (_, { source }) => void named.add(source) });
  return path.some((_, index) => {
    const node = document.getIn(path.slice(0, path.length - index), true) as Node | undefined;
    return node && !isAlias(node) && node.anchor !== undefined && named.has(node.anchor);
  });
}

function nodeAt(text: string, path: NodePath): Node | undefined {
  return parsed(text).getIn([...path], true) as Node | undefined;
}

function parsed(text: string): Document.Parsed {
  return parseDocument(text, {
    version: '1.2',
    keepSourceTokens: true,
    resolveKnownTags: false,
  });
}

function inFlow(text: string, map: YAMLMap, entry: string): string {
  const last = map.items.at(-1);
  if (last === undefined) {
    const start = (map.range?.[0] ?? 0) + 1;
    return `${text.slice(0, start)} ${entry} ${text.slice(start).trimStart()}`;
  }
  const end = endOf(last.value as Node | null) ?? endOf(last.key as Node) ?? 0;
  return `${text.slice(0, end)}, ${entry}${text.slice(end)}`;
}

function inBlock(text: string, map: YAMLMap, entry: string): string {
  const first = map.range?.[0] ?? 0;
  const line = text.lastIndexOf('\n', first - 1) + 1;
  // What stands before the first key is its indent, and the dash of a list.
  const indent = ' '.repeat(first - line);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  return withLines(text, lineAfter(text, map), [`${indent}${entry}${newline}`]);
}

function itemsInBlock(text: string, list: YAMLSeq, items: readonly (readonly string[])[]): string {
  const first = list.range?.[0] ?? 0;
  const indent = ' '.repeat(first - text.lastIndexOf('\n', first - 1) - 1);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const added = items.flatMap((lines) =>
    lines.map((line, index) => `${indent}${index === 0 ? '- ' : '  '}${line}${newline}`),
  );
  return withLines(text, lineAfter(text, list), added);
}

/** `at` is where a line starts, or the end of a text whose last line has no end. */
function withLines(text: string, at: number, added: readonly string[]): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const head = text.slice(0, at);
  const gap = head === '' || head.endsWith('\n') ? '' : newline;
  return `${head}${gap}${added.join('')}${text.slice(at)}`;
}

/** Where the line after a block collection starts: after its last line that says something. */
function lineAfter(text: string, collection: YAMLMap | YAMLSeq): number {
  const whole = text.slice(0, collection.range?.[1]);
  const end = text.indexOf('\n', wholeEnd(whole, lastOf(collection)));
  return end < 0 ? text.length : end + 1;
}

/** Empty lines at the end say nothing, but in a block (`|`, `>`) that keeps them, or has spaces of its own in them. */
function wholeEnd(whole: string, last: Node | null): number {
  const end = whole.trimEnd().length;
  const isBlock = isScalar(last) && (last.type === 'BLOCK_LITERAL' || last.type === 'BLOCK_FOLDED');
  if (!isBlock) return end;
  const [start] = last.range ?? [0];
  const [head = '', ...lines] = whole.slice(start).split('\n');
  const isSaying = /^[|>][0-9]*\+/.test(head) || lines.some((line) => /^[ \t]+\r?$/.test(line));
  // The last line break is the block's own.
  return isSaying ? Math.max(end, last.range?.[1] ?? 0) - 1 : end;
}

/** What stands last in a collection, however deep. */
function lastOf(node: Node | null): Node | null {
  if (!isMap(node) && !isSeq(node)) return node;
  if (node.flow) return node;
  const last = node.items.at(-1);
  const value = isMap(node) ? (last as { readonly value?: unknown }).value : last;
  return lastOf((value ?? null) as Node | null);
}

function endOf(node: Node | null): number | undefined {
  return node?.range?.[1];
}
