import { Document, stringify, visit } from 'yaml';

/** Words, names, label keys: a letter first, and nothing with a meaning in YAML, such as `e3`. */
const word = /^(?![eE]-?[0-9]+$)[A-Za-z][A-Za-z0-9_./=,@-]*$/;
/** Words that YAML 1.1 does not read as strings, in lower case; some of them only in some cases. */
const otherThanText = new Set(['y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null']);
/** An IPv4 address, a CIDR block or a range. */
const ipv4 = /^\d+\.\d+\.\d+\.\d+(\/\d+|-\d+\.\d+\.\d+\.\d+)?$/;
/** IPv6 with `::`. IPv6 without it needs a letter, because digits alone are a base-60 number. */
const shortIPv6 = /^[0-9a-f][0-9a-f:]*::[0-9a-f:]*[0-9a-f](\/\d+)?$|^[0-9a-f][0-9a-f:]*::\/\d+$/;
const longIPv6 = /^(?=[0-9:]*[a-f])[0-9a-f]+(:[0-9a-f]+){7}(\/\d+)?$/;
/** An address of each family. */
const bothFamilies =
  /^\d+\.\d+\.\d+\.\d+,[0-9a-f]+:[0-9a-f:]*[0-9a-f]$|^[0-9a-f]+:[0-9a-f:]*[0-9a-f],\d+\.\d+\.\d+\.\d+$/;
/** base32hex that starts with a digit and has a letter that no number has. */
const hashed = /^[0-9][0-9a-w]*[ghj-lp-su-w][0-9a-w]*$/;
/** The name of a port: `80-tcp`. */
const portName = /^[0-9]+-[a-z]+$/;

/**
 * True for a string that every YAML reader reads as a string without quotes: readers of YAML 1.2,
 * of YAML 1.1, and Go's libraries, which follow neither and read `0o7`, `1_000` and `1.5e3_` as
 * numbers. Recognizes most names and addresses; false for any other string.
 */
export function isPlainString(text: string): boolean {
  if (word.test(text)) return !isKeyword(text);
  return (
    ipv4.test(text) ||
    hashed.test(text) ||
    portName.test(text) ||
    shortIPv6.test(text) ||
    longIPv6.test(text) ||
    bothFamilies.test(text)
  );
}

/**
 * True for a string that no YAML reader reads as another type, if the string is allowed without
 * quotes at all: also those that start with a letter, a slash or a parenthesis, which numbers and
 * dates do not.
 */
export function readsAsText(text: string): boolean {
  return isPlainString(text) || (letterFirst.test(text) && !isKeyword(text));
}

const letterFirst = /^(?![eE]-?[0-9]+$)[\p{L}/(]/u;

/** True for a word that YAML 1.1 reads as a boolean or as null, in upper or lower case. */
export function isKeyword(text: string): boolean {
  return text.length <= 5 && otherThanText.has(text.toLowerCase());
}

/** Control characters and invisible characters. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/**
 * Prints an answer as YAML 1.2, ending in a line break. Control characters are escaped, because
 * texts can come from tenants and commit messages.
 */
export function answerYaml(answer: object): string {
  return shownYaml(new Document(answer));
}

/** Prints a YAML document with control characters escaped. */
export function shownYaml(document: Document): string {
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === 'string' && unseen.test(scalar.value)) {
        scalar.type = 'QUOTE_DOUBLE';
      }
    },
  });
  return document.toString({ lineWidth: 0 }).replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}

/** Escapes a character by eight hex digits, as YAML does in double quotes. */
function escaped(character: string): string {
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
}

/**
 * The comment by which the YAML language server finds the schema of a file: in node_modules, so
 * that it matches the installed version. `path` is the path of the file below the folder with
 * `package.json`.
 */
export function schemaLine(path: string, schema: string): string {
  const up = '../'.repeat(path.split('/').length - 1);
  return `# yaml-language-server: $schema=${up}node_modules/leasehold/docs/schemas/${schema}.schema.json`;
}

/**
 * {@link schemaLine} with the place of the schemas that the pool file names, which may be another
 * one: a folder of the repository, or an URL.
 */
export function schemaLineLike(poolsText: string, path: string, schema: string): string {
  const [, place] =
    /^\uFEFF?# yaml-language-server: \$schema=((?:\.\.\/|https:\/\/)\S*)pools\.schema\.json\s*$/m.exec(
      poolsText,
    ) ?? [];
  if (place === undefined) return schemaLine(path, schema);
  const up = '../'.repeat(path.split('/').length - 1);
  const own = place.startsWith('../') ? `${up}${place.slice('../'.length)}` : place;
  return `# yaml-language-server: $schema=${own}${schema}.schema.json`;
}

/** YAML on one line, quoted where the plain form would be ambiguous, also inside a flow mapping. */
export function flow(value: unknown): string {
  const [text = ''] = stringify([value], {
    collectionStyle: 'flow',
    lineWidth: 0,
    singleQuote: true,
  }).split('\n');
  return text.replace(/^\[ /, '').replace(/ \]$/, '').replaceAll('[ ', '[').replaceAll(' ]', ']');
}
