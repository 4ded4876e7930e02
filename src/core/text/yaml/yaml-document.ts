import {
  type Alias,
  Composer,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  visit,
  type YAMLMap,
  type YAMLParseError,
} from 'yaml';
import {
  compareProblems,
  fail,
  InternalError,
  type Outcome,
  ok,
  type Position,
  type Problem,
  startOf,
} from '../../model/problem.ts';
import { valueAt } from '../message-text.ts';
import type { YamlDocument } from './document.ts';
import { indentQuotes } from './loose-quotes.ts';
import { type PlainPlaces, plainPlaces, readPlainYaml } from './plain-yaml.ts';
import { syntaxProblem } from './syntax-problem.ts';
import { isPlainText, mostProblems, placesIn, readText, type TextRules } from './yaml-text.ts';
import { type AliasRule, checkTokens, type TagRule, tokensOf } from './yaml-tokens.ts';
import { buildValue, mergeKey, type ValueRules } from './yaml-value.ts';

/**
 * Reads the one document of a YAML 1.2 file (core schema, no tags, no merge keys). Problems, each
 * at its place: FILE_TOO_LARGE, FILE_ENCODING, YAML_CONFLICT, YAML_SYNTAX, YAML_DUPLICATE_KEY,
 * YAML_DOCUMENTS, YAML_ALIAS, YAML_TAG, YAML_DEPTH, and FIELD_TYPE for a key that is not a string.
 * It is fast and does not throw for any bytes. `looseQuotes` applies {@link indentQuotes}.
 */
export function readYaml(
  file: string,
  bytes: Uint8Array,
  aliases: AliasRule,
  { looseQuotes = false }: { readonly looseQuotes?: boolean } = {},
): Outcome<YamlDocument> {
  const text = readText(file, bytes);
  if (!text.ok) return text;
  const plain = readPlainDocument(file, text.value);
  return plain
    ? ok(plain)
    : readAnyYaml(file, looseQuotes ? indentQuotes(text.value) : text.value, aliases);
}

/** Reads a plain text; undefined when `yaml` must read it. */
function readPlainDocument(file: string, text: string): YamlDocument | undefined {
  const plain = isPlainText(text) ? readPlainYaml(text) : undefined;
  if (!plain) return undefined;
  const { value, starts } = plain;
  const placeOf = placesIn(file, text);
  let read: PlainPlaces | undefined;
  // The places of mappings are known. For any other place the text is read again.
  const places = (): PlainPlaces => {
    read ??= plainPlaces(text);
    if (!read) throw new InternalError(`${file} is plain YAML, and is not read again`);
    return read;
  };
  return {
    file,
    value,
    nonCanonicalNumbers: [],
    at: (path) => placeOf(starts.get(Object(valueAt(value, path))) ?? places().at(path)),
    keyAt: (path) => placeOf(places().keyAt(path)),
  };
}

/** Reads a document by the `yaml` package. */
export function readAnyYaml(file: string, text: string, aliases: AliasRule): Outcome<YamlDocument> {
  const parsed = parsedYaml(file, text, { aliases, tags: 'refused' });
  if (!parsed.ok) return parsed;
  const { documents, at } = parsed.value;
  const [document, second] = documents;
  if (second) return failed([documentsProblem('more than one document', at(second.range[0]))]);
  const root = document && rootOf(document);
  if (!root) return failed([documentsProblem('no document', startOf(file))]);
  return builtDocument(root, { merges: aliases !== 'refused' }, at);
}

/** A scalar of a YAML file with its place. */
export interface PlacedScalar {
  readonly value: unknown;
  readonly at: Position;
}

/**
 * The scalars of a YAML file in its order, keys included. A file with aliases and loosely indented
 * quotes is read as by {@link readYaml}. Problems: FILE_TOO_LARGE, FILE_ENCODING, YAML_CONFLICT,
 * YAML_SYNTAX, YAML_ALIAS, YAML_TAG and YAML_DEPTH.
 */
export function readScalars(
  file: string,
  bytes: Uint8Array,
  aliases: AliasRule,
): Outcome<readonly PlacedScalar[]> {
  const text = readText(file, bytes);
  if (!text.ok) return text;
  const parsed = parsedYaml(file, indentQuotes(text.value), { aliases, tags: 'refused' });
  if (!parsed.ok) return parsed;
  const { documents, at } = parsed.value;
  const scalars: PlacedScalar[] = [];
  for (const document of documents) {
    visit(document, {
      Scalar: (_, node) => void scalars.push({ value: node.value, at: at(startOfNode(node)) }),
    });
  }
  return ok(scalars);
}

/** The largest file to import: 8 MiB. */
export const largestSourceFile = 8 * 1024 * 1024;

/** The most aliases of a document in a file to import. */
const mostForeignAliases = 1000;

/**
 * Reads all documents of a file of another program. Aliases, merge keys, tags and numbers as keys
 * are allowed; with `anyCharacter` also characters that are forbidden in declarations. Empty
 * documents are ignored. Problems: those of {@link readYaml} except YAML_DOCUMENTS and YAML_TAG.
 */
export function readYamlStream(
  file: string,
  bytes: Uint8Array,
  { anyCharacter = false }: Pick<TextRules, 'anyCharacter'> = {},
): Outcome<readonly YamlDocument[]> {
  const text = readText(file, bytes, { mostBytes: largestSourceFile, anyCharacter });
  if (!text.ok) return text;
  const rules = { aliases: mostForeignAliases, tags: 'allowed' } as const;
  const parsed = parsedYaml(file, text.value, rules);
  if (!parsed.ok) return parsed;
  const { documents, at } = parsed.value;
  const read = documents
    .flatMap((document) => rootOf(document) ?? [])
    .map((root) =>
      builtDocument(root, { merges: true, scalarKeys: true, isStream: true, anyCharacter }, at),
    );
  const problems = read.flatMap((outcome) => (outcome.ok ? [] : outcome.problems));
  if (problems.length > 0) return failed(problems);
  return ok(read.flatMap((outcome) => (outcome.ok ? [outcome.value] : [])));
}

