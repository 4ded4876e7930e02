import type { Outcome, Position } from '../model/problem.ts';
import { type ForeignNode, placeOf } from './foreign-reader.ts';
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
  const inner = text.split('\n');
  const outer = fileText.split(/\r?\n/);
  const outside = ({ line, column }: Position): Position => {
    const own = inner[line - 1] ?? '';
    const around = outer[start.line + line - 1];
    if (around === undefined || own.trim() === '' || !around.endsWith(own)) return start;
    return {
      file: start.file,
      line: start.line + line,
      column: around.length - own.length + column,
    };
  };
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
