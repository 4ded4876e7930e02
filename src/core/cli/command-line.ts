import { isAbsolute, join } from 'node:path';
import { Command, type CommandUnknownOpts, Help, Option } from '@commander-js/extra-typings';
import { type ProcessContext, version } from './cli-context.ts';
import { progressOption } from './progress/chosen-display.ts';

/** The program without commands. */
export function programOf({ out, err }: ProcessContext) {
  return new Command('leasehold')
    .description('Static IP addresses handed out through git.')
    .version(version)
    .option(
      '-C, --directory <dir>',
      'look for the workspace from this folder; may be repeated',
      folderValue,
      '.',
    )
    .option('-q, --quiet', 'print no progress, and no summary of a run', false)
    .addOption(progressOption())
    .addOption(new Option('--color', 'print colours, also into a pipe').default(undefined))
    .option('--no-color', 'print none; without both options NO_COLOR and FORCE_COLOR decide')
    .helpOption('-h, --help', 'show help')
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: globalOptionsOf,
      subcommandTerm: (command) => command.name(),
      optionDescription: describedOption,
    })
    .configureOutput({ writeOut: out, writeErr: err })
    .exitOverride()
    .showHelpAfterError('`leasehold help` lists the commands')
    .addHelpText(
      'after',
      '\nleasehold COMMAND --help shows the options of a command, with examples.',
    );
}

/** The help of a group has none: it is read for its commands, which come after the options. */
function globalOptionsOf(command: CommandUnknownOpts): Option[] {
  const help = Object.assign(new Help(), { showGlobalOptions: true });
  return command.commands.length > 0 ? [] : help.visibleGlobalOptions(command);
}

/** The description of an option, without the defaults `false` and `[]`, which explain nothing. */
function describedOption(option: Option): string {
  const isEmpty = option.defaultValue === false || String(option.defaultValue) === '';
  const described = isEmpty
    ? Object.assign(Object.create(option), { defaultValue: undefined })
    : option;
  return new Help().optionDescription(described);
}

/** A folder of `-C`: each one counts from the one before, as for git. */
function folderValue(folder: string, before: string): string {
  return isAbsolute(folder) ? folder : join(before, folder);
}

/** The options that every command has. */
export type GlobalOptions = OptionsOf<typeof programOf>;

/** A line of the program's help. */
export interface Listing {
  /** The heading of its group. */
  readonly group: string;
  /** At most 55 characters: one line of the help at a terminal of 80 columns. */
  readonly summary: string;
  /** For the help of the command itself, when it explains more than the summary. */
  readonly description?: string;
}

/** Adds a command without options and arguments to the program. */
export function newCommand(
  program: ReturnType<typeof programOf>,
  name: string,
  { group, summary, description = summary }: Listing,
) {
  return program
    .command(name)
    .helpGroup(group)
    .summary(summary)
    .description(description)
    .allowExcessArguments(false)
    .showHelpAfterError(pointer(name));
}

/** A command that has the global options and none of its own. */
export type NewCommand = ReturnType<typeof newCommand>;

/** Adds a command to another one, which then only groups commands. */
export function newSubcommand(group: NewCommand, name: string, description: string): NewCommand {
  return group
    .command(name)
    .description(description)
    .allowExcessArguments(false)
    .showHelpAfterError(pointer(`${group.name()} ${name}`));
}

/** Follows the message for a command line that does not fit a command. */
function pointer(command: string): string {
  return `\`leasehold ${command} --help\` shows its options, with examples`;
}

/** The options of the command that a function declares, the global ones included. */
export type OptionsOf<Declare extends (...inputs: never[]) => { optsWithGlobals(): object }> =
  ReturnType<ReturnType<Declare>['optsWithGlobals']>;
