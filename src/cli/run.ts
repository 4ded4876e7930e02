import { Command, CommanderError } from 'commander';
import { commandGroups } from './command-groups.ts';
import type { CommandLine } from './command-line.ts';
import { reportFailure } from './failure.ts';
import { version } from './version.ts';
import { exit, type World } from './world.ts';

/** Runs one command line (without program names) and gives its exit status. Never throws. */
export async function run(argv: readonly string[], world: World): Promise<number> {
  let status: number = exit.fine;
  try {
    const program = programOf(world);
    const command = (name: string, description: string) =>
      program.command(name).description(description).allowExcessArguments(false);
    const take: CommandLine['take'] = async (done) => {
      status = await done;
    };
    const { groups, isWhole } = await commandGroups(argv);
    for (const addGroup of groups) addGroup({ world, command, take });
    if (isWhole) (await import('./completion.ts')).addCompletion(program, world, argv);
    await program.parseAsync([...argv], { from: 'user' });
    return status;
  } catch (failure) {
    if (failure instanceof CommanderError) return failure.exitCode === 0 ? exit.fine : exit.usage;
    return reportFailure(world, failure);
  }
}

function programOf(world: World): Command {
  return new Command('leasehold')
    .description('Static IP addresses handed out through git.')
    .version(version)
    .option('-C, --directory <dir>', "the repository's folder", '.')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: world.out, writeErr: world.err })
    .exitOverride()
    .showHelpAfterError('(leasehold --help lists the commands)');
}
