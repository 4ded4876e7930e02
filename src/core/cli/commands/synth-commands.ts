import { Option } from '@commander-js/extra-typings';
import type { SourceTree } from '../../interfaces/tree.ts';
import { heldCount } from '../../model/allocation.ts';
import { ifAvailable } from '../../model/calls.ts';
import type { Day } from '../../model/day.ts';
import { byAddress } from '../../net/address.ts';
import { baseCautions, droppedCautions, overCautions } from '../../run/plan/cautions.ts';
import {
  noAddressCautions,
  otherBalancerCautions,
} from '../../run/plan/objects/object-cautions.ts';
import { shownRef } from '../../run/review/comparison.ts';
import { review } from '../../run/review/review.ts';
import { cautionsText, changesText, type RunSummary } from '../../run/synth/changes-text.ts';
import { check, unfinished } from '../../run/synth/check.ts';
import { type EndedPromises, pruneEndedPromises } from '../../run/synth/ended-promises.ts';
import { pruneReleased } from '../../run/synth/prune.ts';
import { type Check, type Run, runCounts } from '../../run/synth/run-answer.ts';
import { synth } from '../../run/synth/synth.ts';
import { sourceLines } from '../../tree/source-line.ts';
import { unfinishedPaths } from '../../world/disk/disk-tree.ts';
import { isInWorkTree } from '../../world/git/git.ts';
import type { Repository } from '../../world/git/git-repository.ts';
import { commitFields, dataText, reportOption } from '../answer.ts';
import { type CliContext, exit, isData } from '../cli-context.ts';
import type { GlobalOptions, NewCommand, OptionsOf } from '../command-line.ts';
import { reportProblems, UsageError } from '../failure.ts';
import { command } from '../feature.ts';
import { allowReleaseOption, releaseTerms, textsValue, todayOption } from '../option-values.ts';
import {
  compared,
  recordedDay,
  recordingOf,
  recordingOptions,
  withMoveOption,
} from '../recording.ts';
import { outPaint, tell } from '../tell.ts';
import { openTree, reportTreeProblems, runText, summaryOf, withTree } from '../with-tree.ts';

/** `leasehold synth`. */
export const synthCommand = command(
  (bare) =>
    recordingOptions(
      bare
        .addOption(
          new Option(
            '--frozen',
            'write nothing and fail if something would change (the same as check)',
          )
            .default(false)
            .conflicts(['allowRelease', 'base']),
        )
        .addOption(allowReleaseOption()),
    ),
  async (context, options) => {
    if (options.frozen) return runFrozen(context, options);
    return withTree(context, options, async (locked) => {
      const recording = await recordingOf(context, locked, options);
      const outcome = await synth(locked.tree, locked.repository.history, {
        ...recording,
        releases: releaseTerms(context, options),
        renderObjects: context.renderObjects,
      });
      if (!outcome.ok) {
        return { ...outcome, problems: withMoveOption(outcome.problems, '--base', options.base) };
      }
      const summary = summaryOf(outcome.value);
      await printRun(context, locked.repository, { day: recording.today, summary });
      return exit.fine;
    });
  },
);

/** `leasehold prune`. */
export const pruneCommand = command(
  (bare) => recordingOptions(bare),
  (context, options) =>
    withTree(context, options, async (locked) => {
      const { tree, repository } = locked;
      const { history } = repository;
      const today = recordedDay(context, options);
      const base = async () => (await recordingOf(context, locked, options)).base;
      const ended = await pruneEndedPromises(tree, history, { today, base });
      if (!ended.ok) return ended;
      if (ended.value) {
        await printRun(context, repository, { day: today, summary: endedSummary(ended.value) });
        return exit.fine;
      }
      const pruned = await pruneReleased(tree, history, { today, base });
      if (!pruned.ok) return pruned;
      const { changes, hostnameChanges, doneRenames, held } = pruned.value;
      const removed = changes.length + hostnameChanges.length + doneRenames.length;
      const summary = { changes, hostnameChanges, doneRenames, held, written: 0, removed };
      await printRun(context, repository, { day: today, summary });
      return exit.fine;
    }),
);

function endedSummary({ pruned, expired, doneRenames, run, files }: EndedPromises): RunSummary {
  return {
    doneRenames,
    changes: [...pruned, ...run.changes].sort(byAddress),
    hostnameChanges: [...expired, ...run.hostnames.changes],
    held: heldCount(run.table),
    written: files.writes.size,
    removed: files.removes.length,
    takenPromises: run.takenPromises,
  };
}

/** Prints the summary of a run, or its answer for programs. */
async function printRun(
  context: CliContext,
  repository: Repository,
  { day, summary }: { readonly day: Day; readonly summary: RunSummary },
): Promise<void> {
  const { output } = context;
  if (!isData(output)) {
    if (!context.quiet) context.out(changesText(summary, outPaint(context)));
    return;
  }
  const about = { ...runCounts(day, summary), ...(await commitFields(repository, output)) };
  const answer: Run = { apiVersion: 'leasehold.dev/v1', kind: 'Run', ...about };
  context.out(dataText(answer, output));
}

