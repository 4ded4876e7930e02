import type { Argument, Option } from '@bomb.sh/tab';
import tab from '@bomb.sh/tab/commander';
import { Command } from 'commander';
import type { Pools } from '../model/pools.ts';
import { InternalError } from '../model/problem.ts';
import { explainedCodes } from '../run/explain/explain-text.ts';
import { type ProcessContext, workingRoot } from './cli-context.ts';
import type { Feature } from './feature.ts';
import { completionListing } from './help.ts';

/** The package also has a script for PowerShell, which is not tested here. */
const shells = ['bash', 'zsh', 'fish'];

/** Adds one candidate for a word. */
type Complete = (value: string, description: string) => void;

/**
 * Adds `completion`, which prints the script of a shell, and the hidden `complete`, which that
 * script runs. The program must have all its other commands, and those on the command line must be
 * loaded. Bash evaluates the candidates, so they are only words of leasehold and names that fit the
 * schema of the pool file.
 */
export async function addCompletion(
  program: object,
  context: ProcessContext,
  features: readonly Feature[],
  argv: readonly string[],
): Promise<void> {
  if (!(program instanceof Command)) throw new InternalError('the program is not of commander');
  const { commands } = tab(program, { completionCommandName: 'completion' });
  const script = program.commands.find((command) => command.name() === 'completion');
  script?.description(completionListing.summary).helpGroup(completionListing.group);
  script?.registeredArguments[0]?.choices(shells);

  offer(commands.get('completion')?.arguments.get('shell'), (complete) => {
    for (const shell of shells) complete(shell, '');
  });
  const codes = await explainedCodes(features);
  offer(commands.get('explain')?.arguments.get('code'), (complete) => {
    for (const { title, code } of codes) complete(code, title);
  });
  const poolWords = ['pools', 'map'].flatMap(
    (name) => commands.get(name)?.arguments.get('pool') ?? [],
  );
  const options = (name: string) =>
    [...commands.values()].flatMap((command) => command.options.get(name) ?? []);
  const words = { pool: options('pool'), zone: options('zone'), cluster: options('cluster') };
  const { pool, zone, cluster } = words;
  if (poolWords.length + pool.length + zone.length + cluster.length === 0) return;
  const declared = await poolsIn(context, argv);
  const pools = declared?.pools ?? [];
  for (const word of [...poolWords, ...pool]) {
    offer(word, (complete) => {
      for (const { name, zone: own } of pools) complete(name, `zone ${own}`);
    });
  }
  for (const word of zone) {
    offer(word, (complete) => {
      for (const name of new Set(pools.map((one) => one.zone))) complete(name, '');
    });
  }
  for (const word of cluster) {
    offer(word, (complete) => {
      for (const { name } of declared?.clusters ?? []) complete(name, '');
    });
  }
}

function offer(word: Argument | Option | undefined, handler: (complete: Complete) => void): void {
  if (word) word.handler = handler;
}

/**
 * The declared pools of the folder that the line to complete names; undefined when they cannot be
 * read.
 */
async function poolsIn(
  context: ProcessContext,
  argv: readonly string[],
): Promise<Pools | undefined> {
  const [{ readPoolFile }, { openForReading }] = await Promise.all([
    import('../tree/declared.ts'),
    import('../world/disk/disk-tree.ts'),
  ]);
  const option = argv.findIndex((word) => word === '-C' || word === '--directory');
  const directory = option < 0 ? '.' : (argv[option + 1] ?? '.');
  try {
    const pools = readPoolFile(openForReading(workingRoot(context, { directory })));
    return pools.ok ? pools.value : undefined;
  } catch {
    return undefined;
  }
}
