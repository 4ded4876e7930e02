import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { Addition } from '../interfaces/extension.ts';
import type { CodeExplanation } from '../model/codes/problem-codes.ts';
import type { PlanFormats } from '../run/plan/print/plan-format.ts';
import type { Part } from '../tree/parts.ts';
import type { CliContext } from './cli-context.ts';
import {
  type GlobalOptions,
  type Listing,
  type NewCommand,
  newSubcommand,
} from './command-line.ts';

/** The headings of the commands in the help, in its order. */
export const groups = {
  start: 'Start:',
  everyDay: 'Every day:',
  change: 'Change:',
  ask: 'Ask:',
  cluster: 'Cluster:',
  bots: 'Bots and CI:',
  help: 'Help:',
} as const;

/** The purpose of a command line, and the line without the name of the program. */
export type Example = readonly [purpose: string, line: string];

/** The examples of commands and subcommands, by name: `import netbox`. */
export type Examples = Readonly<Record<string, readonly [Example, Example]>>;

/** The context of a command's module. */
export interface CommandLine {
  readonly context: CliContext;
  /** Core and all features. */
  readonly features: readonly Feature[];
  /**
   * The command, with its name and its description. The module adds arguments, options and the
   * action.
   */
  readonly command: NewCommand;
  /** Sets the exit status of the command that runs. */
  exitWith(status: Promise<number> | number): Promise<void>;
}

/** Completes a command. */
export type AddCommand = (line: CommandLine) => void;

/** Adds arguments and options to a command. */
type Declare<Args extends unknown[], Options extends OptionValues> = (
  command: NewCommand,
) => Command<Args, Options, GlobalOptions>;

/** Runs a command with its options and its arguments, and returns its exit status. */
type Run<Args extends unknown[], Options extends OptionValues> = (
  context: CliContext,
  options: ReturnType<Command<Args, Options, GlobalOptions>['optsWithGlobals']>,
  args: Args,
  line: CommandLine,
) => Promise<number> | number;

/** A command that takes what `declare` adds to it. */
export function command<Args extends unknown[], Options extends OptionValues>(
  declare: Declare<Args, Options>,
  run: Run<Args, Options>,
): AddCommand {
  return (line) => {
    const declared = declare(line.command);
    declared.action(() => {
      const { processedArgs } = declared;
      return line.exitWith(run(line.context, declared.optsWithGlobals(), processedArgs, line));
    });
  };
}

/** A command that only groups others. */
export function group(...commands: readonly AddCommand[]): AddCommand {
  return (line) => {
    for (const add of commands) add(line);
  };
}

/** A command of a group. */
export function subcommand<Args extends unknown[], Options extends OptionValues>(
  name: string,
  description: string,
  declare: Declare<Args, Options>,
  run: Run<Args, Options>,
): AddCommand {
  return (line) => {
    const own = newSubcommand(line.command, name, description);
    command(declare, run)({ ...line, command: own });
  };
}

/** A command in the help. */
export interface FeatureCommand extends Omit<Listing, 'group'> {
  readonly group: keyof typeof groups;
  /** Loads the module of the command. It returns the function that adds options and action. */
  readonly load: () => Promise<AddCommand>;
}

/**
 * A feature of the program. All but the name is optional. It has texts, and loads the rest
 * when it is needed: the help and the completion load no module of a command.
 */
export interface Feature {
  /** The name of its folder in `src/features`; `core` for core. */
  readonly name: string;
  /** The features whose folders it imports from; they cannot be removed without it. */
  readonly needs?: readonly string[];
  /** By name. A command that another feature has too is an InternalError. */
  readonly commands?: Readonly<Record<string, FeatureCommand>>;
  /** Formats of `plan -o` beside those of core, by name. */
  readonly planFormats?: PlanFormats;
  /** Two for each command and subcommand. A test runs them all. */
  readonly examples?: Examples;
  /** Codes that `leasehold explain` explains, also those of its part. */
  readonly codes?: () => Promise<Readonly<Record<string, CodeExplanation>>>;
  /** Its additions to core, loaded before a command runs. */
  readonly part?: () => Promise<Part>;
  /** Its additions to other features; see {@link adds}. */
  readonly adds?: readonly Addition[];
}
