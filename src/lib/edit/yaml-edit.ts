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
import { InternalError } from '../../core/model/problem.ts';

/** The path of a node: keys of mappings, and indexes of lists from 0. */
export type NodePath = readonly (string | number)[];

/**
 * Adds an entry at the end of a mapping of a valid file. All other characters stay: comments,
 * quotes, layout. `value` is YAML on one line.
 */
export function withEntry(text: string, path: NodePath, key: string, value: string): string {
  const map = nodeAt(text, path);
  if (!isMap(map)) throw new InternalError(`no mapping at ${path.join('.')}`);
  const entry = `${key}: ${value}`;
  return map.flow ? inFlow(text, map, entry) : inBlock(text, map, entry);
}

/**
 * Removes an entry of a mapping that has others. Preserves comments on lines of their own outside
 * the entry.
 */
export function withoutEntry(text: string, path: NodePath, key: string): string {
  const map = nodeAt(text, path);
  const isGone = ({ key: own }: { readonly key: unknown }): boolean =>
    isScalar(own) && own.value === key;
  const gone = isMap(map) ? map.items.find(isGone) : undefined;
  if (!isMap(map) || !gone) throw new InternalError(`no ${key} at ${path.join('.')}`);
  const startOfPair = ({ key: own }: { readonly key: unknown }): number =>
    (own as Node).range?.[0] ?? 0;
  if (map.flow) {
    const kept = map.items
      .filter((pair) => !isGone(pair))
      .map((pair) => text.slice(startOfPair(pair), endOf((pair.value ?? pair.key) as Node)));
    const [start = 0, end = 0] = map.range ?? [];
    return `${text.slice(0, start)}{ ${kept.join(', ')} }${text.slice(end)}`;
  }
  const start = startOfPair(gone);
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const last = lastOf((gone.value ?? gone.key) as Node);
  const end = text.slice(0, endOf(last)).trimEnd().length;
  const next = text.indexOf('\n', end);
  return `${text.slice(0, line)}${next < 0 ? '' : text.slice(next + 1)}`;
}

/** A mapping to write: keys with their values as YAML on one line. */
export type NewItem = readonly (readonly [key: string, value: string])[];

/** Adds mappings at the end of a list that is not empty. All other characters stay. */
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

/** Adds values at the end of a list. All other characters stay. Values are YAML on one line. */
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

/** Replaces the value at a path. `value` is as in {@link withEntry}. */
export function withValue(text: string, path: NodePath, value: string): string {
  const node = nodeAt(text, path);
  const [start, end] = node?.range ?? [];
  if (start === undefined || end === undefined) {
    throw new InternalError(`no value at ${path.join('.')}`);
  }
  const whole = text.slice(start, end);
  if (whole === '') {
    // A key without a value: the rest of its line is a comment.
    const head = text.slice(0, start).replace(/[ \t]+$/, '');
    return `${head} ${value}${text.slice(head.length)}`;
  }
  return `${text.slice(0, start)}${value}${text.slice(start + whole.trimEnd().length)}`;
}

/**
 * Replaces a string at a path. A block scalar (`|`) stays one, and its unchanged lines stay as they
 * are. Any other string gets double quotes.
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

/** Replaces the value of a block scalar by line: each line of the block is a line of its value. */
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

/** The indent of a block scalar; undefined for a block without text. */
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

/** True when a path has a value; false for a key without one. */
export function hasValue(text: string, path: NodePath): boolean {
  const node = nodeAt(text, path);
  return isCollection(node) || (isScalar(node) && node.value !== null);
}

/** True when a path has a key, with or without a value. */
export function hasKey(text: string, path: NodePath): boolean {
  return nodeAt(text, path) !== undefined;
}

/**
 * True when the node at a path, or one around it, has an anchor that an alias uses: a change of one
 * changes the other.
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
  // The text before the first key is its indent, with the dash of a list.
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

/** Inserts lines at the start of a line, or at the end of a text without a final line break. */
function withLines(text: string, at: number, added: readonly string[]): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const head = text.slice(0, at);
  const gap = head === '' || head.endsWith('\n') ? '' : newline;
  return `${head}${gap}${added.join('')}${text.slice(at)}`;
}

/** The start of the line after a block collection, without its trailing empty lines. */
function lineAfter(text: string, collection: YAMLMap | YAMLSeq): number {
  const whole = text.slice(0, collection.range?.[1]);
  const end = text.indexOf('\n', wholeEnd(whole, lastOf(collection)));
  return end < 0 ? text.length : end + 1;
}

/**
 * The end of a collection without trailing empty lines. A block scalar (`|`, `>`) keeps them if it
 * has `+`, or spaces in them.
 */
function wholeEnd(whole: string, last: Node | null): number {
  const end = whole.trimEnd().length;
  const isBlock = isScalar(last) && (last.type === 'BLOCK_LITERAL' || last.type === 'BLOCK_FOLDED');
  if (!isBlock) return end;
  const [start] = last.range ?? [0];
  const [head = '', ...lines] = whole.slice(start).split('\n');
  const keepsLines = /^[|>][0-9]*\+/.test(head) || lines.some((line) => /^[ \t]+\r?$/.test(line));
  // The last line break belongs to the block.
  return keepsLines ? Math.max(end, last.range?.[1] ?? 0) - 1 : end;
}

/** The last node in a collection, at any depth. */
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
