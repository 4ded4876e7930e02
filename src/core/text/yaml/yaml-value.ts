import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import type { Position, Problem } from '../../model/problem.ts';
import { forbiddenCharacter, mostProblems } from './yaml-text.ts';
import { deepestNesting } from './yaml-tokens.ts';

/** The key that merges mappings in. */
export const mergeKey = '<<';

/** The most values that the aliases of a document can expand to. */
const mostAliased = 10_000;

/** A number that is not in plain decimal: `010`, `0x10`, `1e3`, or with lost digits. */
export interface NonCanonicalNumber {
  readonly path: readonly PropertyKey[];
  readonly source: string;
}

/** The values of a document. */
export interface YamlValue {
  /** Plain data. Mappings have no prototype, so any word can be a key. */
  readonly value: unknown;
  /** Aliases with their nodes. */
  readonly targets: ReadonlyMap<Alias, Node>;
  readonly nonCanonicalNumbers: readonly NonCanonicalNumber[];
  readonly problems: readonly Problem[];
}

/** The options of a document beside mappings with strings as keys. */
export interface ValueRules {
  /** True when the key `<<` merges mappings, as in YAML 1.1. */
  readonly merges: boolean;
  /** True when a key can be a number or a boolean. It is read as the string that is written. */
  readonly scalarKeys?: boolean;
  /** True when the file can have further documents. */
  readonly isStream?: boolean;
  /** True to allow forbidden characters in strings. The caller must check them. */
  readonly anyCharacter?: boolean;
}

interface Build {
  readonly rules: ValueRules;
  readonly at: (offset: number) => Position;
  readonly targets: Map<Alias, Node>;
  readonly anchors: Map<string, Node>;
  readonly nonCanonicalNumbers: NonCanonicalNumber[];
  readonly problems: Problem[];
  readonly path: PropertyKey[];
  /** True when the root has a second apiVersion or kind: a second object, which is not read. */
  hasSecond: boolean;
  /** The depth of nested aliases. */
  inside: number;
  aliased: number;
}

/**
 * Builds the data of a document. Problems: YAML_DUPLICATE_KEY, FIELD_TYPE for a key that is not a
 * string, FIELD_UNKNOWN for the key `__proto__`, FILE_ENCODING for a forbidden character of an
 * escape, YAML_ALIAS and YAML_DEPTH for aliases without an anchor, within their own anchor, or with
 * too many values, and for a merge key without mappings. Merged entries come after a mapping's own.
 */
export function buildValue(
  root: Node,
  rules: ValueRules,
  at: (offset: number) => Position,
): YamlValue {
  const build: Build = {
    rules,
    at,
    targets: new Map(),
    anchors: new Map(),
    nonCanonicalNumbers: [],
    problems: [],
    path: [],
    hasSecond: false,
    inside: 0,
    aliased: 0,
  };
  const value = buildNode(build, root);
  const { targets, nonCanonicalNumbers, problems } = build;
  return { value, targets, nonCanonicalNumbers, problems };
}

function buildNode(build: Build, node: unknown): unknown {
  if (isAlias(node)) return buildAlias(build, node);
  if (build.inside > 0) build.aliased += 1;
  if (isScalar(node)) {
    if (node.anchor !== undefined && build.inside === 0) build.anchors.set(node.anchor, node);
    return buildScalar(build, node.value, node);
  }
  if (isMap(node) || isSeq(node)) {
    if (node.anchor !== undefined && build.inside === 0) build.anchors.set(node.anchor, node);
    if (build.path.length >= deepestNesting) {
      refuse(build, 'YAML_DEPTH', node, `nested deeper than ${deepestNesting} levels`);
      return null;
    }
    return isMap(node) ? buildMap(build, node) : buildList(build, node.items);
  }
  return null;
}

function buildScalar(build: Build, value: unknown, node: Node & { source?: string }): unknown {
  if (typeof value === 'string' && !build.rules.anyCharacter) {
    const character = forbiddenCharacter(value);
    if (character !== undefined) {
      refuse(build, 'FILE_ENCODING', node, `the text holds ${character}, which is not allowed`);
    }
  }
  if (typeof value === 'number' && node.source !== undefined && String(value) !== node.source) {
    build.nonCanonicalNumbers.push({ path: [...build.path], source: node.source });
  }
  return value;
}

