import type { Problem } from '../model/problem.ts';
import type { YamlDocument } from '../text/yaml/yaml-document.ts';

/**
 * SUBSTITUTION for each text of a document that holds `${`: Flux's postBuild would replace it in what comes
 * out, with a value that nobody reviewed here. Keys that come out have a syntax without it. Of the field `unread`
 * nothing comes out.
 */
export function substitutionProblems(document: YamlDocument, unread?: string): Problem[] {
  const texts = textsIn(document.value, []);
  const read = texts.filter(([[field]]) => unread === undefined || field !== unread);
  return read.map(([path, text]) => {
    const start = text.indexOf('${');
    const found = text.slice(start, start + 20).replace(/\s+/g, ' ');
    return {
      code: 'SUBSTITUTION',
      message: `the text '${found}' is replaced by Flux when it applies the manifest`,
      at: document.at(path),
      hint: 'write the value itself',
    };
  });
}

type Found = readonly [path: readonly PropertyKey[], text: string];

function textsIn(value: unknown, path: readonly PropertyKey[]): Found[] {
  if (typeof value === 'string') return value.includes('${') ? [[path, value]] : [];
  if (typeof value !== 'object' || value === null) return [];
  const parts = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return parts.flatMap(([step, part]) => textsIn(part, [...path, step]));
}
