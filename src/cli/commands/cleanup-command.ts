import { resolve } from 'node:path';
import { Option } from 'commander';
import { cleanUp } from '../../features/operate/cleanup.ts';
import { cleanupNote, cleanupText } from '../../features/operate/operation-text.ts';
import type { Pools } from '../../model/pools.ts';
import { plainJson } from '../../text/print/plain.ts';
import { readWorkspace } from '../../workspace/workspace.ts';
import { openForWriting } from '../../world/disk/disk-tree.ts';
import { openRepository } from '../../world/git/git-repository.ts';
import type { CommandLine, CommonOptions } from '../command-line.ts';
import { declaredCluster } from '../live-options.ts';
import { countValue, dateAheadOption, todayOption } from '../option-values.ts';
import { type DayOptions, recordedDay } from '../recorded-day.ts';
import { addBaseOptions, type BaseOptions, baseOf } from '../run-base.ts';
import { reportTreeProblems } from '../tree-problems.ts';
import { exit, type World } from '../world.ts';
import { runText } from './check-command.ts';

interface CleanupOptions extends CommonOptions, BaseOptions, DayOptions {
  /** A name or an id. */
  readonly cluster: string;
  readonly allowRelease: number | undefined;
  readonly output: 'text' | 'json';
}

/** `leasehold cleanup`. */
export function addCleanupCommand({ world, command, take }: CommandLine): void {
  addBaseOptions(
    command('cleanup', 'end all leases of a cluster: remove what declares them, and synthesize'),
  )
    .requiredOption('--cluster <name>', 'the cluster of leases/pools.yaml, by its name or id')
    .option(
      '--allow-release <count>',
      'let the run release exactly this many addresses',
      countValue,
    )
    .addOption(todayOption())
    .addOption(dateAheadOption())
    .addOption(new Option('-o, --output <format>').choices(['text', 'json']).default('text'))
    .action((_, self) => take(runCleanup(world, self.optsWithGlobals())));
}

async function runCleanup(world: World, options: CleanupOptions): Promise<number> {
  const root = resolve(world.cwd, options.directory);
  const tree = await openForWriting(root);
  try {
    const history = openRepository(root).history;
    const workspace = await readWorkspace(tree, history);
    if (!workspace.ok) return reportTreeProblems(world, root, workspace.problems);
    const cluster = nameOf(workspace.value.pools, options.cluster);
    const cleaned = { cluster, workspace: workspace.value };
    const today = recordedDay(world, options);
    const outcome = await cleanUp(tree, history, cleaned, {
      today,
      base: await baseOf({ world, root, tree, today }, options),
      allowRelease: options.allowRelease,
      allowingCommand: (count) => `leasehold cleanup --cluster ${cluster} --allow-release ${count}`,
    });
    if (!outcome.ok) return reportTreeProblems(world, root, outcome.problems);
    const { answer, run, files } = outcome.value;
    world.out(options.output === 'json' ? plainJson(answer) : cleanupText(answer));
    world.err(cleanupNote(answer));
    world.err(runText(world, { ...run, files }));
    return exit.fine;
  } finally {
    tree.close();
  }
}

/** The name of the cluster that has a name or an id; a name or id is of one cluster only. */
function nameOf(pools: Pools, nameOrId: string): string {
  const byId = pools.clusters.find(({ id }) => id === nameOrId);
  return byId?.name ?? declaredCluster(pools, nameOrId).name;
}
