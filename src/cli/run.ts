import { CommanderError, Help } from '@commander-js/extra-typings';
import { type CliContext, exit } from './cli-context.ts';
import { type CommandLine, type NewCommand, newCommand, programOf } from './command-line.ts';
import { commandList, completionListing, helpListing } from './command-list.ts';
import { reportFailure } from './failure.ts';

/** Runs one command line (without program names) and returns its exit status. Never throws. */
export async function run(argv: readonly string[], context: CliContext): Promise<number> {
  let status: number = exit.fine;
  try {
    const program = programOf(context);
    const load = addCommands(program, context, async (done) => {
      status = await done;
    });
    if (argv.some((word) => word === 'completion' || word === 'complete')) {
      // The candidates for a word include the options of the commands on the line.
      for (const word of argv) await load(word);
      const { addCompletion } = await import('./completion.ts');
      await addCompletion(program, context, argv);
    } else {
      newCommand(program, 'completion', completionListing.description);
    }
    addHelp(program, load);
    await program.parseAsync([...argv], { from: 'user' });
    return status;
  } catch (failure) {
    if (failure instanceof CommanderError) return failure.exitCode === 0 ? exit.fine : exit.usage;
    return reportFailure(context, failure);
  }
}

type Program = ReturnType<typeof programOf>;

/**
 * Loads the module of a command and completes the command. Does nothing for other names, and the
 * second time.
 */
type LoadCommand = (name: string) => Promise<void>;

/**
 * Adds all commands with their names only. A command is completed when the program is about to run
 * it.
 */
function addCommands(
  program: Program,
  context: CliContext,
  exitWith: CommandLine['exitWith'],
): LoadCommand {
  const unloaded = new Map<string, NewCommand>();
  for (const [name, { description }] of Object.entries(commandList)) {
    unloaded.set(name, newCommand(program, name, description));
  }
  const load: LoadCommand = async (name) => {
    const command = unloaded.get(name);
    const listed = commandList[name];
    if (!(command && listed)) return;
    unloaded.delete(name);
    const addTo = await listed.load();
    addTo({ context, command, exitWith });
  };
  program.hook('preSubcommand', (_, command) => load(command.name()));
  return load;
}

/**
 * Adds `help`, which loads the command that it explains, and lists commands that are not loaded
 * with their usage.
 */
function addHelp(program: Program, load: LoadCommand): void {
  const listings = new Map(
    Object.entries({ ...commandList, completion: completionListing, help: helpListing }),
  );
  program.configureHelp({
    showGlobalOptions: true,
    subcommandTerm: (command) => {
      const usage = listings.get(command.name())?.usage;
      if (usage === undefined) return new Help().subcommandTerm(command);
      return `${command.name()} ${usage}`.trimEnd();
    },
  });
  newCommand(program.helpCommand(false), 'help', helpListing.description)
    .argument('[command]')
    .action(async (name = '') => {
      await load(name);
      const command = program.commands.find((candidate) => candidate.name() === name);
      if (command) command.help();
      else program.help({ error: name !== '' });
    });
}
