import { Command, CommanderError } from 'commander';
import { addAskingCommands } from './asking-commands.ts';
import { addBootstrapCommand } from './bootstrap-command.ts';
import { addBotCommands } from './bot-commands.ts';
import { addCapacityCommand } from './capacity-command.ts';
import { addCheckCommand } from './check-command.ts';
import { addCleanupCommand } from './cleanup-command.ts';
import { addCodeownersCommand } from './codeowners-command.ts';
import type { CommandLine } from './command-line.ts';
import { addCommands } from './commands.ts';
import { addCommentCommands } from './comment-commands.ts';
import { addCompletion } from './completion.ts';
import { reportFailure } from './failure.ts';
import { addGitopsCommand } from './gitops-command.ts';
import { addImportCommand } from './import-command.ts';
import { addInitCommand } from './init-command.ts';
import { addKeyCommands } from './key-commands.ts';
import { addLiveCommands } from './live-commands.ts';
import { addMapCommand } from './map-command.ts';
import { addMoveCommand } from './move-command.ts';
import { addPinCommand } from './pin-command.ts';
import { addPlanCommand } from './plan-command.ts';
import { addPublishCommand } from './publish-command.ts';
import { addReleaseCommand } from './release-command.ts';
import { addReportCommand } from './report-command.ts';
import { addResolveCommand } from './resolve-command.ts';
import { addServeCommand } from './serve-command.ts';
import { version } from './version.ts';
import { exit, type World } from './world.ts';

/** The commands by group, in the order of the help. */
const groups = [
  addInitCommand,
  addCommands,
  addCheckCommand,
  addMoveCommand,
  addReleaseCommand,
  addPinCommand,
  addCleanupCommand,
  addImportCommand,
  addResolveCommand,
  addPlanCommand,
  addCommentCommands,
  addBotCommands,
  addPublishCommand,
  addKeyCommands,
  addAskingCommands,
  addCapacityCommand,
  addMapCommand,
  addReportCommand,
  addServeCommand,
  addCodeownersCommand,
  addGitopsCommand,
  addBootstrapCommand,
  addLiveCommands,
];

/** Runs one command line (without program names) and gives its exit status. Never throws. */
export async function run(argv: readonly string[], world: World): Promise<number> {
  let status: number = exit.fine;
  const program = programOf(world, async (done) => {
    status = await done;
  });
  addCompletion(program, world, argv);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return status;
  } catch (failure) {
    if (failure instanceof CommanderError) return failure.exitCode === 0 ? exit.fine : exit.usage;
    return reportFailure(world, failure);
  }
}

function programOf(world: World, take: CommandLine['take']): Command {
  const program = new Command('leasehold')
    .description('Static IP addresses handed out through git.')
    .version(version)
    .option('-C, --directory <dir>', "the repository's folder", '.')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: world.out, writeErr: world.err })
    .exitOverride()
    .showHelpAfterError('(leasehold --help lists the commands)');
  const command = (name: string, description: string) =>
    program.command(name).description(description).allowExcessArguments(false);
  for (const addGroup of groups) addGroup({ world, command, take });
  return program;
}
