/**
 * Makes a text safe for a terminal, a log and a single line: replaces control characters, line
 * breaks, bidirectional controls and lone surrogates by `?`. Texts in messages can come from
 * tenants.
 */
export function sanitize(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '?');
}

/** The text with what {@link sanitize} replaces as escapes: `\\u202e`. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\t' ? '\\t' : escaped(character),
  );
}

/**
 * Prints JSON with an indent of two and a final line break. Control characters are escaped, also
 * those that JSON allows.
 */
export function sanitizedJson(value: object): string {
  const text = JSON.stringify(value, null, 2);
  return `${text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)}\n`;
}

/** Escapes each UTF-16 unit by four hex digits, as JSON does. */
function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Escapes a text for an HTML element or a quoted attribute. */
export function htmlText(text: string): string {
  return sanitize(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Text that is HTML already. Made by {@link html} only. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template: HTML as it is, any other text escaped, or a list of HTML. */
type Value = Html | string | number | readonly Html[];

/** HTML from a template. Values are allowed between tags and in quoted attributes only. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  const texts = values.map(valueText);
  return new Html(parts.map((part, index) => `${part}${texts[index] ?? ''}`).join(''));
}

/** Empty HTML. */
export const nothing = new Html('');

function valueText(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return htmlText(String(value));
  return value.map(({ text }) => text).join('');
}

/**
 * Prints rows as CSV (RFC 4180 with line feeds). The header names the field of each column. A list is
 * one cell, with spaces; a field that a row lacks is empty. No cell is read as a formula by a
 * spreadsheet.
 */
export function csvText(header: string, rows: readonly object[]): string {
  const names = header.split(',');
  const lines = rows.map((row) =>
    names.map((name) => csvCell(row[name as keyof typeof row])).join(','),
  );
  return [header, ...lines].map((line) => `${line}\n`).join('');
}

function csvCell(value: unknown): string {
  const shown = sanitize(Array.isArray(value) ? value.join(' ') : String(value ?? ''));
  const safe = /^[=+\-@]/.test(shown) ? `'${shown}` : shown;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A word as a POSIX shell reads it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
