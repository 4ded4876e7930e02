import { tooLarge } from '../../codec/yaml-text.ts';
import type { Outcome } from '../../model/problem.ts';
import type { SourceTree, TreeEntry } from '../ports/tree.ts';

/** The bytes of a file that people write, or FILE_TOO_LARGE, before a byte of it is read. */
export function contentOf(tree: SourceTree, entry: TreeEntry): Outcome<Uint8Array> {
  const problem = tooLarge(entry.path, entry.size);
  return problem ? { ok: false, problems: [problem] } : { ok: true, value: tree.read(entry.path) };
}
