import type { SourceTree } from '../../../src/core/interfaces/tree.ts';
import type { History } from '../../../src/core/interfaces/work-tree.ts';

/** A tree of files in memory: path to text or bytes. As on a disk, the entries of a file are the file. */
export function treeOf(files: Readonly<Record<string, Uint8Array | string>>): SourceTree {
  const byPath = new Map(
    Object.entries(files).map(([path, content]) => [path, Buffer.from(content)]),
  );
  return {
    list: (folder) =>
      [...byPath]
        .filter(([path]) => path === folder || path.startsWith(`${folder}/`))
        .map(([path, { length }]) => ({ path, kind: 'file', size: length })),
    read: (path) => byPath.get(path) ?? new Uint8Array(),
  };
}

/** Of a tree that is in no git. */
export const noHistory: History = { tracked: async () => undefined };
