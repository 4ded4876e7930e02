import type { SourceTree } from '../../src/app/ports/tree.ts';

/** A tree of files in memory: path to text. As on a disk, the entries of a file are the file. */
export function treeOf(files: Readonly<Record<string, string>>): SourceTree {
  return {
    list: (folder) =>
      Object.entries(files)
        .filter(([path]) => path === folder || path.startsWith(`${folder}/`))
        .map(([path, text]) => ({ path, kind: 'file', size: Buffer.byteLength(text) })),
    read: (path) => Buffer.from(files[path] ?? ''),
  };
}
