import { Yaml } from 'cdk8s';
import { isList, type Tree } from './manifest.ts';

/**
 * The text of one YAML file: byte for byte what cdk8s' `Yaml.stringify(...documents)` gives, which
 * takes ten times as long. Documents are trees: no object stands in two places of one document.
 */
export function yamlText(documents: readonly Tree[]): string {
  return documents.map((document) => plainText(document) ?? Yaml.stringify(document)).join('---\n');
}

/**
 * The text of a document in which every key and scalar is plainly safe, or undefined when one is
 * not: then cdk8s has to write the whole document.
 */
export function plainText(document: Tree): string | undefined {
  return isFilledMap(document) ? mapText(document, '') : undefined;
}

function mapText(map: { readonly [key: string]: Tree }, indent: string): string | undefined {
  let text = '';
  for (const key of Object.keys(map)) {
    const keyText = key.length > 0 && key.length <= longestKey ? stringText(key) : undefined;
    const value = valueText(map[key], indent);
    if (keyText === undefined || value === undefined) return undefined;
    // The first key of a map in a list stands behind the dash: the caller wrote its indent.
    text += text === '' ? `${keyText}:${value}` : `${indent}${keyText}:${value}`;
  }
  return text;
}

function listText(list: readonly Tree[], indent: string): string | undefined {
  let text = '';
  for (const item of list) {
    const itemText = isFilled(item) ? filledText(item, `${indent}  `) : scalarLine(item);
    if (itemText === undefined) return undefined;
    text += text === '' ? `- ${itemText}` : `${indent}- ${itemText}`;
  }
  return text;
}

function valueText(value: Tree | undefined, indent: string): string | undefined {
  if (value === undefined) return undefined;
  const deeper = `${indent}  `;
  const text = isFilled(value) ? filledText(value, deeper) : scalarLine(value);
  if (text === undefined) return undefined;
  return isFilled(value) ? `\n${deeper}${text}` : ` ${text}`;
}

function filledText(value: Filled, indent: string): string | undefined {
  return isList(value)
    ? listText(value, indent)
    : mapText(value as { readonly [key: string]: Tree }, indent);
}

function scalarLine(value: Tree): string | undefined {
  const text = scalarText(value);
  return text === undefined ? undefined : `${text}\n`;
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

type Filled = readonly Tree[] | { readonly [key: string]: Tree };

function isFilled(value: Tree): value is Filled {
  return (
    isFilledMap(value) ||
    (typeof value === 'object' && value !== null && isList(value) && value.length > 0)
  );
}

function isFilledMap(value: Tree): value is { readonly [key: string]: Tree } {
  if (typeof value !== 'object' || value === null || isList(value)) return false;
  for (const _ in value) return true;
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
