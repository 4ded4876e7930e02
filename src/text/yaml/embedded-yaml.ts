import type { Outcome, Position } from '../../model/problem.ts';
import { type ForeignNode, placeOf } from '../foreign-reader.ts';
import { readYamlStream, type YamlDocument } from './yaml-document.ts';

/**
 * The documents in a text that a YAML file holds as a value, with places in the file itself: those of a block text
 * (`|`) exactly, those of a text written otherwise at its beginning. Problems: those of {@link readYamlStream}.
 */
export function readEmbedded(
  holder: ForeignNode,
  text: string,
  fileText: string,
): Outcome<readonly YamlDocument[]> {
  const start = placeOf(holder);
  const indent = indentOf(text, fileText.split(/\r?\n/).slice(start.line));
  const outside = ({ line, column }: Position): Position =>
    indent === undefined
      ? start
      : { file: start.file, line: start.line + line, column: indent + column };
  const read = readYamlStream(start.file, new TextEncoder().encode(text));
  if (!read.ok) {
    const problems = read.problems.map((problem) => ({ ...problem, at: outside(problem.at) }));
    return { ok: false, problems };
  }
  const documents = read.value.map((document) => ({
    ...document,
    at: (path: readonly PropertyKey[]) => outside(document.at(path)),
    keyAt: (path: readonly PropertyKey[]) => outside(document.keyAt(path)),
  }));
  return { ok: true, value: documents };
}

/** How far the lines below a block text's first line are indented; undefined when they are not the text's own. */
function indentOf(text: string, below: readonly string[]): number | undefined {
  const lines = text.replace(/\n+$/, '').split('\n');
  const indents = lines.map((line, index) => {
    const around = below[index];
    return line.trim() === '' || !around?.endsWith(line) ? undefined : around.length - line.length;
  });
  const [indent] = indents.filter((found) => found !== undefined);
  const isBlock = lines.every((line, index) => line.trim() === '' || indents[index] === indent);
  return isBlock ? indent : undefined;
}
