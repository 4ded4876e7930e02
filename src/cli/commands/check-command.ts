import { resolve } from 'node:path';
import { baseCautions } from '../../features/plan/cautions.ts';
import { openComparison } from '../../features/review/comparison.ts';
import { review } from '../../features/review/review.ts';
import { changesText } from '../../features/synth/changes-text.ts';
import { check, unfinished } from '../../features/synth/check.ts';
import { heldCount, type PlannedRun } from '../../features/synth/planned-run.ts';
import type { Day } from '../../model/day.ts';
import { paintOf } from '../../text/print/paint.ts';
import { plain } from '../../text/print/plain.ts';
import { openForReading, unfinishedPaths } from '../../world/disk/disk-tree.ts';
import { openRepository } from '../../world/git/git-repository.ts';
import type { CommandLine, CommonOptions } from '../command-line.ts';
import { reportProblems, UsageError } from '../failure.ts';
import { countValue, refsValue, todayOption } from '../option-values.ts';
import { reportTreeProblems } from '../tree-problems.ts';
import { exit, type World } from '../world.ts';

interface CheckOptions extends CommonOptions {
  readonly base: string | undefined;
  readonly head: string | undefined;
  readonly merged: readonly string[];
  readonly allowRelease: number | undefined;
  readonly today: Day | undefined;
}

/** `leasehold check`. */
export function addCheckCommand({ world, command, take }: CommandLine): void {
  command('check', 'prove that what is committed is what synth gives; write nothing')
    .option(
      '--base <ref>',
      'judge also what changed since the commit that this ref and the head have in common',
    )
    .option('--head <ref>', 'with --base: judge this commit instead of the working tree')
    .option(
      '--merged <ref>',
      'with --base: a branch that a squash or a rebase brought into the head; may be repeated',
      refsValue,
      [],
    )
    .option('--allow-release <count>', 'with --base: let it release exactly this many', countValue)
    .addOption(todayOption())
    .action((_, self) => {
      // LEASEHOLD_TODAY is for every command; --today is for what has use for it.
      const isTodaySaid = self.getOptionValueSource('today') === 'cli';
      return take(runCheck(world, self.optsWithGlobals(), isTodaySaid));
    });
}

async function runCheck(
  world: World,
  options: CheckOptions,
  isTodaySaid: boolean,
): Promise<number> {
  if (options.base !== undefined) return runReview(world, { ...options, base: options.base });
  const needed = ['head', 'merged', 'allowRelease'] as const;
  const alone = needed.find((name) => options[name] !== undefined && String(options[name]) !== '');
  if (alone !== undefined || isTodaySaid) throw new UsageError('this option of check needs --base');
  return runFrozen(world, options);
}

/** The frozen run, also `synth --frozen`: uses no date, writes nothing. */
export async function runFrozen(world: World, options: CommonOptions): Promise<number> {
  const root = resolve(world.cwd, options.directory);
  const outcome = await check(openForReading(root), openRepository(root).history);
  if (!outcome.ok) return reportTreeProblems(world, root, outcome.problems);
  const left = unfinished(unfinishedPaths(root));
  if (left.length > 0) return reportTreeProblems(world, root, left);
  world.err(runText(world, outcome.value));
  return exit.fine;
}

async function runReview(
  world: World,
  options: CheckOptions & { readonly base: string },
): Promise<number> {
  const root = resolve(world.cwd, options.directory);
  const { commits, history } = openRepository(root);
  const checkout = {
    tree: openForReading(root),
    history,
    today: options.today ?? world.today(),
  };
  const comparison = await openComparison(commits, checkout, options);
  const found = await review(commits, comparison, options.allowRelease);
  const left = options.head === undefined ? unfinished(unfinishedPaths(root)) : [];
  const problems = [...found.treeProblems, ...found.changeProblems, ...left];
  for (const { message } of baseCautions(found)) world.err(`caution: ${plain(message)}\n`);
  if (problems.length > 0) {
    return options.head === undefined
      ? reportTreeProblems(world, root, problems)
      : reportProblems(world, problems);
  }
  const base = comparison.base.id.slice(0, 12);
  world.err(`sound in itself, and what changed since ${base} may follow from it\n`);
  return exit.fine;
}

/** What a run did or would do, for a person. */
export function runText(world: World, run: PlannedRun): string {
  const { writes, removes } = run.files;
  const counts = { written: writes.size, removed: removes.length };
  const rebasedOn = run.rebasedOn?.commit.id;
  const summary = { changes: run.changes, held: heldCount(run.table), ...counts, rebasedOn };
  return changesText(summary, paintOf(world.color));
}
