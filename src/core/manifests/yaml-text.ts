import { stringify } from 'yaml';
import { isKeyword, isPlainString, readsAsText } from '../text/yaml/yaml-output.ts';
import { isList, type Tree, type TreeMap } from './manifest.ts';

/**
 * Prints one YAML file: its documents, with their keys in the order of {@link orderedKeys}. The
 * layout is that of cdk8s' `Yaml.stringify`, in a tenth of the time. A string is unquoted only
 * where every reader takes it for a string: Go's readers, which read the manifests, know more forms
 * of numbers than the YAML that cdk8s writes.
 */
export function yamlText(documents: readonly TreeMap[]): string {
  const texts = documents.map((one) => (isFilledMap(one) ? mapText(one, '') : '{}\n'));
  // A string built by += keeps all its parts in memory; a joined one does not.
  return [texts.join('---\n'), ''].join('');
}

/** The options of cdk8s' `Yaml.stringify`. */
const asCdk8s = { keepUndefined: true, lineWidth: 0, version: '1.1' } as const;

/** Prints a map. The caller prints the indent of the first line. */
function mapText(map: TreeMap, indent: string): string {
  const deeper = `${indent}  `;
  let text = '';
  let lead = '';
  for (const key of orderedKeys(map, indent === '')) {
    const value = map[key];
    if (value === undefined) continue;
    text += isFilled(value)
      ? `${lead}${keyText(key)}:\n${deeper}${filledText(value, deeper)}`
      : `${lead}${keyText(key)}: ${scalarText(value, indent)}\n`;
    lead = indent;
  }
  return text;
}

function listText(list: readonly Tree[], indent: string): string {
  const deeper = `${indent}  `;
  let text = '';
  let lead = '- ';
  for (const item of list) {
    text += isFilled(item)
      ? `${lead}${filledText(item, deeper)}`
      : `${lead}${scalarText(item, indent)}\n`;
    lead = `${indent}- `;
  }
  return text;
}

function filledText(value: Filled, indent: string): string {
  return isList(value) ? listText(value, indent) : mapText(value as TreeMap, indent);
}

type Filled = readonly Tree[] | TreeMap;

function isFilled(value: Tree): value is Filled {
  return (
    isFilledMap(value) ||
    (typeof value === 'object' && value !== null && isList(value) && value.length > 0)
  );
}

function isFilledMap(value: Tree): value is TreeMap {
  if (typeof value !== 'object' || value === null || isList(value)) return false;
  for (const key in value) if (value[key] !== undefined) return true;
  return false;
}

/** A cache of printed keys: all objects have the same few. */
const keyTexts = new Map<string, string>();
const maxKeyTexts = 1000;

/** Prints a key on one line: at most 317 characters in Kubernetes, and readers accept 1024. */
function keyText(key: string): string {
  const known = keyTexts.get(key);
  if (known !== undefined) return known;
  const text = isPlainString(key) ? key : quoted(key);
  if (keyTexts.size < maxKeyTexts) keyTexts.set(key, text);
  return text;
}

/** Prints a scalar. `indent` is that of its key or item. */
function scalarText(value: Tree, indent: string): string {
  if (typeof value === 'string') return stringText(value, indent);
  if (typeof value === 'object' && value !== null) return isList(value) ? '[]' : '{}';
  return typeof value === 'number' && !Number.isSafeInteger(value)
    ? stringify(value, asCdk8s).trimEnd()
    : String(value);
}

/** A whole number: as a string it needs quotes. */
const digits = /^-?[0-9]+$/;

/**
 * Prints a plain string, a whole number or a keyword such as `true`. Their text is the same at
 * every place. Undefined for other strings.
 */
function shortText(text: string): string | undefined {
  if (isPlainString(text)) return text;
  // These have nothing to escape.
  return isKeyword(text) || digits.test(text) ? `"${text}"` : undefined;
}

/** Prints a string as cdk8s does if every reader reads that as this string, else in quotes. */
function stringText(text: string, indent: string): string {
  const short = shortText(text);
  if (short !== undefined) return short;
  if (text === '' || unprintable.test(text)) return quoted(text);
  // Go's readers refuse some block scalars whose first line starts with white space.
  if (/^\s/.test(text)) return quoted(text);
  const written = stringify({ a: text }, asCdk8s).slice('a: '.length, -1);
  if (written.startsWith('|')) return written.replace(/\n(?!\n|$)/g, `\n${indent}`);
  if (written.includes('\n')) return quoted(text);
  return written !== text || readsAsText(text) ? written : quoted(text);
}

/** Characters that readers refuse or take for the end of a line, or that are invisible. */
const unprintable = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/u;

/** Prints a string in double quotes on one line: JSON with invisible characters escaped. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped);
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}

const head = ['apiVersion', 'kind', 'metadata'];

/**
 * Returns the keys of a map by code unit. At the root of an object apiVersion, kind and metadata
 * come first. cdk8s sorts keys or not depending on an environment variable.
 */
function orderedKeys(map: TreeMap, isRoot: boolean): readonly string[] {
  const keys = Object.keys(map);
  // Without a function, sort() compares by code unit, and faster.
  if (!isSorted(keys)) keys.sort();
  if (!isRoot || head.every((key, index) => keys[index] === key)) return keys;
  return [...head.filter((key) => key in map), ...keys.filter((key) => !head.includes(key))];
}

function isSorted(keys: readonly string[]): boolean {
  let previous = '';
  for (const key of keys) {
    if (key < previous) return false;
    previous = key;
  }
  return true;
}
