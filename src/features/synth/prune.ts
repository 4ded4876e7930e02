import type { Change } from '../../model/change.ts';
import type { Day } from '../../model/day.ts';
import type { Outcome } from '../../model/problem.ts';
import type { History } from '../../ports/history.ts';
import type { SourceTree, TargetTree } from '../../ports/tree.ts';
import { allocationPath } from '../../records/allocation-file.ts';
import { prune } from '../../transitions/prune.ts';
import { readWorkspace } from '../../workspace/workspace.ts';
import { heldCount } from './planned-run.ts';
import { stageRemoval } from './synth.ts';

/** What a prune did. */
export interface Pruned {
  readonly changes: readonly Change[];
  readonly held: number;
}

/**
 * Removes the records of released addresses that are free for anyone, also from git's index, where they
 * would be missed (FILE_LOST); touches nothing else.
 */
export async function pruneReleased(
  tree: SourceTree & TargetTree,
  history: History,
  today: Day,
): Promise<Outcome<Pruned>> {
  const workspace = await readWorkspace(tree, history);
  if (!workspace.ok) return workspace;
  const { table, changes } = prune(workspace.value.table, today);
  const removes = changes.map((change) => allocationPath(change.address));
  if (removes.length > 0) {
    const files = { writes: new Map<string, string>(), removes };
    await tree.commit(files);
    await stageRemoval(history, files);
  }
  return { ok: true, value: { changes, held: heldCount(table) } };
}
