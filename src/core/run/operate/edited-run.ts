import type { SourceTree, TargetTree, TreeChanges } from '../../interfaces/tree.ts';
import type { History } from '../../interfaces/work-tree.ts';
import { isHeld } from '../../model/allocation.ts';
import type { Day } from '../../model/day.ts';
import { fail, type Outcome, ok, type Problem } from '../../model/problem.ts';
import { formatAddress } from '../../net/address.ts';
import { changedTree } from '../../tree/changed-tree.ts';
import { type PlannedRun, planRun } from '../synth/planned-run.ts';
import { commitStaged, type SynthOptions } from '../synth/synth.ts';
import type { ReleasedAddress } from './operation-answer.ts';

/** The result of a run with an edit. */
export interface EditedRun {
  readonly run: PlannedRun;
  /** All changed files. */
  readonly files: TreeChanges;
}

interface EditOptions extends SynthOptions {
  /** The problems of the planned run for which nothing is written. */
  readonly refusals?: (run: PlannedRun) => readonly Problem[];
}

/** Edits declarations in the working tree and synthesizes the result, atomically. */
export async function runEdited(
  tree: SourceTree & TargetTree,
  history: History,
  edit: TreeChanges,
  { today, releases = {}, base, progress, refusals = () => [] }: EditOptions,
): Promise<Outcome<EditedRun>> {
  const edited = changedTree(tree);
  await edited.commit(edit);
  const gone = new Set(edit.removes);
  const plan = await planRun(
    edited,
    {
      ...history,
      tracked: async (folders) => {
        const paths = await history.tracked(folders);
        return paths?.filter((path) => !gone.has(path));
      },
    },
    today,
    { base, progress, releases },
  );
  if (!plan.ok) return plan;
  const refused = refusals(plan.value);
  if (refused.length > 0) return fail(refused);
  await edited.commit(plan.value.files);
  const files = edited.changes();
  await commitStaged(tree, files, plan.value);
  return ok({ run: plan.value, files });
}

/**
 * The addresses that a run released from these holders, IPv4 first. An address that the target
 * branch never had is free at once.
 */
export function releasedAddresses(
  { changes, table }: PlannedRun,
  holders: ReadonlySet<string>,
  today: Day,
): readonly ReleasedAddress[] {
  return changes
    .filter(
      ({ kind, holder }) => (kind === 'released' || kind === 'removed') && holders.has(holder),
    )
    .flatMap(({ address, holder }) => {
      const record = table.get(formatAddress(address));
      if (record && isHeld(record)) return [];
      const freeFrom = record?.released?.freeFrom ?? today;
      return [{ address: formatAddress(address), holder: record?.holder ?? holder, freeFrom }];
    });
}
