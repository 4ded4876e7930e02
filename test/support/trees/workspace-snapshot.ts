import { committedHistory } from '../../../src/core/tree/workspace.ts';
import { openForReading } from '../../../src/core/world/disk/disk-tree.ts';
import {
  readWorkspaceSnapshot,
  type WorkspaceSnapshot,
} from '../../../src/lib/list/workspace-snapshot.ts';

/** Reads the snapshot of a tree on disk. Throws when it has no snapshot. */
export async function treeSnapshot(root: string): Promise<WorkspaceSnapshot> {
  const tree = openForReading(root);
  const snapshot = await readWorkspaceSnapshot(tree, committedHistory(tree));
  if (!snapshot.ok) throw new Error(JSON.stringify(snapshot.problems));
  return snapshot.value;
}

/** The hostnames of a snapshot without any. */
export const noHostnames = { hostnames: [], hostnameTable: new Map(), proofs: new Map() };
