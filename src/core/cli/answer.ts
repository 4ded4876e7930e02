import { Option } from '@commander-js/extra-typings';
import { ifAvailable } from '../model/calls.ts';
import { sanitizedJson } from '../text/print/escape.ts';
import type { TableStyle } from '../text/print/table.ts';
import { answerYaml } from '../text/yaml/yaml-output.ts';
import { isInWorkTree } from '../world/git/git.ts';
import type { Repository } from '../world/git/git-repository.ts';
import { type CliContext, isData } from './cli-context.ts';
import { outPaint } from './tell.ts';

/** `-o` of a command that answers a question. */
export function answerOption() {
  return new Option('-o, --output <format>')
    .choices(['table', 'wide', 'json', 'yaml', 'csv'])
    .default('table');
}

/** `-o` of a command that answers with a table and more, which CSV cannot have. */
export function tableOption() {
  return new Option('-o, --output <format>')
    .choices(['table', 'wide', 'json', 'yaml'])
    .default('table');
}

/** `-o` of a command that reports what it did. */
export function reportOption() {
  return new Option('-o, --output <format>').choices(['text', 'json', 'yaml']).default('text');
}

/** `-o` of a command that prints values or a file for programs, under the name of them. */
export function valuesOption<const Values extends string>(values: Values) {
  return new Option('-o, --output <format>').choices([values, 'json', 'yaml']).default(values);
}

/** The formats that differ from one kind of answer to another. */
export interface AnswerPrinters<Answer> {
  readonly table: (answer: Answer, style: TableStyle) => string;
  readonly csv: (answer: Answer) => string;
}

/** The text of an answer in the format that `-o` names. */
export function answerText<Answer extends object>(
  context: CliContext,
  answer: Answer,
  format: string,
  { table, csv }: AnswerPrinters<Answer>,
): string {
  if (isData(format)) return dataText(answer, format);
  return format === 'csv' ? csv(answer) : table(answer, tableStyle(context, format));
}

/** The text of a report in the format that `-o` names. */
export function reportText<Answer extends object>(
  answer: Answer,
  format: string,
  text: (answer: Answer) => string,
): string {
  return isData(format) ? dataText(answer, format) : text(answer);
}

/** The text of an answer for programs. */
export function dataText(answer: object, format: 'json' | 'yaml'): string {
  return format === 'json' ? sanitizedJson(answer) : answerYaml(answer);
}

/** How tables look on standard output. */
export function tableStyle(context: CliContext, format: string | undefined): TableStyle {
  return { paint: outPaint(context), width: context.columns, wide: format === 'wide' };
}

/**
 * The checked-out commit, as answers for programs have it. Empty for other formats, for which git
 * is not started, outside of a repository, and without commits.
 */
export async function commitFields(
  { root, commits }: Repository,
  format: string | undefined,
): Promise<{ readonly commit?: string; readonly uncommitted?: true }> {
  if (!isData(format) || !isInWorkTree(root)) return {};
  const fields = await ifAvailable(async () => {
    const { id } = await commits.resolve('HEAD');
    return { commit: id, ...((await commits.isDirty()) ? { uncommitted: true as const } : {}) };
  });
  return fields ?? {};
}

/** The day of the clock, and {@link commitFields}: what an answer about the checkout is for. */
export async function stateFields(
  context: CliContext,
  repository: Repository,
  format: string | undefined,
) {
  return { day: context.today(), ...(await commitFields(repository, format)) };
}
