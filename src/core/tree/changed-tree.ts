import type { SourceTree, TargetTree, TreeChanges, TreeEntry } from '../interfaces/tree.ts';
import { compareText, sortedKeys } from '../model/order.ts';

/** A tree in memory: a base tree with changes that are collected and not written. */
export interface ChangedTree extends SourceTree, TargetTree {
  /** The files that differ from the base in their bytes, in path order. */
  changes(): TreeChanges;
}

export function changedTree(base: SourceTree): ChangedTree {
  const writes = new Map<string, Uint8Array>();
  const removes = new Set<string>();
  const encoder = new TextEncoder();
  const entryOf = ([path, bytes]: readonly [string, Uint8Array]): TreeEntry => ({
    path,
    kind: 'file',
    size: bytes.length,
  });
  return {
    list(folder) {
      const isKept = ({ path }: TreeEntry): boolean => !writes.has(path) && !removes.has(path);
      const written = [...writes].filter(([path]) => path.startsWith(`${folder}/`)).map(entryOf);
      return [...base.list(folder).filter(isKept), ...written];
    },
    read: (path) => writes.get(path) ?? base.read(path),
    async commit(changes) {
      for (const [path, text] of changes.writes) {
        removes.delete(path);
        writes.set(path, encoder.encode(String(text)));
      }
      for (const path of changes.removes) {
        writes.delete(path);
        removes.add(path);
      }
    },
    changes() {
      const present = presentIn(base, [...writes.keys(), ...removes]);
      const isNew = (path: string): boolean =>
        !present.has(path) || !areEqual(base.read(path), writes.get(path));
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
      return {
        writes: new Map(
          sortedKeys(writes)
            .filter(isNew)
            .map((path) => [path, decoder.decode(writes.get(path))]),
        ),
        removes: [...removes].filter((path) => present.has(path)).sort(compareText),
      };
    },
  };
}

/** The paths that are regular files of a tree. */
function presentIn(tree: SourceTree, paths: readonly string[]): ReadonlySet<string> {
  const wanted = new Set(paths);
  const folders = new Set(paths.map((path) => path.split('/', 1)[0] ?? ''));
  const entries = [...folders].flatMap((folder) => tree.list(folder));
  return new Set(
    entries.flatMap(({ path, kind }) => (wanted.has(path) && kind === 'file' ? [path] : [])),
  );
}

function areEqual(left: Uint8Array, right: Uint8Array | undefined): boolean {
  return left.length === right?.length && left.every((byte, index) => byte === right[index]);
}
