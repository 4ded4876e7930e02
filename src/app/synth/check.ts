import { distFolder, leasesFolder } from '../../model/folders.ts';
import { compareProblems, type Outcome, type Problem, startOf } from '../../model/problem.ts';
import type { History } from '../ports/history.ts';
import type { SourceTree } from '../ports/tree.ts';
import { type PlannedRun, planRun } from './planned-run.ts';

/**
 * A frozen run: what is committed must be what synth gives. Uses no date and writes nothing. Says of
 * every file that is stale how: missing, different, or left over.
 */
export async function check(tree: SourceTree, history: History): Promise<Outcome<PlannedRun>> {
  const plan = await planRun(tree, history, undefined);
  if (!plan.ok) return plan;
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
