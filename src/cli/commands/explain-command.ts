import { codesText, explainText } from '../../features/reference/explain-text.ts';
import { type CliContext, exit } from '../cli-context.ts';
import type { CommandLine } from '../command-line.ts';
import { UsageError } from '../failure.ts';

/** `leasehold explain`. Its module imports only texts, so that it loads fast. */
export function addExplainCommand({ context, command, exitWith }: CommandLine): void {
  command
    .argument('[code]', 'such as POOL_EXHAUSTED; all codes when left out')
    .action((code) => exitWith(runExplain(context, code)));
}

function runExplain(context: CliContext, code: string | undefined): number {
  const text = code === undefined ? codesText() : explainText(code.toUpperCase());
  if (text === undefined) {
    throw new UsageError(`there is no code ${code}; leasehold explain lists them all`);
  }
  context.out(text);
  return exit.fine;
}
