import { sanitize } from './escape.ts';
import { sentenceTokens } from './sentence.ts';

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

/** Breaks the text of a cell between its words. A word is never cut. */
export function wordLines(text: string, width: number | undefined): readonly string[] {
  return width === undefined ? [text] : filledLines(text.split(' '), ' ', width);
}

/** Breaks a long name after its separators, and a part that is longer than a line anywhere. */
export function nameLines(text: string, width: number): readonly string[] {
  if (text.length <= width) return [text];
  const parts = text
    .split(/(?<=[/. ])|(?<=-)(?=[^-])/)
    .flatMap((part) => part.match(new RegExp(`.{1,${width}}`, 'gu')) ?? []);
  return filledLines(parts, '', width).map((line) => line.trimEnd());
}

/**
 * A sentence on lines of its own, indented: further lines by two more. Every line ends in a line
 * break. A command is never broken, so that it can be copied: a long one has a line of its own. The
 * sentence can come from a tenant.
 */
export function indentedText(text: string, indent: number, width: number | undefined): string {
  const sentence = sanitize(text);
  const lines = width === undefined ? [sentence] : sentenceLines(sentence, width - indent - 2);
  return lines
    .map((line, index) => `${' '.repeat(index === 0 ? indent : indent + 2)}${line}\n`)
    .join('');
}

function sentenceLines(sentence: string, width: number): readonly string[] {
  const parts = sentenceTokens(sentence).map((token) =>
    'command' in token ? `${token.before}\`${token.command}\`${token.after}` : token.word,
  );
  return filledLines(parts, ' ', width);
}