/** `leasehold check`. */
export const checkCommand = command(checkOptions, (context, options, _, line) => {
  // LEASEHOLD_TODAY may be set for all commands; --today is an error where it has no effect.
  const isTodayGiven = line.command.getOptionValueSource('today') === 'cli';
  return runCheck(context, options, isTodayGiven);
});

function checkOptions(bare: NewCommand) {
  return bare
    .option('--base <ref>', 'also check what changed since the merge base of this ref and the head')
    .option('--head <ref>', 'with --base: check this commit instead of the working tree')
    .option(
      '--merged <ref>',
      'with --base: a branch that a squash or a rebase brought into the head; may be repeated',
      textsValue,
      [],
    )
    .addOption(allowReleaseOption('with --base: allow the release of exactly this many'))
    .addOption(todayOption())
    .addOption(reportOption());
}

type CheckOptions = OptionsOf<typeof checkOptions>;

async function runCheck(
  context: CliContext,
  options: CheckOptions,
  isTodayGiven: boolean,
): Promise<number> {
  const { base, head, merged, allowRelease } = options;
  if (base !== undefined) return runReview(context, options, base);
  const needing = [
    ...(head ? ['--head'] : []),
    ...(merged.some(Boolean) ? ['--merged'] : []),
    ...(allowRelease === undefined ? [] : ['--allow-release']),
    ...(isTodayGiven ? ['--today'] : []),
  ];
  if (needing.length > 0)
    throw new UsageError(`check takes ${needing.join(', ')} with --base only`);
  return runFrozen(context, options);
}

/** The frozen run: uses no date, writes nothing. */
async function runFrozen(context: CliContext, options: GlobalOptions): Promise<number> {
  const { tree, repository } = openTree(context, options);
  const start = () => startOfBranch(repository);
  const outcome = await check(tree, repository.history, { progress: context.progress, start });
  if (!outcome.ok) return reportTreeProblems(context, repository, outcome.problems);
  const left = unfinished(unfinishedPaths(repository.root));
  if (left.length > 0) return reportTreeProblems(context, repository, left);
  const held = String(heldCount(outcome.value.table));
  const commit = await commitFields(repository, context.output);
  const found = { day: context.today(), ...commit, held, cautions: [] };
  printCheck(context, found, runText(context, outcome.value));
  return exit.fine;
}

/** What the checked out branch starts from; undefined without a default branch. */
async function startOfBranch({
  root,
  commits,
  defaultRef,
}: Repository): Promise<SourceTree | undefined> {
  if (!isInWorkTree(root)) return undefined;
  return ifAvailable(async () => {
    const ref = await defaultRef();
    const base = ref === undefined ? undefined : await commits.mergeBase(ref, 'HEAD');
    return base && commits.tree(base.id);
  });
}

/** Prints the text of a check without problems, or its answer for programs. */
function printCheck(
  context: CliContext,
  found: Omit<Check, 'apiVersion' | 'kind'>,
  text: string,
): void {
  const answer: Check = { apiVersion: 'leasehold.dev/v1', kind: 'Check', ...found };
  context.out(isData(context.output) ? dataText(answer, context.output) : text);
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
  const comparison = await compared(context, repository, checkout, { base, head, merged });
  const found = await review(commits, comparison, allowRelease, context.progress);
  const left = head === undefined ? unfinished(unfinishedPaths(repository.root)) : [];
  const problems = [...found.treeProblems, ...found.changeProblems, ...left];
  const over = overCautions(found.head.promises, today);
  const cautions = [
    ...droppedCautions(found),
    ...baseCautions(found),
    ...noAddressCautions(found),
    ...otherBalancerCautions(found),
    ...over,
  ].map(({ message }) => message);
  const cautioned = cautionsText(cautions);
  if (problems.length > 0) {
    tell(context, cautioned);
    return head === undefined
      ? reportTreeProblems(context, repository, problems)
      : reportProblems(context, problems, sourceLines(comparison.headTree));
  }
  const range = { base: comparison.base.id, ...(head === undefined ? {} : { head }) };
  const commit =
    head === undefined
      ? await commitFields(repository, context.output)
      : { commit: comparison.head.id };
  const name = shownRef(comparison.targetRef) ?? 'the target';
  const isBehind = comparison.target.id !== comparison.base.id && !comparison.hasLanded;
  const newer = isBehind ? `; ${name} has newer commits, with which it is not checked` : '';
  const valid = `valid, and all changes since ${range.base.slice(0, 12)} are allowed${newer}\n`;
  printCheck(context, { day: today, ...commit, ...range, cautions }, `${cautioned}${valid}`);
  return exit.fine;
}
