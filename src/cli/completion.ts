import { resolve } from 'node:path';
import type { Argument, Option } from '@bomb.sh/tab';
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { findingCodes } from '../model/codes/finding-codes.ts';
import { problemCodes } from '../model/codes/problem-codes.ts';
import type { Pools } from '../model/pools.ts';
import { readPoolFile } from '../workspace/declared.ts';
import { openForReading } from '../world/disk/disk-tree.ts';
import type { World } from './world.ts';

/** tab has a script for PowerShell too, which nobody tries here. */
const shells = ['bash', 'zsh', 'fish'];

/** Takes one value that a word may be completed to. */
type Complete = (value: string, description: string) => void;

/**
 * Adds `completion`, which prints a shell's script, and the hidden `complete`, which that script asks. The
 * program has all its other commands by then. Bash evaluates what is offered, so nothing is offered but our own words
 * and names that the pool file's schema has let through.
 */
export function addCompletion(program: Command, world: World, argv: readonly string[]): void {
  const { commands } = tab(program, { completionCommandName: 'completion' });
  const script = program.commands.find((command) => command.name() === 'completion');
  script?.description('print the script that completes our commands in a shell');
  script?.registeredArguments[0]?.choices(shells);

  offer(commands.get('completion')?.arguments.get('shell'), (complete) => {
    for (const shell of shells) complete(shell, '');
  });
  offer(commands.get('explain')?.arguments.get('code'), (complete) => {
    for (const [code, { title }] of Object.entries({ ...problemCodes, ...findingCodes })) {
      complete(code, title);
    }
  });
  offer(commands.get('pools')?.arguments.get('pool'), (complete) => {
    for (const { name, zone } of poolsIn(world, argv)?.pools ?? []) complete(name, `zone ${zone}`);
  });
  for (const { options } of commands.values()) {
    offer(options.get('cluster'), (complete) => {
      for (const { name } of poolsIn(world, argv)?.clusters ?? []) complete(name, '');
    });
  }
}

function offer(word: Argument | Option | undefined, handler: (complete: Complete) => void): void {
  if (word) word.handler = handler;
}

/** The declared pools of the folder that the line to complete names; undefined when they cannot be read. */
function poolsIn(world: World, argv: readonly string[]): Pools | undefined {
  const option = argv.findIndex((word) => word === '-C' || word === '--directory');
  const folder = option < 0 ? '.' : (argv[option + 1] ?? '.');
  try {
    const pools = readPoolFile(openForReading(resolve(world.cwd, folder)));
    return pools.ok ? pools.value : undefined;
  } catch {
    return undefined;
  }
}
