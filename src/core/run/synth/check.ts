import type { SourceTree } from '../../interfaces/tree.ts';
import type { History } from '../../interfaces/work-tree.ts';
import { type Day, laterDay } from '../../model/day.ts';
import { firstPromisedDay } from '../../model/lease.ts';
import {
  fail,
  failSorted,
  type Outcome,
  type Position,
  type Problem,
  startOf,
} from '../../model/problem.ts';
import { distFolder, leasesFolder } from '../../model/repository-paths.ts';
import { textIn } from '../../tree/tree-reader.ts';
import { readWorkspace, type Workspace } from '../../tree/workspace.ts';
import { isIgnoredWhole } from './generated-files.ts';
import { liveCodes } from './live-changes.ts';
import { type PlannedRun, planRun, type RunOptions } from './planned-run.ts';

/**
 * A frozen run: the committed files must be those that synth generates. Uses no date and writes
 * nothing. STALE for each file that is missing, different or left over. `before` decides which of two
 * declarations is right in a clash.
 */
export async function check(
  tree: SourceTree,
  history: History,
  options: Pick<RunOptions, 'before' | 'start' | 'progress'> = {},
): Promise<Outcome<PlannedRun>> {
  const plan = await planRun(tree, history, undefined, options);
  if (!plan.ok) return fail(await refusals(tree, history, plan.problems));
  const { writes, removes } = plan.value.files;
  if (writes.size + removes.length === 0) return plan;
  const present = new Set(
    [leasesFolder, distFolder].flatMap((folder) => tree.list(folder).map((entry) => entry.path)),
  );
  const isIgnored = isIgnoredWhole(tree);
  const problems = [
    ...[...writes].map(([path, text]) =>
      present.has(path)
        ? { ...stale(path, 'differs from the output of synth'), at: differing(tree, path, text) }
        : stale(
            path,
            'is missing',
            isIgnored && path.startsWith(`${distFolder}/`) ? unignore : missing,
          ),
    ),
    ...removes.map((path) => stale(path, 'is left over: synth removes it')),
  ];
  return failSorted(problems);
}

/** Replaces STALE problems by those for which synth refuses the tree: see {@link liveChanges}. */
async function refusals(
  tree: SourceTree,
  history: History,
  problems: readonly Problem[],
): Promise<readonly Problem[]> {
  if (!problems.every(({ code }) => code === 'STALE')) return problems;
  const workspace = await readWorkspace(tree, history);
  const today = workspace.ok ? newestDay(workspace.value) : undefined;
  if (today === undefined) return problems;
  const run = await planRun(tree, history, today);
  const refused = run.ok ? [] : run.problems.filter(({ code }) => liveCodes.has(code));
  return refused.length > 0 ? refused : problems;
}

/** The newest day that a record or a promise implies. A run of that day has no date problem. */
function newestDay({ table, hostnameTable, promises }: Workspace): Day | undefined {
  let newest: Day | undefined;
  for (const promise of promises) newest = laterDay(firstPromisedDay(promise), newest);
  for (const { since, released } of [...table.values(), ...hostnameTable.values()]) {
    newest = laterDay(laterDay(since, released?.on), newest);
  }
  return newest;
}

const written = 'run `leasehold synth` and commit what it writes';
/** Settings of the user and folders above the workspace can ignore files too. */
const missing = `${written}; \`git status --ignored\` names files that git leaves out`;
const unignore =
  'remove the pattern for dist/ from .gitignore, run `leasehold synth`, and commit what it writes';

function stale(path: string, how: string, hint = written): Problem {
  return { code: 'STALE', message: `the file ${how}`, at: startOf(path), hint };
}

/** The first line that differs, to be shown. */
function differing(tree: SourceTree, path: string, text: string): Position {
  const wanted = text.split('\n');
  const lines = textIn(tree, path).split('\n');
  const line = lines.findIndex((one, index) => one !== wanted[index]);
  const indent = /^[ -]*/.exec(lines[line] ?? '')?.[0].length ?? 0;
  return line < 0 ? startOf(path) : { file: path, line: line + 1, column: indent + 1 };
}

/** STALE for each file that a killed run recorded but did not finish writing. */
export function unfinished(paths: readonly string[]): readonly Problem[] {
  return paths.map((path) => ({
    code: 'STALE',
    message: 'a killed run has recorded this file but not written it',
    at: startOf(path),
    hint: 'run `leasehold synth`, which finishes that run first, and commit what it writes',
  }));
}
