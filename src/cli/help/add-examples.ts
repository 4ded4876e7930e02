import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { NewCommand } from '../command-line.ts';
import type { Example } from './automation-examples.ts';
import { examples } from './examples.ts';

/** Adds the examples of a loaded command, and of its subcommands, to their help. */
export function addExamples(command: NewCommand): void {
  addTo(command, command.name());
  for (const sub of command.commands) addTo(sub, `${command.name()} ${sub.name()}`);
}

function addTo(command: NewCommand | CommandUnknownOpts, path: string): void {
  const own = examples[path];
  if (own) command.addHelpText('after', examplesText(own));
}

function examplesText(own: readonly Example[]): string {
  const blocks = own.map(([purpose, line]) => `  # ${purpose}\n  leasehold ${line}`);
  return `\nExamples:\n${blocks.join('\n\n')}`;
}
