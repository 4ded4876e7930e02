import { type CodeExplanation, problemCodes } from '../../model/codes/problem-codes.ts';
import { findingCodes } from '../cluster/doctor/finding-codes.ts';
import { cautionCodes } from '../plan/caution-codes.ts';

/** The explanation of a problem, finding or caution code; undefined for an unknown code. */
export function explainText(code: string): string | undefined {
  const codes: Readonly<Record<string, CodeExplanation>> = {
    ...cautionCodes,
    ...findingCodes,
    ...problemCodes,
  };
  const explanation = Object.hasOwn(codes, code) ? codes[code] : undefined;
  return explanation && `${code}\n  ${explanation.title}\n  ${explanation.fix}\n`;
}

/** All codes with their titles, for `leasehold explain` without a code. */
export function codesText(): string {
  return Object.entries(problemCodes)
    .map(([code, { title }]) => `${code.padEnd(22)}${title}\n`)
    .join('');
}

/** docs/problems.md: the meaning and the fix of every code. */
export function problemsPage(): string {
  const sections = Object.entries(problemCodes).map(
    ([code, { title, fix }]) => `## ${code}\n\n${title}\n\n${fix}\n`,
  );
  return `# Problems\n\nEvery problem has a stable code. \`leasehold explain CODE\` prints its entry.\n\n${sections.join('\n')}`;
}

/** The section of docs/plan.md with the cautions. */
export function cautionsPage(): string {
  return Object.entries(cautionCodes)
    .map(([code, { title, fix }]) => `### ${code}\n\n${title}\n\n${fix}\n`)
    .join('\n');
}
