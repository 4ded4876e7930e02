import { Document, visit } from 'yaml';

/** Words, names, label keys: a letter first, and nothing that YAML gives a meaning, as `e3`. */
const word = /^(?![eE]-?[0-9]+$)[A-Za-z][A-Za-z0-9_./=,@-]*$/;
/** The words that YAML 1.1 reads as something else, in lower case; some only in some cases. */
const otherThanText = new Set(['y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null']);
/** Four decimal parts; with a prefix length, or to another address. */
const ipv4 = /^\d+\.\d+\.\d+\.\d+(\/\d+|-\d+\.\d+\.\d+\.\d+)?$/;
/** IPv6 with `::`; without it, digits alone would be a base-60 number, so a letter must be there. */
const shortIPv6 = /^[0-9a-f][0-9a-f:]*::[0-9a-f:]*[0-9a-f](\/\d+)?$|^[0-9a-f][0-9a-f:]*::\/\d+$/;
const longIPv6 = /^(?=[0-9:]*[a-f])[0-9a-f]+(:[0-9a-f]+){7}(\/\d+)?$/;
/** An address of each family. */
const bothFamilies =
  /^\d+\.\d+\.\d+\.\d+,[0-9a-f]+:[0-9a-f:]*[0-9a-f]$|^[0-9a-f]+:[0-9a-f:]*[0-9a-f],\d+\.\d+\.\d+\.\d+$/;
/** base32hex that starts with a digit, with a letter that no way to write a number has. */
const hashed = /^[0-9][0-9a-w]*[ghj-lp-su-w][0-9a-w]*$/;
/** The name of a port: `80-tcp`. */
const portName = /^[0-9]+-[a-z]+$/;

/**
 * True when every reader of YAML takes these characters for a text when they stand without quotes, be it of YAML 1.2 or
 * 1.1, or Go's libraries, which go by neither: to those `0o7`, `1_000` and `1.5e3_` are numbers. Of a name or an address
 * it is true mostly; of a text that it does not know it is false.
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
 * True when no reader of YAML takes these characters for anything but a text, if they may stand without quotes at all: beside
 * what is certain, what starts with a letter, a slash or a parenthesis, as no number and no date does.
 */
export function readsAsText(text: string): boolean {
  return isPlainString(text) || (letterFirst.test(text) && !isKeyword(text));
}

const letterFirst = /^(?![eE]-?[0-9]+$)[\p{L}/(]/u;

function isKeyword(text: string): boolean {
  return text.length <= 5 && otherThanText.has(text.toLowerCase());
}

/** What a terminal would obey, or would not show. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/**
 * An answer as YAML 1.2, ending in a line break. Texts in it may come from tenants and commit messages: what a
 * terminal would obey stands in quotes, escaped.
 */
export function answerYaml(answer: object): string {
  return shownYaml(new Document(answer));
}

/** The text of a YAML document, in which nothing is what a terminal would obey. */
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

/** As YAML escapes in double quotes: by eight hex digits. */
function escaped(character: string): string {
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
}

/**
 * The comment by which editors with the YAML language server find the schema of a file: in the leasehold that npm
 * installed, so that it is that of the version in use. `path` is the file's, below the folder with `package.json`.
 */
export function schemaLine(path: string, schema: string): string {
  const up = '../'.repeat(path.split('/').length - 1);
  return `# yaml-language-server: $schema=${up}node_modules/leasehold/docs/schemas/${schema}.schema.json`;
}
