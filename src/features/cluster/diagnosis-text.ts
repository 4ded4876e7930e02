import { codeSections } from '../../core/run/explain/explain-text.ts';
import { sanitize } from '../../core/text/print/escape.ts';
import { judgementColor } from '../../core/text/print/state-color.ts';
import { type Column, type TableStyle, tableText } from '../../core/text/print/table.ts';
import { indentedText } from '../../core/text/print/wrap.ts';
import type { DoctorChecks } from '../../lib/kubernetes/doctor-checks.ts';
import type { Diagnosis, Finding, Level } from './diagnosis-answer.ts';
import { findingCodes } from './doctor/finding-codes.ts';

/** The levels in the order of their counts. */
const judgements: Readonly<Record<Level, 'good' | 'warn' | 'bad' | 'unknown'>> = {
  ok: 'good',
  caution: 'warn',
  problem: 'bad',
  unknown: 'unknown',
};

const columns: readonly Column<Finding>[] = [
  {
    name: 'LEVEL',
    cell: ({ level }) => level,
    color: ({ level }, paint) => judgementColor(judgements[level], paint),
  },
  { name: 'CODE', cell: ({ code }) => code },
  { name: 'FOUND', cell: ({ found }) => found, prose: 'wrap' },
];

/**
 * The findings as a table, each followed by lines with its meaning and fix. The last line counts
 * the findings of each level.
 */
export function diagnosisTable({ findings }: Diagnosis, style: TableStyle): string {
  const table = tableText(columns, findings, style, (finding) => detailsText(finding, style));
  return `${table}${countsOf(findings)}\n`;
}

/** The section of docs/doctor.md that explains every code, also those that features add. */
export function findingsPage(added: readonly DoctorChecks[]): string {
  return codeSections('###', Object.assign({}, findingCodes, ...added.map(({ codes }) => codes)));
}

/** A command keeps its line, so that it can be copied. */
function detailsText({ means, fix, command }: Finding, { width }: TableStyle): string {
  return [
    means === undefined ? '' : indentedText(`means: ${means}`, 2, width),
    fix === undefined ? '' : indentedText(`fix: ${fix}`, 2, width),
    command === undefined ? '' : `  $ ${sanitize(command)}\n`,
  ].join('');
}

function countsOf(findings: readonly Finding[]): string {
  return Object.keys(judgements)
    .flatMap((level) => {
      const count = findings.filter((finding) => finding.level === level).length;
      if (count === 0) return [];
      return [`${count} ${level === 'problem' && count > 1 ? 'problems' : level}`];
    })
    .join(', ');
}
