import { findingCodes } from '../../../features/cluster/doctor/finding-codes.ts';
import { type CodeExplanation, problemCodes } from '../../model/codes/problem-codes.ts';
import { nearest } from '../../text/message-text.ts';
import { columns } from '../../text/print/columns.ts';
import { cautionCodes } from '../plan/caution-codes.ts';
import { gradesPage } from '../plan/objects/field-grades.ts';
import type { Codes } from './codes-answer.ts';

const allCodes: Readonly<Record<string, CodeExplanation>> = {
  ...problemCodes,
  ...cautionCodes,
  ...findingCodes,
};

/** All problem, caution and finding codes, or one of them; undefined for an unknown one. */
export function explained(code: string | undefined): Codes | undefined {
  const items = Object.entries(allCodes)
    .filter(([name]) => code === undefined || name === code)
    .map(([name, { title, fix }]) => ({ code: name, title, fix }));
  return items.length === 0 ? undefined : { apiVersion: 'leasehold.dev/v1', kind: 'Codes', items };
}

/** The code that a mistyped one is nearest to, if there is one. */
export function nearestCode(code: string): string | undefined {
  return nearest(code, Object.keys(allCodes));
}

/** The explanation of a code; undefined for an unknown code. */
export function explainText(code: string): string | undefined {
  return explained(code)
    ?.items.map(({ title, fix }) => `${code}\n  ${title}\n  ${fix}\n`)
    .join('');
}

/** All codes with their titles, for `leasehold explain` without a code. */
export function codesText(): string {
  return columns(Object.entries(allCodes).map(([code, { title }]) => [code, title]));
}

/** docs/problems.md: the meaning and the fix of every code. */
export function problemsPage(): string {
  const sections = Object.entries(problemCodes).map(
    ([code, { title, fix }]) => `## ${code}\n\n${title}\n\n${fix}\n`,
  );
  return `# Problems\n\nEvery problem has a stable code. \`leasehold explain CODE\` prints its entry.\n\n${sections.join('\n')}`;
}

/** The sections of docs/plan.md with the cautions, and with the grades of fields. */
export function cautionsPage(): string {
  const sections = Object.entries(cautionCodes).map(
    ([code, { title, fix }]) => `### ${code}\n\n${title}\n\n${fix}\n`,
  );
  return [...sections, gradesPage()].join('\n');
}
