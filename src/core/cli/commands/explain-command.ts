import { Option } from '@commander-js/extra-typings';
import {
  codesText,
  explainedCodes,
  explainText,
  nearCodes,
} from '../../run/explain/explain-text.ts';
import { exit, isData } from '../cli-context.ts';
import { UsageError } from '../failure.ts';
import { type CommandLine, command } from '../feature.ts';

/** `leasehold explain`. Its module imports only texts, so that it loads fast. */
export const explainCommand = command(
  (bare) =>
    bare
      .argument('[code...]', 'such as POOL_EXHAUSTED; all codes when left out')
      .addOption(
        new Option('-o, --output <format>').choices(['text', 'json', 'yaml']).default('text'),
      ),
  (_, { output }, [codes], line) => runExplain(line, codes, output),
);

async function runExplain(
  { context, features }: CommandLine,
  asked: readonly string[],
  output: string,
): Promise<number> {
  const codes = asked.map((code) => code.toUpperCase());
  const all = await explainedCodes(features);
  const known = new Map(all.map((explained) => [explained.code, explained]));
  const items = codes.length === 0 ? all : codes.flatMap((code) => known.get(code) ?? []);
  const unknown = codes.find((code) => !known.has(code));
  if (unknown !== undefined) {
    const meant = nearCodes(unknown, [...known.keys()]);
    throw new UsageError(
      `there is no code ${unknown};${meant} \`leasehold explain\` lists them all`,
    );
  }
  if (isData(output)) {
    const { dataText } = await import('../answer.ts');
    const answer = { apiVersion: 'leasehold.dev/v1', kind: 'Codes', items } as const;
    context.out(dataText(answer, output));
  } else {
    context.out(codes.length === 0 ? codesText(items) : explainText(items));
  }
  return exit.fine;
}
