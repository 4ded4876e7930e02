import { cautionCodes } from '../../model/codes/caution-codes.ts';
import type { CodeExplanation } from '../../model/codes/code-explanation.ts';
import { findingCodes } from '../../model/codes/finding-codes.ts';
import { problemCodes } from '../../model/codes/problem-codes.ts';

/** What is known of the code of a problem, a finding or a caution, for a person; undefined when there is no such code. */
export function explainText(code: string): string | undefined {
  const known: Readonly<Record<string, CodeExplanation>> = {
    ...cautionCodes,
    ...findingCodes,
    ...problemCodes,
  };
  const explanation = Object.hasOwn(known, code) ? known[code] : undefined;
  return explanation && `${code}\n  ${explanation.title}\n  ${explanation.fix}\n`;
}

/** All codes with their titles, for `leasehold explain` without a code. */
export function codesText(): string {
  return Object.entries(problemCodes)
    .map(([code, { title }]) => `${code.padEnd(22)}${title}\n`)
    .join('');
}

/** docs/problems.md: every code with what it means and what to do. */
export function problemsPage(): string {
  const sections = Object.entries(problemCodes).map(
    ([code, { title, fix }]) => `## ${code}\n\n${title}\n\n${fix}\n`,
  );
  return `# Problems\n\nEvery problem has a stable code. \`leasehold explain CODE\` prints what stands here.\n\n${sections.join('\n')}`;
}

/** The part of docs/plan.md that lists the cautions. */
export function cautionsPage(): string {
  return Object.entries(cautionCodes)
    .map(([code, { title, fix }]) => `### ${code}\n\n${title}\n\n${fix}\n`)
    .join('\n');
}
