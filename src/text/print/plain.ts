/**
 * A text that is safe to show on a terminal, in a log and in one line: control characters, line
 * breaks, characters that change the direction of writing and halves of characters are replaced by `?`. Texts in messages
 * come from tenants.
 */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '?');
}

/**
 * A value as JSON, two spaces deep, ending in a line break. Characters that a terminal would obey are
 * escaped, also those that JSON lets stand.
 */
export function plainJson(value: object): string {
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
