import { Option } from '@commander-js/extra-typings';
import { codesText, explained, explainText, nearestCode } from '../../run/explain/explain-text.ts';
import { type CliContext, exit, isData } from '../cli-context.ts';
import type { CommandLine } from '../command-line.ts';
import { UsageError } from '../failure.ts';

/** `leasehold explain`. Its module imports only texts, so that it loads fast. */
export function addExplainCommand({ context, command, exitWith }: CommandLine): void {
  command
    .argument('[code]', 'such as POOL_EXHAUSTED; all codes when left out')
    .addOption(
      new Option('-o, --output <format>').choices(['text', 'json', 'yaml']).default('text'),
    )
    .action((code, { output }) => exitWith(runExplain(context, code?.toUpperCase(), output)));
}

async function runExplain(
  context: CliContext,
  code: string | undefined,
  output: string,
): Promise<number> {
  const answer = explained(code);
  if (answer === undefined) {
    const near = code === undefined ? undefined : nearestCode(code);
    const meant = near === undefined ? '' : ` did you mean ${near}?`;
    throw new UsageError(`there is no code ${code};${meant} leasehold explain lists them all`);
  }
  if (isData(output)) {
    const { dataText } = await import('../answer.ts');
    context.out(dataText(answer, output));
  } else {
    context.out((code === undefined ? undefined : explainText(code)) ?? codesText());
  }
  return exit.fine;
}
