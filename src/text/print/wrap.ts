import { sanitize } from './escape.ts';

/** Joins parts into lines of at most `width` characters. A longer part has a line of its own. */
export function filledLines(
  parts: readonly string[],
  separator: string,
  width = Number.POSITIVE_INFINITY,
): readonly string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = [...lines.slice(-1), part].join(separator);
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}

/** Breaks a sentence between its words. A word is never cut. */
export function wordLines(text: string, width: number | undefined): readonly string[] {
  return width === undefined ? [text] : filledLines(text.split(' '), ' ', width);
}

/**
 * A sentence on lines of its own, indented: further lines by two more. Every line ends in a line
 * break. The sentence can come from a tenant.
 */
export function indentedText(text: string, indent: number, width: number | undefined): string {
  const room = width === undefined ? undefined : width - indent - 2;
  return wordLines(sanitize(text), room)
    .map((line, index) => `${' '.repeat(index === 0 ? indent : indent + 2)}${line}\n`)
    .join('');
}
