import type { ImportFile } from '../model/input-file.ts';
import { type Outcome, startOf } from '../model/problem.ts';
import { type ForeignNode, rootOf } from './foreign-reader.ts';
import { readYamlStream } from './yaml/yaml-document.ts';

/** The one document of a file that was written for another program, and the file's text. */
export interface OneForeign {
  readonly root: ForeignNode;
  readonly text: string;
}

/** Reads a file with one document. Problems: those of {@link readYamlStream}, and YAML_DOCUMENTS for none or several. */
export function readOneForeign({ name, bytes }: ImportFile): Outcome<OneForeign> {
  const documents = readYamlStream(name, bytes);
  if (!documents.ok) return documents;
  const [document, second] = documents.value;
  if (!document || second) {
    const found = second ? 'more than one document' : 'no document';
    const message = `the file has ${found}, expected exactly one`;
    const at = second ? second.at([]) : startOf(name);
    return { ok: false, problems: [{ code: 'YAML_DOCUMENTS', message, at }] };
  }
  return { ok: true, value: { root: rootOf(document), text: new TextDecoder().decode(bytes) } };
}
