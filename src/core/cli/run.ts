import { CommanderError } from '@commander-js/extra-typings';
import { exit, type ProcessContext } from './cli-context.ts';
import { type NewCommand, newCommand, programOf } from './command-line.ts';
import { reportFailure } from './failure.ts';
import { type CommandLine, type Feature, groups } from './feature.ts';
import { addExamples, commandsOf, completionListing, firstStepsText, helpListing } from './help.ts';
import { startedContext } from './progress/chosen-display.ts';

/**
 * Runs one command line (without program names) with the commands of core and of features, and
 * returns its exit status. Never throws.
 */
export async function run(
  argv: readonly string[],
  features: readonly Feature[],
  context: ProcessContext,
): Promise<number> {
  if (argv.length === 0) {
    context.err(firstStepsText(features));
    return exit.usage;
  }
  let status: number = exit.fine;
  let output: string | undefined;
  const answering: ProcessContext = {
    ...context,
    argv,
    get output() {
      return output;
    },
  };
  try {
    const program = await programFor(argv, answering, features, async (done) => {
      status = await done;
    });
    program.hook('preAction', (_, command) => {
      output = outputOf(command.opts());
    });
    await program.parseAsync([...argv], { from: 'user' });
    return status;
  } catch (failure) {
    if (failure instanceof CommanderError) return failure.exitCode === 0 ? exit.fine : exit.usage;
    return reportFailure(answering, failure);
  }
}

/** The program with the commands that a command line needs. */
export async function programFor(
  argv: readonly string[],
  context: ProcessContext,
  features: readonly Feature[],
  exitWith: CommandLine['exitWith'],
): Promise<Program> {
  const program = programOf(context);
  const load = addCommands(program, context, features, exitWith);
  if (argv.some((word) => word === 'completion' || word === 'complete')) {
    // The candidates for a word include the options of the commands on the line.
    for (const word of argv) await load(word);
    const { addCompletion } = await import('./completion.ts');
    await addCompletion(program, context, features, argv);
  } else {
    newCommand(program, 'completion', completionListing);
  }
  addHelp(program, load);
  return program;
}

/** The program with all commands and their options. */
export async function wholeProgram(
  context: ProcessContext,
  features: readonly Feature[],
): Promise<Program> {
  const program = programOf(context);
  const load = addCommands(program, context, features, async () => {});
  for (const name of commandsOf(features).keys()) await load(name);
  newCommand(program, 'completion', completionListing);
  addHelp(program, load);
  return program;
}

function outputOf(options: object): string | undefined {
  return 'output' in options && typeof options.output === 'string' ? options.output : undefined;
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
  context: ProcessContext,
  features: readonly Feature[],
  exitWith: CommandLine['exitWith'],
): LoadCommand {
  const commands = commandsOf(features);
  const unloaded = new Map<string, NewCommand>();
  for (const [name, listing] of commands) {
    unloaded.set(name, newCommand(program, name, listing));
  }
  const load: LoadCommand = async (name) => {
    const command = unloaded.get(name);
    const listed = commands.get(name);
    if (!(command && listed)) return;
    unloaded.delete(name);
    const addTo = await listed.load();
    const { context: own, end } = startedContext(context, program.opts());
    addTo({
      context: own,
      features,
      command,
      exitWith: (status) => exitWith(Promise.resolve(status).finally(end)),
    });
    addExamples(command, listed.feature);
  };
  program.hook('preSubcommand', async (_, command) => {
    await load(command.name());
    const group = commands.get(command.name())?.group;
    // The commands of the group Help read no tree.
    if (group === undefined || group === groups.help) return;
    const { loadParts } = await import('../tree/parts.ts');
    await loadParts(features);
  });
  return load;
}

/** Adds `help`, which loads the command that it explains. */
function addHelp(program: Program, load: LoadCommand): void {
  newCommand(program.helpCommand(false), 'help', helpListing)
    .argument('[command...]')
    .action(async (names) => {
      await load(names[0] ?? '');
      let command: Pick<Program, 'commands' | 'help'> = program;
      for (const name of names) {
        const found = command.commands.find((candidate) => candidate.name() === name);
        if (!found) return program.error(`error: unknown command '${name}'`);
        command = found;
      }
      return command.help();
    });
}
