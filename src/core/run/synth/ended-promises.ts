import type { SourceTree, TargetTree } from '../../interfaces/tree.ts';
import type { History } from '../../interfaces/work-tree.ts';
import type { Change } from '../../model/allocation.ts';
import type { HostnameChange } from '../../model/hostname.ts';
import { isPromiseOver } from '../../model/lease.ts';
import { type Outcome, ok } from '../../model/problem.ts';
import { allocationPath } from '../../records/allocation-file.ts';
import { hostnamePath } from '../../records/hostname-file.ts';
import { readWorkspace } from '../../tree/workspace.ts';
import { type EditedRun, runEdited } from './edited-run.ts';
import { type PruningRun, prunable } from './prune.ts';

/** The result of a run that ended promises. */
export interface EndedPromises extends EditedRun {
  /** The records that were free for any holder before the run. They are removed. */
  readonly pruned: readonly Change[];
  /** Likewise the records of hostnames. */
  readonly expired: readonly HostnameChange[];
  readonly doneRenames: readonly string[];
}

/**
 * Removes the files of promises whose last day is over, and the records that are free for any
 * holder, and synthesizes the result, atomically. The addresses of the promises are released.
 * Undefined when there is no such promise.
 */
export async function pruneEndedPromises(
  tree: SourceTree & TargetTree,
  history: History,
  run: PruningRun,
): Promise<Outcome<EndedPromises | undefined>> {
  const workspace = await readWorkspace(tree, history);
  if (!workspace.ok) return workspace;
  const ended = workspace.value.promises.filter((promise) => isPromiseOver(promise, run.today));
  if (ended.length === 0) return ok(undefined);
  const holders = new Set(ended.map(({ holder }) => holder));
  const base = await run.base?.();
  const prunes = await prunable(workspace.value, history, { ...run, base: async () => base });
  const { changes: pruned, hostnameChanges: expired, doneRenames } = prunes;
  const removes = [
    ...doneRenames,
    ...ended.map(({ at }) => at.file),
    ...pruned.map(({ address }) => allocationPath(address)),
    ...expired.map(({ hostname }) => hostnamePath(hostname)),
  ];
  const edit = { writes: new Map<string, string>(), removes };
  const isRequested = ({ holder }: Pick<Change, 'holder'>): boolean => holders.has(holder);
  const options = { today: run.today, base, releases: { isRequested } };
  const outcome = await runEdited(tree, history, edit, options);
  return outcome.ok ? ok({ ...outcome.value, pruned, expired, doneRenames }) : outcome;
}
