import type { SourceTree, TargetTree, TreeChanges } from '../../interfaces/tree.ts';
import type { History } from '../../interfaces/work-tree.ts';
import { fail, type Outcome, ok, type Problem } from '../../model/problem.ts';
import { changedTree } from '../../tree/changed-tree.ts';
import { type PlannedRun, planRun } from './planned-run.ts';
import { commitStaged, type SynthOptions } from './synth.ts';

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
