import type { Change } from '../../model/allocation.ts';
import type { Day } from '../../model/day.ts';
import { type AddressPromise, isPromiseOver } from '../../model/lease.ts';
import { type Outcome, ok } from '../../model/problem.ts';
import type { SourceTree, TargetTree } from '../../ports/tree.ts';
import type { History } from '../../ports/work-tree.ts';
import { readWorkspace, type Workspace } from '../../workspace/workspace.ts';
import { type EditedRun, runEdited } from './edited-run.ts';

/** The promises that have no effect any more: their last day is over, or a lease has the address. */
function endedPromises(
  { promises, holders }: Pick<Workspace, 'promises' | 'holders'>,
  today: Day,
): readonly AddressPromise[] {
  const taken = new Set(holders.filter(({ claims }) => claims.length > 0).map(({ id }) => id));
  return promises.filter((promise) => isPromiseOver(promise, today) || taken.has(promise.holder));
}

/**
 * Removes the files of ended promises and synthesizes the result, atomically. The addresses of
 * promises that no lease took over are released. Undefined when there is no ended promise.
 */
export async function pruneEndedPromises(
  tree: SourceTree & TargetTree,
  history: History,
  today: Day,
): Promise<Outcome<EditedRun | undefined>> {
  const workspace = await readWorkspace(tree, history);
  if (!workspace.ok) return workspace;
  const ended = endedPromises(workspace.value, today);
  if (ended.length === 0) return ok(undefined);
  const holders = new Set(ended.map(({ holder }) => holder));
  const edit = { writes: new Map<string, string>(), removes: ended.map(({ at }) => at.file) };
  const isMeant = ({ holder }: Change): boolean => holders.has(holder);
  return runEdited(tree, history, edit, { today, allowRelease: undefined, isMeant });
}
