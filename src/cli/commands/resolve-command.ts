import { resolve } from 'node:path';
import { Option } from 'commander';
import type { MergeSide } from '../../features/merge/merge-ways.ts';
import { resolvedText } from '../../features/merge/reassigned.ts';
import { type Resolved, resolveMerge } from '../../features/merge/resolve.ts';
import { changesText } from '../../features/synth/changes-text.ts';
import { heldCount } from '../../features/synth/planned-run.ts';
import { allocationsFolder, distFolder } from '../../model/folders.ts';
import { EnvironmentError } from '../../model/problem.ts';
import type { MergeState, Unfinished } from '../../ports/work-tree.ts';
import { paintOf } from '../../text/print/paint.ts';
import { openForWriting } from '../../world/disk/disk-tree.ts';
import { openRepository } from '../../world/git/git-repository.ts';
import type { CommandLine, CommonOptions } from '../command-line.ts';
import { reportProblems, UsageError } from '../failure.ts';
import { countValue, dateAheadOption, todayOption } from '../option-values.ts';
import { type DayOptions, recordedDay } from '../recorded-day.ts';
import { exit, type World } from '../world.ts';

/** `leasehold resolve`. */
export function addResolveCommand({ world, command, take }: CommandLine): void {
  command('resolve', 'bring allocations and manifests in order after a merge or rebase')
    .option('--onto <ref>', "whose addresses stay; the remote's default branch when left out")
    .addOption(
      new Option('--keep <side>', 'whose addresses stay when neither side is upstream').choices([
        'ours',
        'theirs',
      ]),
    )
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .option(
      '--allow-release <count>',
      'let the run release exactly this many addresses',
      countValue,
    )
    .action((_, self) => take(runResolve(world, self.optsWithGlobals())));
}

interface ResolveCommandOptions extends CommonOptions, DayOptions {
  readonly onto: string | undefined;
  readonly keep: MergeSide | undefined;
  readonly allowRelease: number | undefined;
}

async function runResolve(world: World, options: ResolveCommandOptions): Promise<number> {
  const root = resolve(world.cwd, options.directory);
  const { commits, history, merging, defaultRef } = openRepository(root);
  // Before the lock, which would make a folder where there is no repository.
  await commits.resolve('HEAD');
  const tree = await openForWriting(root);
  try {
    const checkout = { tree, history, commits, merging };
    let upstream: string | undefined;
    const outcome = await resolveMerge(checkout, {
      today: recordedDay(world, options),
      allowRelease: options.allowRelease,
      keep: options.keep,
      upstream: async () => {
        upstream = options.onto ?? (await upstreamOf(defaultRef));
        return upstream;
      },
      choose: () => ask(world),
    });
    if (!outcome.ok) return reportProblems(world, outcome.problems);
    const kept = keptName(outcome.value, upstream);
    const next = nextCommand(outcome.value.state, await commits.isDirty());
    const { reassigned } = outcome.value;
    world.err(resolvedText({ kept, reassigned, next }, runText(world, outcome.value)));
    return exit.fine;
  } finally {
    tree.close();
  }
}

async function upstreamOf(defaultRef: () => Promise<string | undefined>): Promise<string> {
  const ref = await defaultRef();
  if (ref !== undefined) return ref;
  throw new EnvironmentError(
    'there is no upstream: neither the default branch of a remote, nor main; name one with --onto',
  );
}

const question = 'Neither side is upstream, or both are. Whose addresses stay, ours or theirs? ';

async function ask(world: World): Promise<MergeSide> {
  const answer = (await world.ask?.(question))?.trim();
  if (answer === 'ours' || answer === 'theirs') return answer;
  throw new UsageError(
    'neither side of the merge is upstream, or both are: say whose addresses stay with --keep ours or --keep theirs (ours is HEAD), or name the upstream with --onto',
  );
}

/** Whose addresses stay, for a reader. */
function keptName({ way }: Resolved, upstream: string | undefined): string {
  const isTree = way.other === undefined && way.kept.id === way.floor.id;
  if (isTree && upstream !== undefined) return upstream;
  return way.keeps === 'ours' ? 'HEAD' : 'the other side';
}

function runText(world: World, { run, files }: Resolved): string {
  const counts = { written: files.writes.size, removed: files.removes.length };
  const summary = { changes: run.changes, held: heldCount(run.table), ...counts };
  return changesText(summary, paintOf(world.color));
}

const nextOf: Readonly<Record<Unfinished, string>> = {
  merge: 'git merge --continue',
  squash: 'git commit',
  rebase: 'git rebase --continue',
  'cherry-pick': 'git cherry-pick --continue',
  revert: 'git revert --continue',
};

function nextCommand(state: MergeState, isDirty: boolean): string | undefined {
  const left = state.unmerged.filter(
    ({ path }) => ![allocationsFolder, distFolder].some((folder) => path.startsWith(`${folder}/`)),
  );
  const { unfinished, onto } = state;
  if (left.length > 0) return 'resolve what else git status shows as unmerged';
  if (unfinished === undefined) {
    if (onto !== undefined) return nextOf.rebase;
    return isDirty ? 'git commit' : undefined;
  }
  return onto === undefined ? nextOf[unfinished] : nextOf.rebase;
}
