import type { SourceTree, TargetTree, TreeChanges } from '../../interfaces/tree.ts';
import type { History } from '../../interfaces/work-tree.ts';
import { isLeaseClaim } from '../../model/claim.ts';
import type { Day } from '../../model/day.ts';
import type { Outcome } from '../../model/problem.ts';
import { leasesFolder } from '../../model/repository-paths.ts';
import type { Workspace } from '../../tree/workspace.ts';
import { leaseOf } from '../../tree/workspace.ts';
import { type PlannedRun, planRun, type RunOptions } from './planned-run.ts';
import { takenPromises } from './promise-rules.ts';

/** Options of a run that writes. Its releases are judged. */
export interface SynthOptions
  extends Pick<RunOptions, 'base' | 'releases' | 'progress' | 'renderObjects'> {
  readonly today: Day;
}

/** Allocates, renders and writes all files that differ, or none. */
export async function synth(
  tree: SourceTree & TargetTree,
  history: History,
  options: SynthOptions,
): Promise<Outcome<PlannedRun>> {
  const plan = await planRun(tree, history, options.today, {
    ...options,
    releases: options.releases ?? {},
  });
  if (!plan.ok) return plan;
  await commitStaged(tree, plan.value.files, plan.value);
  return plan;
}

/**
 * Writes the files of a run. A run that removes files below `leases/` is staged, because the next
 * run would report an unstaged removal as FILE_LOST. What it wrote is staged as a whole, with the
 * declarations that took over a promise: without them, its removal would be STALE. No other file is
 * staged, because a person may still edit it, or may have left it unmerged.
 */
export async function commitStaged(
  tree: TargetTree,
  files: TreeChanges,
  { workspace }: Pick<PlannedRun, 'workspace'>,
): Promise<void> {
  const { writes, removes } = files;
  const isStaged = removes.some((path) => path.startsWith(`${leasesFolder}/`));
  const staged = isStaged ? [...writes.keys(), ...removes, ...takeoverFiles(workspace)] : [];
  await tree.commit({ ...files, staged });
}

/** The declarations of the claims that took over a promise, with their SDLs. */
function takeoverFiles(workspace: Workspace): readonly string[] {
  const claims = takenPromises(workspace.holders).flatMap((taken) => taken.claims);
  const files = claims.filter(isLeaseClaim).flatMap((claim) => {
    return [claim.at.file, leaseOf(workspace, claim).at.file];
  });
  return [...new Set(files)];
}
