import type { Day } from '../../model/day.ts';
import { leasesFolder } from '../../model/folders.ts';
import type { Outcome } from '../../model/problem.ts';
import type { History } from '../../ports/history.ts';
import type { SourceTree, TargetTree, TreeChanges } from '../../ports/tree.ts';
import { allocationPath } from '../../records/allocation-file.ts';
import { massRelease } from './mass-release.ts';
import { heldCount, type PlannedRun, planRun } from './planned-run.ts';
import type { RunBase } from './run-base.ts';

/** What a writing run is told. */
export interface SynthOptions {
  readonly today: Day;
  /** The exact number of releases that is meant, when it is more than the guard lets through. */
  readonly allowRelease: number | undefined;
  /** What the branch starts from; without one, every record counts. */
  readonly base?: RunBase | undefined;
}

/** Allocates, renders and writes what differs: all of it, or nothing. */
export async function synth(
  tree: SourceTree & TargetTree,
  history: History,
  options: SynthOptions,
): Promise<Outcome<PlannedRun>> {
  const plan = await planRun(tree, history, options.today, options);
  if (!plan.ok) return plan;
  const released = plan.value.changes.filter(({ kind }) => kind === 'released');
  const refused = massRelease(
    {
      held: heldCount(plan.value.workspace.table),
      files: released.map(({ address }) => allocationPath(address)),
      allowed: options.allowRelease === undefined ? [] : [options.allowRelease],
    },
    (count) => `leasehold synth --allow-release ${count}`,
  );
  if (refused) return { ok: false, problems: [refused] };
  await tree.commit(plan.value.files);
  await stageRemoval(history, plan.value.files);
  return plan;
}

/**
 * A file below `leases/` that a run removes leaves git's index too, where the next run would miss it (FILE_LOST). With it
 * goes all else that the run did, so that a plain `git commit` has all of the run or nothing.
 */
export async function stageRemoval(
  history: History,
  { writes, removes }: TreeChanges,
): Promise<void> {
  if (!removes.some((path) => path.startsWith(`${leasesFolder}/`))) return;
  await history.stage([...writes.keys(), ...removes]);
}
