import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { compareText } from '../model/order.ts';
import { InternalError } from '../model/problem.ts';
import type { Listing, NewCommand } from './command-line.ts';
import { core } from './core-commands.ts';
import {
  type Example,
  type Examples,
  type Feature,
  type FeatureCommand,
  groups,
} from './feature.ts';

/** A command, with the feature that has it. */
interface ListedCommand extends Omit<FeatureCommand, 'group'>, Listing {
  readonly feature: Feature;
}

/**
 * The commands of core and of features by name, in the order of the help: by group, and in a group
 * by name. Throws an InternalError when two have the same name.
 */
export function commandsOf(features: readonly Feature[]): ReadonlyMap<string, ListedCommand> {
  const all = [core, ...features].flatMap((feature) =>
    Object.entries(feature.commands ?? {}).map(([name, command]) => ({ name, command, feature })),
  );
  const order = Object.keys(groups);
  all.sort(
    (left, right) =>
      order.indexOf(left.command.group) - order.indexOf(right.command.group) ||
      compareText(left.name, right.name),
  );
  const commands = new Map<string, ListedCommand>();
  for (const { name, command, feature } of all) {
    if (commands.has(name)) throw new InternalError(`two features have the command ${name}`);
    commands.set(name, { ...command, group: groups[command.group], feature });
  }
  return commands;
}

/** The command that the package for shell completion adds. */
export const completionListing: Listing = {
  group: groups.help,
  summary: 'print the completion script of a shell',
};

export const helpListing: Listing = {
  group: groups.help,
  summary: 'show the help of a command',
};

/** The commands for the first steps after the installation. */
const firstCommands = ['init', 'synth', 'plan', 'check', 'list'] as const;

/** Further help, by the command that must be there. */
const further = [
  ['import', 'leasehold import --help    take over the addresses that you have already'],
  ['list', 'leasehold help             all commands'],
  ['list', 'leasehold COMMAND --help   what a command does, its options, and examples'],
] as const;

/** The text of `leasehold` without a command: the first commands, and where to read on. */
export function firstStepsText(features: readonly Feature[]): string {
  const commands = commandsOf(features);
  const width = Math.max(...firstCommands.map((name) => name.length));
  const lines = firstCommands.flatMap((name) => {
    const summary = commands.get(name)?.summary;
    return summary === undefined ? [] : [`  ${name.padEnd(width)}  ${summary}\n`];
  });
  const more = further.flatMap(([name, line]) => (commands.has(name) ? [`${line}\n`] : []));
  return `Static IP addresses handed out through git.

Usage: leasehold COMMAND

${lines.join('')}
${more.join('')}`;
}

/** The examples of core and of features. */
export function examplesOf(features: readonly Feature[]): Examples {
  return Object.assign({}, ...[core, ...features].map(({ examples }) => examples));
}

/** Adds the examples of a command, and of its subcommands, to their help. */
export function addExamples(command: NewCommand, { examples = {} }: Feature): void {
  const addTo = (to: NewCommand | CommandUnknownOpts, path: string): void => {
    const own = examples[path];
    if (own) to.addHelpText('after', examplesText(own));
  };
  addTo(command, command.name());
  for (const sub of command.commands) addTo(sub, `${command.name()} ${sub.name()}`);
}

function examplesText(own: readonly Example[]): string {
  const blocks = own.map(([purpose, line]) => `  # ${purpose}\n  leasehold ${line}`);
  return `\nExamples:\n${blocks.join('\n\n')}`;
}
