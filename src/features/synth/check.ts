import type { AllocationTable } from '../../model/allocation.ts';
import { type Day, laterDay } from '../../model/day.ts';
import { distFolder, leasesFolder } from '../../model/folders.ts';
import { compareProblems, type Outcome, type Problem, startOf } from '../../model/problem.ts';
import type { History } from '../../ports/history.ts';
import type { SourceTree } from '../../ports/tree.ts';
import { readWorkspace } from '../../workspace/workspace.ts';
import { type PlannedRun, planRun } from './planned-run.ts';

/**
 * A frozen run: what is committed must be what synth gives. Uses no date and writes nothing. Says of
 * every file that is stale how: missing, different, or left over.
 */
export async function check(tree: SourceTree, history: History): Promise<Outcome<PlannedRun>> {
  const plan = await planRun(tree, history, undefined);
  if (!plan.ok) return { ok: false, problems: await refusals(tree, history, plan.problems) };
  const { writes, removes } = plan.value.files;
  if (writes.size + removes.length === 0) return plan;
  const present = new Set(
    [leasesFolder, distFolder].flatMap((folder) => tree.list(folder).map((entry) => entry.path)),
  );
  const problems = [
    ...[...writes.keys()].map((path) =>
      stale(path, present.has(path) ? 'differs from what synth gives' : 'is missing'),
    ),
    ...removes.map((path) => stale(path, 'is left over: synth removes it')),
  ];
  return { ok: false, problems: problems.sort(compareProblems) };
}

/**
 * Why a tree is refused. Where synth would refuse it too, because a record of a live Service is lost, that is told instead of
 * sending people to synth.
 */
async function refusals(
  tree: SourceTree,
  history: History,
  problems: readonly Problem[],
): Promise<readonly Problem[]> {
  if (!problems.every(({ code }) => code === 'STALE')) return problems;
  const workspace = await readWorkspace(tree, history);
  const today = workspace.ok ? newestDay(workspace.value.table) : undefined;
  if (today === undefined) return problems;
  const run = await planRun(tree, history, today);
  const lost = run.ok ? [] : run.problems.filter(({ code }) => code === 'ALLOCATION_LOST');
  return lost.length > 0 ? lost : problems;
}

/** The newest day that is recorded: a run of that day is refused by no date. */
function newestDay(table: AllocationTable): Day | undefined {
  let newest: Day | undefined;
  for (const { since, released } of table.values()) {
    newest = laterDay(laterDay(since, released?.on), newest);
  }
  return newest;
}

function stale(path: string, how: string): Problem {
  return {
    code: 'STALE',
    message: `the file ${how}`,
    at: startOf(path),
    hint: 'run leasehold synth and commit what it writes',
  };
}

/** What stands in the way of a green check although the tree is sound: files that a killed run is still to bring to the disk. */
export function unfinished(paths: readonly string[]): readonly Problem[] {
  return paths.map((path) => ({
    code: 'STALE',
    message: 'the file is not yet what a run that was killed recorded',
    at: startOf(path),
    hint: 'run leasehold synth, which finishes that run first, and commit what it writes',
  }));
}
