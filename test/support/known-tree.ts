import { type Known, readKnown } from '../../src/features/ask/workspace-snapshot.ts';
import { committedHistory } from '../../src/workspace/committed-history.ts';
import { openForReading } from '../../src/world/disk/disk-tree.ts';

/** What is known of a tree on the disk; throws when it cannot be answered from. */
export async function knownTree(root: string): Promise<Known> {
  const tree = openForReading(root);
  const known = await readKnown(tree, committedHistory(tree));
  if (!known.ok) throw new Error(JSON.stringify(known.problems));
  return known.value;
}
