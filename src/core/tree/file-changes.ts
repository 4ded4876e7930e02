import type { CommittedTree } from '../interfaces/commits.ts';
import type { SourceTree, TreeChanges } from '../interfaces/tree.ts';
import { compareText } from '../model/order.ts';
import { distFolder, isRecordPath, leasesFolder } from '../model/repository-paths.ts';
import { textIn } from './tree-reader.ts';

/** A file below `dist/` that differs between two trees. A side without the file is undefined. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Returns the regular files below `dist/` that differ, in path order. */
export function manifestFileChanges(base: CommittedTree, head: SourceTree): readonly FileChange[] {
  const inBase = filesBelow(base, distFolder);
  const inHead = filesBelow(head, distFolder);
  return differing({ tree: base, paths: inBase }, { tree: head, paths: inHead }).map((path) => ({
    path,
    before: inBase.has(path) ? textIn(base, path) : undefined,
    after: inHead.has(path) ? textIn(head, path) : undefined,
  }));
}

/** Returns the writes and removals that make some changes of files. */
export function changesOf(files: readonly FileChange[]): TreeChanges {
  const writes = files.flatMap(({ path, after }) =>
    after === undefined ? [] : [[path, after] as const],
  );
  const removes = files.flatMap(({ path, after }) => (after === undefined ? [path] : []));
  return { writes: new Map(writes), removes };
}

/**
 * Returns the hand-written regular files below `leases/` that differ, in path order: declarations,
 * SDLs, keys, the pool file and the policy.
 */
export function leaseFileChanges(base: SourceTree, head: SourceTree): readonly string[] {
  return differing(
    { tree: base, paths: writtenByHand(base) },
    { tree: head, paths: writtenByHand(head) },
  );
}

function writtenByHand(tree: SourceTree): ReadonlySet<string> {
  const paths = filesBelow(tree, leasesFolder);
  return new Set([...paths].filter((path) => !isRecordPath(path)));
}

function filesBelow(tree: SourceTree, folder: string): ReadonlySet<string> {
  const files = tree.list(folder).filter(({ kind }) => kind === 'file');
  return new Set(files.map(({ path }) => path));
}

interface Side {
  readonly tree: SourceTree;
  readonly paths: ReadonlySet<string>;
}

function differing(base: Side, head: Side): readonly string[] {
  return [...new Set([...base.paths, ...head.paths])]
    .filter(
      (path) =>
        !(base.paths.has(path) && head.paths.has(path) && isSameFile(base.tree, head.tree, path)),
    )
    .sort(compareText);
}

function isSameFile(base: SourceTree, head: SourceTree, path: string): boolean {
  // The names of contents are of one kind in trees that share what is made of files.
  const isNamed = base.parsed !== undefined && base.parsed === head.parsed;
  const [id, otherId] = isNamed ? [base.idOf?.(path), head.idOf?.(path)] : [];
  if (id !== undefined && otherId !== undefined) return id === otherId;
  const [one, other] = [base.read(path), head.read(path)];
  return Buffer.from(one.buffer, one.byteOffset, one.length).equals(other);
}
