import { shellWord } from '../../core/text/print/escape.ts';
import { replaceCommands } from '../../core/text/print/sentence.ts';
import { grantingCommand } from './doctor-checks.ts';

/** The options of a command that choose the cluster; kubectl has the same. */
export interface Connection {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

/** A text whose commands are for the cluster that was asked, whatever kubectl's own context is. */
export function textFor(text: string, connection: Connection): string {
  return replaceCommands(text, (command) => commandFor(command, connection));
}

/** The same of a command. */
export function commandFor(command: string, { kubeconfig, context }: Connection): string {
  // Whoever grants permissions is not the account of this connection, which lacks them.
  if (command === grantingCommand) return command;
  const options = [
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', shellWord(kubeconfig)]),
    ...(context === undefined ? [] : ['--context', shellWord(context)]),
  ];
  return command.replaceAll(/\bkubectl (?=-|[a-z])/g, () => ['kubectl', ...options, ''].join(' '));
}
