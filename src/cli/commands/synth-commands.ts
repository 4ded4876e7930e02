import { Option } from '@commander-js/extra-typings';
import { baseCautions } from '../../features/plan/cautions.ts';
import { openComparison } from '../../features/review/comparison.ts';
import { review } from '../../features/review/review.ts';
import { changesText } from '../../features/synth/changes-text.ts';
import { check, unfinished } from '../../features/synth/check.ts';
import { pruneReleased, synth } from '../../features/synth/synth.ts';
import { sanitize } from '../../text/print/escape.ts';
import { paintOf } from '../../text/print/problems-text.ts';
import { unfinishedPaths } from '../../world/disk/disk-tree.ts';
import { type CliContext, exit } from '../cli-context.ts';
import type { CommandLine, GlobalOptions, OptionsOf } from '../command-line.ts';
import { reportProblems, UsageError } from '../failure.ts';
import { allowReleaseOption, textsValue, todayOption } from '../option-values.ts';
import {
  baseOption,
  dateAheadOption,
  noBaseOption,
  recordedDay,
  recordingOf,
} from '../recording.ts';
import { openTree, reportTreeProblems, runText, withTree } from '../with-tree.ts';

/** `leasehold synth`. */
export function addSynthCommand(line: CommandLine): void {
  synthCommand(line).action((_, self) =>
    line.exitWith(runSynth(line.context, self.optsWithGlobals())),
  );
}

function synthCommand({ command }: CommandLine) {
  return command
    .addOption(baseOption())
    .addOption(noBaseOption())
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .addOption(
      new Option('--frozen', 'write nothing and fail if something would change (the same as check)')
        .default(false)
        .conflicts(['allowRelease', 'base']),
    )
    .addOption(allowReleaseOption());
}

async function runSynth(
  context: CliContext,
  options: OptionsOf<typeof synthCommand>,
): Promise<number> {
  if (options.frozen) return runFrozen(context, options);
  return withTree(context, options, async (locked) => {
    const outcome = await synth(locked.tree, locked.repository.history, {
      ...(await recordingOf(context, locked, options)),
      allowRelease: options.allowRelease,
    });
    if (!outcome.ok) return outcome;
    context.err(runText(context, outcome.value));
    return exit.fine;
  });
}

/** `leasehold prune`. */
export function addPruneCommand(line: CommandLine): void {
  pruneCommand(line).action((_, self) =>
    line.exitWith(runPrune(line.context, self.optsWithGlobals())),
  );
}

function pruneCommand({ command }: CommandLine) {
  return command.addOption(todayOption()).addOption(dateAheadOption());
}

function runPrune(context: CliContext, options: OptionsOf<typeof pruneCommand>): Promise<number> {
  return withTree(context, options, async ({ tree, repository }) => {
    const outcome = await pruneReleased(tree, repository.history, recordedDay(context, options));
    if (!outcome.ok) return outcome;
    const { changes, held } = outcome.value;
    const summary = { changes, held, written: 0, removed: changes.length };
    context.err(changesText(summary, paintOf(context.color)));
    return exit.fine;
  });
}

/** `leasehold check`. */
export function addCheckCommand(line: CommandLine): void {
  checkCommand(line).action((_, self) => {
    // LEASEHOLD_TODAY may be set for all commands; --today is an error where it has no effect.
    const isTodayGiven = self.getOptionValueSource('today') === 'cli';
    return line.exitWith(runCheck(line.context, self.optsWithGlobals(), isTodayGiven));
  });
}

function checkCommand({ command }: CommandLine) {
  return command
    .option('--base <ref>', 'also check what changed since the merge base of this ref and the head')
    .option('--head <ref>', 'with --base: check this commit instead of the working tree')
    .option(
      '--merged <ref>',
      'with --base: a branch that a squash or a rebase brought into the head; may be repeated',
      textsValue,
      [],
    )
    .addOption(allowReleaseOption('with --base: allow the release of exactly this many'))
    .addOption(todayOption());
}

type CheckOptions = OptionsOf<typeof checkCommand>;

async function runCheck(
  context: CliContext,
  options: CheckOptions,
  isTodayGiven: boolean,
): Promise<number> {
  const { base, head, merged, allowRelease } = options;
  if (base !== undefined) return runReview(context, options, base);
  const isAlone = Boolean(head) || merged.some(Boolean) || allowRelease !== undefined;
  if (isAlone || isTodayGiven) throw new UsageError('this option of check needs --base');
  return runFrozen(context, options);
}

/** The frozen run: uses no date, writes nothing. */
async function runFrozen(context: CliContext, options: GlobalOptions): Promise<number> {
  const { tree, repository } = openTree(context, options);
  const outcome = await check(tree, repository.history);
  if (!outcome.ok) return reportTreeProblems(context, repository, outcome.problems);
  const left = unfinished(unfinishedPaths(repository.root));
  if (left.length > 0) return reportTreeProblems(context, repository, left);
  context.err(runText(context, outcome.value));
  return exit.fine;
}

async function runReview(
  context: CliContext,
  options: CheckOptions,
  base: string,
): Promise<number> {
  const { head, merged, allowRelease, today = context.today() } = options;
  const { tree, repository } = openTree(context, options);
  const { commits, history } = repository;
  const checkout = { tree, history, today };
  const comparison = await openComparison(commits, checkout, { base, head, merged });
  const found = await review(commits, comparison, allowRelease);
  const left = head === undefined ? unfinished(unfinishedPaths(repository.root)) : [];
  const problems = [...found.treeProblems, ...found.changeProblems, ...left];
  for (const { message } of baseCautions(found)) context.err(`caution: ${sanitize(message)}\n`);
  if (problems.length > 0) {
    return head === undefined
      ? reportTreeProblems(context, repository, problems)
      : reportProblems(context, problems);
  }
  const id = comparison.base.id.slice(0, 12);
  context.err(`valid, and all changes since ${id} are allowed\n`);
  return exit.fine;
}
