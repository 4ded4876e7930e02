import { distFolder } from '../../model/folders.ts';
import { compareText } from '../../model/order.ts';
import type { CommittedTree } from '../../ports/commits.ts';
import type { SourceTree } from '../../ports/tree.ts';

/** A file below `dist/` that two trees have different; a side is undefined where it is not there. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The files below `dist/` that differ, in path order. What is no regular file counts as not there. */
export function fileChanges(base: CommittedTree, head: SourceTree): readonly FileChange[] {
  const inBase = new Set(filesOf(base));
  const inHead = new Set(filesOf(head));
  return [...new Set([...inBase, ...inHead])]
    .filter((path) => !(inBase.has(path) && inHead.has(path) && isSameFile(base, head, path)))
    .sort(compareText)
    .map((path) => ({
      path,
      before: inBase.has(path) ? textOf(base, path) : undefined,
      after: inHead.has(path) ? textOf(head, path) : undefined,
    }));
}

function filesOf(tree: SourceTree): string[] {
  return tree
    .list(distFolder)
    .filter(({ kind }) => kind === 'file')
    .map(({ path }) => path);
}

/** True when two trees have the same bytes at a path that both have. */
export function isSameFile(base: SourceTree, head: SourceTree, path: string): boolean {
  const [one, other] = [base.read(path), head.read(path)];
  // Two commits share the very bytes of what they have in common.
  return one === other || Buffer.from(one.buffer, one.byteOffset, one.length).equals(other);
}

function textOf(tree: SourceTree, path: string): string {
  return Buffer.from(tree.read(path)).toString('utf8');
}
