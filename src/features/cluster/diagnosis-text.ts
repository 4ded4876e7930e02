import { columns } from '../../text/print/columns.ts';
import { sanitize } from '../../text/print/escape.ts';
import type { Diagnosis, Finding, Level } from './diagnosis-answer.ts';
import { findingCodes } from './doctor/finding-codes.ts';

const levels: readonly Level[] = ['ok', 'caution', 'problem', 'unknown'];

/**
 * The findings as a table, each followed by lines with its meaning and fix. The last line counts
 * the findings of each level.
 */
export function diagnosisTable({ findings }: Diagnosis): string {
  const header = ['LEVEL', 'CODE', 'FOUND'];
  const lines = columns([header, ...findings.map(row)]).split('\n');
  const [head = '', ...rows] = lines;
  const blocks = findings.map((finding, index) => [rows[index] ?? '', ...detailsOf(finding)]);
  return `${[head, ...blocks.flat(), countsOf(findings)].join('\n')}\n`;
}

/** The section of docs/doctor.md that explains every code. */
export function findingsPage(): string {
  return Object.entries(findingCodes)
    .map(([code, { title, fix }]) => `### ${code}\n\n${title}\n\n${fix}\n`)
    .join('\n');
}

function row({ level, code, found }: Finding): string[] {
  return [level, code, sanitize(found)];
}

function detailsOf({ means, fix, command }: Finding): string[] {
  return [
    ...(means === undefined ? [] : [`  means: ${sanitize(means)}`]),
    ...(fix === undefined ? [] : [`  fix: ${sanitize(fix)}`]),
    ...(command === undefined ? [] : [`  $ ${sanitize(command)}`]),
  ];
}

function countsOf(findings: readonly Finding[]): string {
  return levels
    .flatMap((level) => {
      const count = findings.filter((finding) => finding.level === level).length;
      if (count === 0) return [];
      return [`${count} ${level === 'problem' && count > 1 ? 'problems' : level}`];
    })
    .join(', ');
}
