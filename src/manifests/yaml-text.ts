import { Yaml } from 'cdk8s';
import { isList, ordered, orderedKeys, type Tree, type TreeMap } from './manifest.ts';

/**
 * The text of one YAML file: byte for byte what cdk8s' `Yaml.stringify` gives for the documents in
 * the order of {@link ordered}, which takes ten times as long.
 */
export function yamlText(documents: readonly TreeMap[]): string {
  const texts = documents.map((one) => plainText(one) ?? Yaml.stringify(ordered(one)));
  // A text grown by += keeps all its parts in memory as long as it lives; one that is joined does not.
  return [texts.join('---\n'), ''].join('');
}

/**
 * The text of a document in which every key and scalar is plainly safe, or undefined when one is
 * not: then cdk8s has to write the whole document.
 */
export function plainText(document: TreeMap): string | undefined {
  return isFilledMap(document) ? mapText(document, '') : undefined;
}

/** Undefined when something is not plainly safe. The caller writes the indent of the first line. */
function mapText(map: TreeMap, indent: string): string | undefined {
  const deeper = `${indent}  `;
  let text = '';
  let lead = '';
  for (const key of orderedKeys(map, indent === '')) {
    const value = map[key];
    if (value === undefined) continue;
    const keyText = textOfKey(key);
    const rest = isFilled(value) ? filledText(value, deeper) : scalarText(value);
    if (keyText === undefined || rest === undefined) return undefined;
    text += isFilled(value)
      ? `${lead}${keyText}:\n${deeper}${rest}`
      : `${lead}${keyText}: ${rest}\n`;
    lead = indent;
  }
  return text;
}

function listText(list: readonly Tree[], indent: string): string | undefined {
  const deeper = `${indent}  `;
  let text = '';
  let lead = '- ';
  for (const item of list) {
    const rest = isFilled(item) ? filledText(item, deeper) : scalarText(item);
    if (rest === undefined) return undefined;
    text += isFilled(item) ? `${lead}${rest}` : `${lead}${rest}\n`;
    lead = `${indent}- `;
  }
  return text;
}

function filledText(value: Filled, indent: string): string | undefined {
  return isList(value) ? listText(value, indent) : mapText(value as TreeMap, indent);
}

/** What was found of keys: there are few, and every object has them again. */
const keyTexts = new Map<string, string>();
const mostKeyTexts = 1000;

function textOfKey(key: string): string | undefined {
  const known = keyTexts.get(key);
  if (known !== undefined) return known;
  const isKey = key.length > 0 && key.length <= longestKey && !digits.test(key);
  const text = isKey ? stringText(key) : undefined;
  if (text !== undefined && keyTexts.size < mostKeyTexts) keyTexts.set(key, text);
  return text;
}

function scalarText(value: Tree): string | undefined {
  if (typeof value === 'string') return stringText(value);
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : undefined;
  }
  if (value === null) return undefined;
  return isList(value) ? '[]' : '{}';
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

/** Longer keys need YAML's `? key` form at some length. */
const longestKey = 120;

/** Words, names, label keys: a letter first, and nothing that YAML gives a meaning, as `e3`. */
const word = /^(?![eE]-?[0-9]+$)[A-Za-z][A-Za-z0-9_./=,@-]*$/;
/** The words that YAML 1.1 reads as something else, in lower case; some only in some cases. */
const otherThanText = new Set(['y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null']);
/** A whole number, which is text only in quotes. */
const digits = /^-?[0-9]+$/;
/** Four decimal parts; with a prefix length, or to another address. */
const ipv4 = /^\d+\.\d+\.\d+\.\d+(\/\d+|-\d+\.\d+\.\d+\.\d+)?$/;
/** IPv6 with `::`; without it, digits alone would be a base-60 number, so a letter must be there. */
const shortIPv6 = /^[0-9a-f][0-9a-f:]*::[0-9a-f:]*[0-9a-f](\/\d+)?$|^[0-9a-f][0-9a-f:]*::\/\d+$/;
const longIPv6 = /^(?=[0-9:]*[a-f])[0-9a-f]+(:[0-9a-f]+){7}(\/\d+)?$/;
/** base32hex that starts with a digit, with a letter that no way to write a number has. */
const hashed = /^[0-9][0-9a-w]*[ghj-lp-su-w][0-9a-w]*$/;
/** The name of a port: `80-tcp`. */
const portName = /^[0-9]+-[a-z]+$/;

/** A text as a scalar of one line, or undefined when it is not certain how YAML 1.1 reads it. */
function stringText(text: string): string | undefined {
  if (word.test(text)) {
    if (text.length > 5 || !otherThanText.has(text.toLowerCase())) return text;
    return text === 'true' || text === 'false' ? `"${text}"` : undefined;
  }
  if (text === '' || digits.test(text)) return `"${text}"`;
  const safe =
    ipv4.test(text) ||
    hashed.test(text) ||
    portName.test(text) ||
    shortIPv6.test(text) ||
    longIPv6.test(text);
  return safe ? text : undefined;
}