interface ParsedYaml {
  readonly documents: readonly Document.Parsed[];
  readonly at: (offset: number) => Position;
}

function parsedYaml(
  file: string,
  text: string,
  rules: { readonly aliases: AliasRule; readonly tags: TagRule },
): Outcome<ParsedYaml> {
  const lines = new LineCounter();
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const tokens = tokensOf(text, lines.addNewLine);
  const refused = checkTokens(tokens, rules.aliases, at, rules.tags);
  if (refused.length > 0) return failed(refused);
  const composer = new Composer(composing);
  const documents = withoutStacks(() => [...composer.compose(tokens, true, text.length)]);
  const end = text.trimEnd().length - 1;
  // What is open at the end of the file is shown at its last character.
  const shown = (offset: number): Position => at(Math.max(0, Math.min(offset, end)));
  const error = firstError(documents);
  if (error) return failed([syntaxProblem(error, { text, tokens, at: shown })]);
  return ok({ documents, at });
}

/** Only tags of the core schema are resolved, so no tag makes a Uint8Array or a Date. */
const composing = {
  version: '1.2',
  merge: false,
  uniqueKeys: false,
  resolveKnownTags: false,
} as const;

/** Runs without stack traces: a hostile file can cause hundreds of thousands of errors. */
function withoutStacks<Value>(work: () => Value): Value {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The root node of a document; undefined for an empty one. */
function rootOf({ contents }: Document.Parsed): Node | undefined {
  return !contents || (isScalar(contents) && contents.value === null) ? undefined : contents;
}

function builtDocument(
  root: Node,
  rules: ValueRules,
  at: (offset: number) => Position,
): Outcome<YamlDocument> {
  const { value, nonCanonicalNumbers, targets, problems } = buildValue(root, rules, at);
  if (problems.length > 0) return failed(problems);
  return ok({
    file: at(0).file,
    value,
    nonCanonicalNumbers,
    at: (path) => at(startOfNode(nodeAt(root, path, targets))),
    keyAt: (path) => {
      const parent = nodeAt(root, path.slice(0, -1), targets);
      return at(startOfNode(keyNode(parent, path.at(-1)) ?? nodeAt(root, path, targets)));
    },
  });
}

/** The first error: later ones are usually caused by it. */
function firstError(documents: readonly Document.Parsed[]): YAMLParseError | undefined {
  let first: YAMLParseError | undefined;
  for (const { errors } of documents) {
    for (const error of errors) if (!first || error.pos[0] < first.pos[0]) first = error;
  }
  return first;
}

function documentsProblem(found: string, at: Position): Problem {
  return { code: 'YAML_DOCUMENTS', message: `the file has ${found}, expected exactly one`, at };
}

function failed(problems: readonly Problem[]): Outcome<never> {
  return fail([...problems].sort(compareProblems).slice(0, mostProblems));
}

/** The node at a path, or the deepest existing one above it. */
function nodeAt(root: Node, path: readonly PropertyKey[], targets: ReadonlyMap<Alias, Node>): Node {
  let node = root;
  for (const step of path) {
    const parent = isAlias(node) ? (targets.get(node) ?? node) : node;
    const child = isSeq(parent) ? parent.items[Number(step)] : valueNode(parent, step, targets);
    if (!child) return node;
    node = child as Node;
  }
  return node;
}

/** The value node of a key of a mapping, its own or a merged one. */
function valueNode(parent: unknown, key: PropertyKey, targets: ReadonlyMap<Alias, Node>): unknown {
  if (!isMap(parent)) return undefined;
  const own = pairsOf(parent).get(key)?.value;
  if (own) return own;
  const merges = parent.items.filter((pair) => keyValue(pair.key) === mergeKey);
  for (const source of merges.flatMap((pair) => sourcesOf(pair.value, targets))) {
    const found = valueNode(source, key, targets);
    if (found) return found;
  }
  return undefined;
}

function sourcesOf(node: unknown, targets: ReadonlyMap<Alias, Node>): readonly unknown[] {
  const target = isAlias(node) ? targets.get(node) : node;
  return isSeq(target) ? target.items.flatMap((item) => sourcesOf(item, targets)) : [target];
}

function keyNode(parent: Node, key: PropertyKey | undefined): Node | undefined {
  if (!isMap(parent)) return undefined;
  return pairsOf(parent).get(key)?.key as Node | undefined;
}

const knownPairs = new WeakMap<YAMLMap, ReadonlyMap<unknown, Pair>>();

/**
 * The pairs of a mapping by key, the first one of a duplicate key. Cached, because files can be
 * hostile.
 */
function pairsOf(map: YAMLMap): ReadonlyMap<unknown, Pair> {
  const known = knownPairs.get(map);
  if (known) return known;
  const pairs = new Map<unknown, Pair>();
  for (const pair of map.items) {
    const name = keyValue(pair.key);
    if (!pairs.has(name)) pairs.set(name, pair);
  }
  knownPairs.set(map, pairs);
  return pairs;
}

function keyValue(key: unknown): unknown {
  return isScalar(key) ? key.value : undefined;
}

function startOfNode(node: Node): number {
  return node.range?.[0] ?? 0;
}