function buildMap(build: Build, map: YAMLMap): unknown {
  const value: Record<string, unknown> = Object.create(null);
  const merged: object[] = [];
  for (const { key, value: node } of map.items) {
    const name = buildKey(build, key ?? map);
    if (name === mergeKey && build.rules.merges) {
      merged.push(...buildMerge(build, node, map));
    } else if (name !== undefined && name in value) {
      refuseSecond(build, name, key, map);
    } else if (name !== undefined) {
      build.path.push(name);
      value[name] = buildNode(build, node);
      build.path.pop();
    }
  }
  for (const [name, part] of merged.flatMap((source) => Object.entries(source))) {
    if (!(name in value)) value[name] = part;
  }
  return value;
}

/**
 * Reports a duplicate key. A second apiVersion or kind at the root starts a second object and is
 * reported once.
 */
function refuseSecond(build: Build, name: string, key: unknown, map: YAMLMap): void {
  if (build.hasSecond) return;
  build.hasSecond = build.path.length === 0 && (name === 'apiVersion' || name === 'kind');
  const message = `the key '${name}' is twice in one mapping`;
  const apart = build.rules.isStream ? 'put --- between them' : 'put each into a file of its own';
  const hint = build.hasSecond ? { hint: `if these are two objects, ${apart}` } : {};
  build.problems.push({
    code: 'YAML_DUPLICATE_KEY',
    message,
    at: placeOf(build, key),
    also: build.problems.length < mostProblems ? [placeOf(build, firstKey(build, name, map))] : [],
    ...hint,
  });
}

function firstKey(build: Build, name: string, map: YAMLMap): unknown {
  return map.items.find(({ key }) => isScalar(key) && nameOf(build, key) === name)?.key;
}

/** The text of a key; undefined for a key that is not allowed. */
function buildKey(build: Build, key: unknown): string | undefined {
  const name = isScalar(key) ? nameOf(build, key) : undefined;
  if (typeof name !== 'string') {
    refuse(build, 'FIELD_TYPE', key, `a key is ${wordFor(key)}, expected a string`);
    return undefined;
  }
  buildScalar(build, name, key as Node);
  if (name !== '__proto__') return name;
  refuse(build, 'FIELD_UNKNOWN', key, `the field '__proto__' is unknown`);
  return undefined;
}

function nameOf({ rules }: Build, { value, source }: Scalar): unknown {
  const isPlain = typeof value === 'number' || typeof value === 'boolean';
  return rules.scalarKeys && isPlain ? (source ?? String(value)) : value;
}

/** The mappings of a merge key, in the order of precedence. `map` is the map of the key. */
function buildMerge(build: Build, node: unknown, map: YAMLMap): object[] {
  build.path.push(mergeKey);
  const value = buildNode(build, node);
  build.path.pop();
  const sources: unknown[] = Array.isArray(value) ? value : [value];
  const mappings = sources.filter((source) => isMapping(source));
  if (mappings.length < sources.length) {
    refuse(
      build,
      'YAML_ALIAS',
      node ?? map,
      'a merge key (<<) takes a mapping or a list of mappings',
    );
  }
  return mappings;
}

function isMapping(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function buildList(build: Build, items: readonly unknown[]): unknown[] {
  return items.map((item, index) => {
    build.path.push(index);
    const value = buildNode(build, item);
    build.path.pop();
    return value;
  });
}

function buildAlias(build: Build, alias: Alias): unknown {
  const target = build.targets.get(alias) ?? build.anchors.get(alias.source);
  if (target === undefined) {
    refuse(build, 'YAML_ALIAS', alias, `the alias *${alias.source} has no anchor before it`);
    return null;
  }
  build.targets.set(alias, target);
  if (isWithin(alias, target)) {
    refuse(build, 'YAML_ALIAS', alias, `the alias *${alias.source} is inside its own anchor`);
    return null;
  }
  if (build.aliased > mostAliased || build.inside >= deepestNesting) {
    if (!build.problems.some((problem) => problem.code === 'YAML_ALIAS')) {
      refuse(build, 'YAML_ALIAS', alias, 'the aliases expand to too many values');
    }
    return null;
  }
  build.inside += 1;
  build.aliased += 1;
  const value = buildNode(build, target);
  build.inside -= 1;
  return value;
}

function isWithin(alias: Alias, target: Node): boolean {
  const [at = 0] = alias.range ?? [];
  const [start = 0, , end = 0] = target.range ?? [];
  return start <= at && at < end;
}

function wordFor(key: unknown): string {
  if (isScalar(key)) return key.value === null ? 'empty' : `the ${typeof key.value} ${key.value}`;
  return isAlias(key) ? 'an alias' : 'a list or mapping';
}

function refuse(build: Build, code: Problem['code'], node: unknown, message: string): void {
  build.problems.push({ code, message, at: placeOf(build, node) });
}

function placeOf({ at }: Build, node: unknown): Position {
  const [offset] = (node as Node).range ?? [0];
  return at(offset);
}
