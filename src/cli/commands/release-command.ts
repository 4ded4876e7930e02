import { resolve } from 'node:path';
import { Option } from 'commander';
import { namedClaims } from '../../features/operate/named-holders.ts';
import { releaseText } from '../../features/operate/operation-text.ts';
import { releaseClaims } from '../../features/operate/release.ts';
import { plainJson } from '../../text/print/plain.ts';
import { readWorkspace } from '../../workspace/workspace.ts';
import { openForWriting } from '../../world/disk/disk-tree.ts';
import { openRepository } from '../../world/git/git-repository.ts';
import type { CommandLine, CommonOptions } from '../command-line.ts';
import { UsageError } from '../failure.ts';
import { countValue, dateAheadOption, todayOption } from '../option-values.ts';
import { type DayOptions, recordedDay } from '../recorded-day.ts';
import { addBaseOptions, type BaseOptions, baseOf } from '../run-base.ts';
import { reportTreeProblems } from '../tree-problems.ts';
import { exit, type World } from '../world.ts';
import { runText } from './check-command.ts';

interface ReleaseOptions extends CommonOptions, BaseOptions, DayOptions {
  readonly allowRelease: number | undefined;
  readonly output: 'text' | 'json';
}

/** `leasehold release`. */
export function addReleaseCommand({ world, command, take }: CommandLine): void {
  addBaseOptions(
    command('release', 'end what stands on an address: remove what declares it, and synthesize'),
  )
    .argument('<what...>', 'an address, a block, a holder, or a Service as namespace/name')
    .option(
      '--allow-release <count>',
      'let the run release exactly this many addresses',
      countValue,
    )
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .addOption(new Option('-o, --output <format>').choices(['text', 'json']).default('text'))
    .action((what: string[], _, self) => take(runRelease(world, what, self.optsWithGlobals())));
}

async function runRelease(
  world: World,
  what: readonly string[],
  options: ReleaseOptions,
): Promise<number> {
  const root = resolve(world.cwd, options.directory);
  const tree = await openForWriting(root);
  try {
    const history = openRepository(root).history;
    const workspace = await readWorkspace(tree, history);
    if (!workspace.ok) return reportTreeProblems(world, root, workspace.problems);
    const named = namedClaims(what, workspace.value);
    if (!named.ok) throw new UsageError(named.reason);
    const ended = { claims: named.claims, workspace: workspace.value };
    const today = recordedDay(world, options);
    const outcome = await releaseClaims(tree, history, ended, {
      today,
      base: await baseOf({ world, root, tree, today }, options),
      allowRelease: options.allowRelease,
      allowingCommand: (count) => `leasehold release ${what.join(' ')} --allow-release ${count}`,
    });
    if (!outcome.ok) return reportTreeProblems(world, root, outcome.problems);
    const { answer, run, files } = outcome.value;
    world.err(runText(world, { ...run, files }));
    world.out(options.output === 'json' ? plainJson(answer) : releaseText(answer));
    return exit.fine;
  } finally {
    tree.close();
  }
}
