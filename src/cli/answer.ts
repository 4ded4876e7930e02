import { Option } from '@commander-js/extra-typings';
import { sanitizedJson } from '../text/print/escape.ts';
import { answerYaml } from '../text/yaml/yaml-output.ts';

/** `-o` of a command that answers a question. */
export function answerOption() {
  return new Option('-o, --output <format>')
    .choices(['table', 'json', 'yaml', 'csv'])
    .default('table');
}

/** `-o` of a command that reports what it did. */
export function reportOption() {
  return new Option('-o, --output <format>').choices(['text', 'json']).default('text');
}

/** The formats that differ from one kind of answer to another. */
export interface AnswerPrinters<Answer> {
  readonly table: (answer: Answer) => string;
  readonly csv: (answer: Answer) => string;
}

/** The text of an answer in the format that `-o` names. */
export function answerText<Answer extends object>(
  answer: Answer,
  format: string,
  { table, csv }: AnswerPrinters<Answer>,
): string {
  if (format === 'json') return sanitizedJson(answer);
  if (format === 'yaml') return answerYaml(answer);
  return format === 'csv' ? csv(answer) : table(answer);
}
