import type { Argument, Option } from '@bomb.sh/tab';
import tab from '@bomb.sh/tab/commander';
import { Command } from 'commander';
import type { SourceTree } from '../interfaces/tree.ts';
import { ownerOf } from '../model/allocation.ts';
import { holderText } from '../model/holder.ts';
import { InternalError } from '../model/problem.ts';
import { explainedCodes } from '../run/explain/explain-text.ts';
import type { Records } from '../tree/declared.ts';
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
 * loaded. Bash evaluates the candidates, so they are only words of leasehold, names that fit the
 * schema of the pool file, and {@link recordedWords}.
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
  const things = [...commands.values()].flatMap((command) =>
    ['what', 'old'].flatMap((name) => command.arguments.get(name) ?? []),
  );
  const poolsNamed = poolWords.length + pool.length + zone.length + cluster.length > 0;
  if (!poolsNamed && things.length === 0) return;
  const { readPoolFile, readRecords } = await import('../tree/declared.ts');
  const recorded = things.length > 0 ? await readIn(context, argv, readRecords) : undefined;
  for (const word of things) {
    offer(word, (complete) => {
      for (const [text, about] of recorded ? recordedWords(recorded) : []) complete(text, about);
    });
  }
  const outcome = poolsNamed ? await readIn(context, argv, readPoolFile) : undefined;
  const declared = outcome?.ok ? outcome.value : undefined;
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
 * The IPv4 addresses, holders, owners and hostnames of records, as commands take them, with what is
 * known of each. Bash splits words at the colons of an IPv6 address.
 */
function recordedWords({ table, hostnameTable }: Records): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const [address, { holder }] of table) {
    const text = holderText(holder);
    words.set(address, text);
    words.set(text.includes('/') && !text.includes(' ') ? text : holder, address);
    const owner = ownerOf(holder);
    if (owner !== undefined) words.set(owner, 'owner');
  }
  for (const { hostname, holder } of hostnameTable.values())
    words.set(hostname, holderText(holder));
  return new Map([...words].filter(([word]) => /^[a-z0-9][a-z0-9./-]*$/.test(word)));
}

/** Reads the folder that the line to complete names; undefined when it cannot be read. */
async function readIn<Value>(
  context: ProcessContext,
  argv: readonly string[],
  read: (tree: SourceTree) => Value,
): Promise<Value | undefined> {
  const { openForReading } = await import('../world/disk/disk-tree.ts');
  const option = argv.findIndex((word) => word === '-C' || word === '--directory');
  const directory = option < 0 ? '.' : (argv[option + 1] ?? '.');
  try {
    return read(openForReading(workingRoot(context, { directory })));
  } catch {
    return undefined;
  }
}
