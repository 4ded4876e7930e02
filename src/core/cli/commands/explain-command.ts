import { Option } from '@commander-js/extra-typings';
import {
  codesText,
  explainedCodes,
  explainText,
  nearestCode,
} from '../../run/explain/explain-text.ts';
import { exit, isData } from '../cli-context.ts';
import { UsageError } from '../failure.ts';
import { type CommandLine, command } from '../feature.ts';

/** `leasehold explain`. Its module imports only texts, so that it loads fast. */
export const explainCommand = command(
  (bare) =>
    bare
      .argument('[code]', 'such as POOL_EXHAUSTED; all codes when left out')
      .addOption(
        new Option('-o, --output <format>').choices(['text', 'json', 'yaml']).default('text'),
      ),
  (_, { output }, [code], line) => runExplain(line, code?.toUpperCase(), output),
);

async function runExplain(
  { context, features }: CommandLine,
  code: string | undefined,
  output: string,
): Promise<number> {
  const all = await explainedCodes(features);
  const items = code === undefined ? all : all.filter((known) => known.code === code);
  if (code !== undefined && items.length === 0) {
    const near = nearestCode(code, all);
    const meant = near === undefined ? '' : ` did you mean ${near}?`;
    throw new UsageError(`there is no code ${code};${meant} leasehold explain lists them all`);
  }
  if (isData(output)) {
    const { dataText } = await import('../answer.ts');
    const answer = { apiVersion: 'leasehold.dev/v1', kind: 'Codes', items } as const;
    context.out(dataText(answer, output));
  } else {
    context.out(code === undefined ? codesText(items) : explainText(items));
  }
  return exit.fine;
}
