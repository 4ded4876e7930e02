import { Option } from '@commander-js/extra-typings';
import { commitFields, dataText, reportOption } from '../../../core/cli/answer.ts';
import { type CliContext, exit, isData, workingRoot } from '../../../core/cli/cli-context.ts';
import type { NewCommand, OptionsOf } from '../../../core/cli/command-line.ts';
import { reportProblems, UsageError } from '../../../core/cli/failure.ts';
import { command } from '../../../core/cli/feature.ts';
import {
  allowReleaseOption,
  rangesValue,
  releaseTerms,
  todayOption,
} from '../../../core/cli/option-values.ts';
import { dateAheadOption, recordedDay, withMoveOption } from '../../../core/cli/recording.ts';
import {
  type ActionResult,
  type LockedTree,
  runText,
  summaryOf,
  withTreeOf,
} from '../../../core/cli/with-tree.ts';
import type { MergeState, Unfinished } from '../../../core/interfaces/work-tree.ts';
import type { Day } from '../../../core/model/day.ts';
import { EnvironmentError } from '../../../core/model/problem.ts';
import { isResolved } from '../../../core/run/review/merge-notice.ts';
import { runCounts } from '../../../core/run/synth/run-answer.ts';
import { sourceLines } from '../../../core/tree/source-line.ts';
import { openForReading } from '../../../core/world/disk/disk-tree.ts';
import { openRepository, type Repository } from '../../../core/world/git/git-repository.ts';
import type { MergeContext, MergeSide } from '../merge-ways.ts';
import { resolvedText } from '../reassigned.ts';
import { resolutionOf } from '../resolution-answer.ts';
import { type Resolved, resolveMerge } from '../resolve.ts';
import { resolvableState } from '../unmerged.ts';

/** `leasehold resolve`. */
export const resolveCommand = command(resolveOptions, runResolve);

function resolveOptions(bare: NewCommand) {
  return bare
    .option('--onto <ref>', "whose addresses stay; the remote's default branch when left out")
    .addOption(
      new Option('--keep <side>', 'whose addresses stay when neither side is upstream').choices([
        'ours',
        'theirs',
      ]),
    )
    .addOption(
      new Option(
        '--move <address...>',
        'the addresses, blocks and ranges to move away from, such as those that no pool has any more',
      ).argParser(rangesValue),
    )
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .addOption(allowReleaseOption())
    .addOption(reportOption());
}

async function runResolve(
  context: CliContext,
  options: OptionsOf<typeof resolveOptions>,
): Promise<number> {
  // Before the lock, which creates a folder: there may be nothing that can be resolved.
  const repository = openRepository(workingRoot(context, options));
  const head = await repository.commits.resolve('HEAD');
  const state = await resolvableState(repository.merging);
  const day = recordedDay(context, options);
  return withTreeOf(
    context,
    repository,
    (locked) => resolveLocked(context, options, locked, { head, state, day }),
    async (_, { root }, problems) =>
      reportProblems(context, problems, sourceLines(openForReading(root))),
  );
}

/** Resolves the merge in a locked tree, and prints the result. */
async function resolveLocked(
  context: CliContext,
  options: OptionsOf<typeof resolveOptions>,
  { tree, repository }: LockedTree,
  { day, ...merge }: MergeContext & { readonly day: Day },
): Promise<ActionResult> {
  const { history, commits, merging } = repository;
  let upstream: string | undefined;
  const outcome = await resolveMerge({ tree, history, commits, merging }, merge, {
    today: day,
    releases: releaseTerms(context, options),
    keep: options.keep,
    moving: options.move ?? [],
    upstream: async () => {
      upstream = options.onto ?? (await upstreamOf(repository));
      return upstream;
    },
    choose: () => askSide(context),
    progress: context.progress,
  });
  if (!outcome.ok) {
    return { ...outcome, problems: withMoveOption(outcome.problems, '--onto', options.onto) };
  }
  const { run, files, reassigned, displaced, joined } = outcome.value;
  const dropped = outcome.value.dropped.map(({ text }) => text);
  const kept = keptName(outcome.value, upstream);
  const next = nextCommand(merge.state, files, await commits.isDirty());
  const { changes, hostnames, table, takenPromises } = run;
  const written = { changes, hostnames, table, takenPromises, files };
  const summary = { kept, reassigned, displaced, joined, dropped, next };
  if (isData(options.output)) {
    const about = await commitFields(repository, options.output);
    const counts = { ...runCounts(day, summaryOf(written)), ...about };
    context.out(dataText(resolutionOf(summary, counts), options.output));
  } else {
    context.out(resolvedText(summary, runText(context, written)));
  }
  return exit.fine;
}

async function upstreamOf({ defaultRef }: Repository): Promise<string> {
  const ref = await defaultRef();
  if (ref !== undefined) return ref;
  throw new EnvironmentError(
    'there is no upstream: neither the default branch of a remote, nor main; name one with --onto',
  );
}

const question =
  'Neither side is upstream, or both are. Whose addresses and hostnames stay, ours or theirs? ';

async function askSide(context: CliContext): Promise<MergeSide> {
  const answer = (await context.ask?.(question))?.trim();
  if (answer === 'ours' || answer === 'theirs') return answer;
  throw new UsageError(
    'neither side of the merge is upstream, or both are: choose whose addresses and hostnames stay with --keep ours or --keep theirs (ours is HEAD), or name the upstream with --onto',
  );
}

/** The side whose addresses stay, for the message. */
function keptName({ way }: Resolved, upstream: string | undefined): string {
  const isTree = way.other === undefined && way.kept.id === way.floor.id;
  if (isTree && upstream !== undefined) return upstream;
  return way.keeps === 'ours' ? 'HEAD' : 'the other side';
}

const nextOf: Readonly<Record<Unfinished, string>> = {
  merge: 'git merge --continue',
  squash: 'git commit',
  rebase: 'git rebase --continue',
  'cherry-pick': 'git cherry-pick --continue',
  revert: 'git revert --continue',
};

function nextCommand(
  state: MergeState,
  { writes }: Resolved['files'],
  isDirty: boolean,
): string | undefined {
  const left = state.unmerged.filter(({ path }) => !isResolved(path) && !writes.has(path));
  const { unfinished, onto } = state;
  if (left.length > 0) return 'resolve the other paths that `git status` shows as unmerged';
  if (unfinished === undefined) {
    if (onto !== undefined) return nextOf.rebase;
    return isDirty ? 'git commit' : undefined;
  }
  return onto === undefined ? nextOf[unfinished] : nextOf.rebase;
}
