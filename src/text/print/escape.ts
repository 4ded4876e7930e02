/**
 * A text that is safe to show on a terminal, in a log and in one line: control characters, line
 * breaks, characters that change the direction of writing and halves of characters are replaced by `?`. Texts in messages
 * come from tenants.
 */
export function sanitize(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '?');
}

/**
 * A value as JSON, two spaces deep, ending in a line break. Characters that a terminal would obey are
 * escaped, also those that JSON lets stand.
 */
export function sanitizedJson(value: object): string {
  const text = JSON.stringify(value, null, 2);
  return `${text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)}\n`;
}

/** As JSON escapes: each UTF-16 unit by its four digits. */
function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** A text for HTML, in an element or in a quoted attribute. */
export function htmlText(text: string): string {
  return sanitize(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Text that is HTML already. Only {@link html} makes it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What can stand in a template: HTML as it is, any other text escaped, lists of both. */
type Value = Html | string | number | readonly Html[];

/** HTML from a template. Values can stand between tags and in quoted attributes, and nowhere else. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  const texts = values.map(valueText);
  return new Html(parts.map((part, index) => `${part}${texts[index] ?? ''}`).join(''));
}

/** No HTML at all. */
export const nothing = new Html('');

function valueText(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return htmlText(String(value));
  return value.map(({ text }) => text).join('');
}

/** Rows as CSV (RFC 4180 with line feeds), each as {@link csvLine} has it. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${csvLine(row)}\n`).join('');
}

/** Cells as one line of CSV without its end. No cell is one that a spreadsheet takes for a formula. */
export function csvLine(cells: readonly string[]): string {
  return cells.map(csvCell).join(',');
}

function csvCell(text: string): string {
  const shown = sanitize(text);
  const safe = /^[=+\-@]/.test(shown) ? `'${shown}` : shown;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
