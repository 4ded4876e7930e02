import { plain } from '../../../text/print/plain.ts';
import type { Plan } from '../plan-answer.ts';
import { type PlanFinding, planFindings } from './plan-findings.ts';
import { verdictWords } from './plan-words.ts';

/** GitHub shows so many errors, and so many warnings, of one step and drops the others silently. */
const mostShown = 10;

/**
 * The verdict, problems and cautions as GitHub workflow commands, which become annotations of the pull
 * request. What GitHub would drop is counted in a notice.
 */
export function planGithub(plan: Plan): string {
  const findings = planFindings(plan);
  const errors = findings.filter(({ level }) => level === 'error');
  const warnings = findings.filter(({ level }) => level === 'warning');
  const left = [errors, warnings].map((all) => Math.max(0, all.length - mostShown));
  const [leftErrors = 0, leftWarnings = 0] = left;
  const title = `leasehold plan: ${verdictWords[plan.verdict].word}`;
  const lines = [
    command('notice', { title }, plan.summary),
    ...errors.slice(0, mostShown).map(annotation),
    ...warnings.slice(0, mostShown).map(annotation),
  ];
  if (leftErrors + leftWarnings > 0) {
    const text = `${leftErrors} more problems and ${leftWarnings} more cautions are not shown; leasehold plan shows all`;
    lines.push(command('notice', { title: 'leasehold plan' }, text));
  }
  return lines.map((line) => `${line}\n`).join('');
}

function annotation({ level, code, message, file, line, column }: PlanFinding): string {
  const place = { file, line: String(line), col: String(column) };
  return command(level, { ...place, title: code }, message);
}

/** `::error file=a,line=1::message`, as actions/toolkit escapes it (command.ts). */
function command(
  name: string,
  properties: Readonly<Record<string, string>>,
  message: string,
): string {
  const given = Object.entries(properties).map(([key, value]) => `${key}=${propertyText(value)}`);
  return `::${name} ${given.join(',')}::${dataText(message)}`;
}

function dataText(text: string): string {
  return plain(text).replaceAll('%', '%25');
}

function propertyText(text: string): string {
  return dataText(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
