import { allocationPath } from '../../codec/allocation-file.ts';
import type { Day } from '../../model/day.ts';
import { allocationsFolder } from '../../model/folders.ts';
import type { Outcome } from '../../model/problem.ts';
import type { History } from '../ports/history.ts';
import type { SourceTree, TargetTree, TreeChanges } from '../ports/tree.ts';
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
  await forgetRecords(history, plan.value.files);
  return plan;
}

/** Takes allocation files that a run has removed out of git's index too, where they would be missed (FILE_LOST). */
export async function forgetRecords(history: History, { removes }: TreeChanges): Promise<void> {
  const records = removes.filter((path) => path.startsWith(`${allocationsFolder}/`));
  if (records.length > 0) await history.forget(records);
}
