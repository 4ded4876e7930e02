/**
 * A word of a sentence, or a command in it with the punctuation around it. A command stands between
 * backticks: it is shown as code in Markdown, and never broken over two lines.
 */
export type SentenceToken =
  | { readonly word: string }
  | { readonly command: string; readonly before: string; readonly after: string };

/** Splits a sentence at its spaces, but keeps each command whole. */
export function sentenceTokens(text: string): readonly SentenceToken[] {
  return [...text.matchAll(tokens)].map(([word, before = '', command, after = '']) =>
    command === undefined ? { word } : { command, before, after },
  );
}

const tokens = /(\(?)`([^`]+)`([,;:.)?]*)(?= |$)|[^ ]+/g;

/** A sentence with another text for each of its commands. */
export function replaceCommands(text: string, shown: (command: string) => string): string {
  return text.replaceAll(/`([^`]+)`/g, (_, command: string) => `\`${shown(command)}\``);
}
