import { resolve } from 'node:path';
import { Option } from 'commander';
import { codesText, explainText } from '../../features/reference/explain-text.ts';
import { changesText } from '../../features/synth/changes-text.ts';
import { pruneReleased, synth } from '../../features/synth/synth.ts';
import { paintOf } from '../../text/print/paint.ts';
import { openForWriting } from '../../world/disk/disk-tree.ts';
import { openRepository } from '../../world/git/git-repository.ts';
import type { CommandLine, CommonOptions } from '../command-line.ts';
import { UsageError } from '../failure.ts';
import { countValue, dateAheadOption, todayOption } from '../option-values.ts';
import { type DayOptions, recordedDay } from '../recorded-day.ts';
import { addBaseOptions, type BaseOptions, baseOf } from '../run-base.ts';
import { reportTreeProblems } from '../tree-problems.ts';
import { exit, type World } from '../world.ts';
import { runFrozen, runText } from './check-command.ts';
import { listFormats, runList } from './list-command.ts';

/** The commands that read and write the working tree. */
export function addCommands({ world, command, take }: CommandLine): void {
  addBaseOptions(command('synth', 'allocate addresses and write leases/allocations/ and dist/'))
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .addOption(
      new Option('--frozen', 'write nothing and fail if something would change (the same as check)')
        .default(false)
        .conflicts(['allowRelease', 'base']),
    )
    .option(
      '--allow-release <count>',
      'let the run release exactly this many addresses',
      countValue,
    )
    .action((_, self) => take(runSynth(world, self.optsWithGlobals())));
  command('list', 'show who has which address, or what charts must say for theirs')
    .argument('[what]', 'with -o values: only this holder, or namespace/name of a Reservation')
    .addOption(new Option('-o, --output <format>').choices(listFormats).default('table'))
    .action((what: string | undefined, _, self) =>
      take(runList(world, what, self.optsWithGlobals())),
    );
  command('prune', 'remove the records of released addresses that are free for anyone')
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .action((_, self) => take(runPrune(world, self.optsWithGlobals())));
  command('explain', 'say what a problem code means and what to do')
    .argument('[code]', 'such as POOL_EXHAUSTED; all codes when left out')
    .action((code: string | undefined) => take(runExplain(world, code)));
}

/** Options of the commands that write. */
type WritingOptions = CommonOptions & DayOptions;

/** `leasehold synth`. */
async function runSynth(
  world: World,
  options: WritingOptions &
    BaseOptions & {
      readonly frozen: boolean;
      readonly allowRelease: number | undefined;
    },
): Promise<number> {
  if (options.frozen) return runFrozen(world, options);
  const root = resolve(world.cwd, options.directory);
  const tree = await openForWriting(root);
  try {
    const today = recordedDay(world, options);
    const outcome = await synth(tree, openRepository(root).history, {
      today,
      allowRelease: options.allowRelease,
      base: await baseOf({ world, root, tree, today }, options),
    });
    if (!outcome.ok) return reportTreeProblems(world, root, outcome.problems);
    world.err(runText(world, outcome.value));
    return exit.fine;
  } finally {
    tree.close();
  }
}

/** `leasehold prune`. */
async function runPrune(world: World, options: WritingOptions): Promise<number> {
  const root = resolve(world.cwd, options.directory);
  const tree = await openForWriting(root);
  try {
    const outcome = await pruneReleased(
      tree,
      openRepository(root).history,
      recordedDay(world, options),
    );
    if (!outcome.ok) return reportTreeProblems(world, root, outcome.problems);
    const { changes, held } = outcome.value;
    const summary = { changes, held, written: 0, removed: changes.length };
    world.err(changesText(summary, paintOf(world.color)));
    return exit.fine;
  } finally {
    tree.close();
  }
}

/** `leasehold explain`. */
function runExplain(world: World, code: string | undefined): number {
  const text = code === undefined ? codesText() : explainText(code.toUpperCase());
  if (text === undefined) {
    throw new UsageError(`there is no code ${code}; leasehold explain lists them all`);
  }
  world.out(text);
  return exit.fine;
}
