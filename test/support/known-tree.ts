import {
  readWorkspaceSnapshot,
  type WorkspaceSnapshot,
} from '../../src/features/ask/workspace-snapshot.ts';
import { committedHistory } from '../../src/workspace/committed-history.ts';
import { openForReading } from '../../src/world/disk/disk-tree.ts';

/** What is known of a tree on the disk; throws when it cannot be answered from. */
export async function knownTree(root: string): Promise<WorkspaceSnapshot> {
  const tree = openForReading(root);
  const snapshot = await readWorkspaceSnapshot(tree, committedHistory(tree));
  if (!snapshot.ok) throw new Error(JSON.stringify(snapshot.problems));
  return snapshot.value;
}
