import {
  allProblemCodes,
  type CodeExplanation,
  problemCodes,
} from '../../model/codes/problem-codes.ts';
import { nearest } from '../../model/order.ts';
import { columns } from '../../text/print/columns.ts';
import { cautionCodes } from '../plan/caution-codes.ts';
import { gradesPage } from '../plan/objects/field-grades.ts';
import type { Codes } from './codes-answer.ts';

/** Loads more codes, such as those of the findings of a feature. */
interface MoreCodes {
  readonly codes?: () => Promise<Readonly<Record<string, CodeExplanation>>>;
}

/** A code, its title, and what to do about it. */
type ExplainedCode = Codes['items'][number];

/** The codes of problems and cautions, and those of the features. */
export async function explainedCodes(
  features: readonly MoreCodes[],
): Promise<readonly ExplainedCode[]> {
  const more = await Promise.all(features.map(({ codes }) => codes?.()));
  return [problemCodes, cautionCodes, ...more].flatMap((codes) =>
    Object.entries(codes ?? {}).map(([code, { title, fix }]) => ({ code, title, fix })),
  );
}

/** What a mistyped code may mean: the nearest code, or those that begin with the same word. */
export function nearCodes(code: string, known: readonly string[]): string {
  const near = nearest(code, known);
  if (near !== undefined) return ` did you mean ${near}?`;
  const [word = ''] = code.split('_', 1);
  const alike = known.filter((one) => one.startsWith(`${word}_`));
  return alike.length === 0 ? '' : ` did you mean ${alike.join(', ')}?`;
}

/** The explanations of codes, for `leasehold explain CODE`. */
export function explainText(codes: readonly ExplainedCode[]): string {
  return codes.map(({ code, title, fix }) => `${code}\n  ${title}\n  ${fix}\n`).join('');
}

/** Codes with their titles, for `leasehold explain` without a code. */
export function codesText(codes: readonly ExplainedCode[]): string {
  return columns(codes.map(({ code, title }) => [code, title]));
}

/** A section for each code: its meaning and its fix. */
export function codeSections(
  heading: string,
  codes: Readonly<Record<string, CodeExplanation>>,
): string {
  return Object.entries(codes)
    .map(([code, { title, fix }]) => `${heading} ${code}\n\n${title}\n\n${fix}\n`)
    .join('\n');
}

/** docs/problems.md. */
export function problemsPage(): string {
  return `# Problems\n\nEvery problem has a stable code. \`leasehold explain CODE\` prints its entry.\n\n${codeSections('##', allProblemCodes())}`;
}

/** The sections of docs/plan.md with the cautions, and with the grades of fields. */
export function cautionsPage(): string {
  return `${codeSections('###', cautionCodes)}\n${gradesPage()}`;
}
