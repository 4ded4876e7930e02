import type { History } from '../ports/history.ts';
import type { SourceTree } from '../ports/tree.ts';

/** The history of a tree that is a commit: whatever it has is tracked, and nothing can be lost. */
export function committedHistory(tree: SourceTree): History {
  return {
    tracked: async (folders) =>
      folders.flatMap((folder) => tree.list(folder).map(({ path }) => path)),
    stage: async () => {},
  };
}
