import { Document, visit } from 'yaml';

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
