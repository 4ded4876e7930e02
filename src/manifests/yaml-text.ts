import { Yaml } from 'cdk8s';
import { isPlainString, readsAsText } from '../text/yaml/yaml-output.ts';
import { isList, orderedKeys, type Tree, type TreeMap } from './manifest.ts';

/**
 * The text of one YAML file: its documents in the order of {@link orderedKeys}, laid out as cdk8s' `Yaml.stringify` does,
 * in a tenth of the time. A text stands without quotes only where every reader takes it for one; Go's, which read the
 * manifests, know more numbers than the YAML that cdk8s writes.
 */
export function yamlText(documents: readonly TreeMap[]): string {
  const texts = documents.map((one) => (isFilledMap(one) ? mapText(one, '') : '{}\n'));
  // A text grown by += keeps all its parts in memory as long as it lives; one that is joined does not.
  return [texts.join('---\n'), ''].join('');
}

/** The caller writes the indent of the first line. */
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

/** What was found of keys: there are few, and every object has them again. */
const keyTexts = new Map<string, string>();
const mostKeyTexts = 1000;

/** A key on one line. Those of Kubernetes objects have at most 317 characters; readers take 1024. */
function keyText(key: string): string {
  const known = keyTexts.get(key);
  if (known !== undefined) return known;
  const text = isPlainString(key) ? key : quoted(key);
  if (keyTexts.size < mostKeyTexts) keyTexts.set(key, text);
  return text;
}

/** `indent` is that of the key or the item which the scalar is of. */
function scalarText(value: Tree, indent: string): string {
  if (typeof value === 'string') return stringText(value, indent);
  if (typeof value === 'object' && value !== null) return isList(value) ? '[]' : '{}';
  return typeof value === 'number' && !Number.isSafeInteger(value)
    ? Yaml.stringify(value).trimEnd()
    : String(value);
}

/** A whole number, which is text only in quotes. */
const digits = /^-?[0-9]+$/;

/** As cdk8s writes it, where that is certainly read as this text; else in quotes. */
function stringText(text: string, indent: string): string {
  if (isPlainString(text)) return text;
  if (text === '' || digits.test(text) || isUnseen.test(text)) return quoted(text);
  // Go's readers refuse some blocks of lines that start with white space.
  if (/^\s/.test(text)) return quoted(text);
  const written = Yaml.stringify({ a: text }).slice('a: '.length, -1);
  if (written.startsWith('|')) return written.replace(/\n(?!\n|$)/g, `\n${indent}`);
  if (written.includes('\n')) return quoted(text);
  return written !== text || readsAsText(text) ? written : quoted(text);
}

/** What readers refuse, take for the end of a line, or nobody sees. */
const isUnseen = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/u;

/** In double quotes, on one line: JSON, in which what is not seen is escaped too. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped);
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}
