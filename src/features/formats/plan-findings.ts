import { allProblemCodes, type CodeExplanation } from '../../core/model/codes/problem-codes.ts';
import { sha256Hex } from '../../core/model/digest.ts';
import { cautionCodes } from '../../core/run/plan/caution-codes.ts';
import type { Caution, Plan, PlanProblem } from '../../core/run/plan/plan-answer.ts';
import { verdictWords } from '../../core/run/plan/print/plan-words.ts';
import { sanitize, sanitizedJson } from '../../core/text/print/escape.ts';

/** A problem or a caution, in the form that tools show at the lines of a pull request. */
export interface PlanFinding {
  readonly code: string;
  readonly level: 'error' | 'warning';
  /** The message, and the hint if there is one. */
  readonly message: string;
  /** From the root of the repository, like `also`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Other places, as `file:line:column`. */
  readonly also: readonly string[];
  /**
   * 64 hex digits of code, file, message and the number of equal findings before it: unique in the
   * plan, and stable when the finding moves to another line.
   */
  readonly fingerprint: string;
}

/** The title and the fix of a problem or caution code. */
export function explanationOf(code: string): CodeExplanation {
  const known: Readonly<Record<string, CodeExplanation>> = {
    ...allProblemCodes(),
    ...cautionCodes,
  };
  return known[code] ?? { title: code, fix: '' };
}

/** The place of a caution that has none. */
const noPlace = { file: 'leases/pools.yaml', line: 1 };

/** The problems in their order, then the cautions. */
export function planFindings({ problems, cautions, folder = '' }: Plan): readonly PlanFinding[] {
  const seen = new Map<string, number>();
  return [...problems.map(ofProblem), ...cautions.map(ofCaution)].map((inFolder) => {
    const file = `${folder}${inFolder.file}`;
    const also = inFolder.also.map((place) => `${folder}${place}`);
    const finding = { ...inFolder, file, also };
    const key = [finding.code, finding.file, finding.message].join('\0');
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return { ...finding, fingerprint: sha256Hex(`${key}\0${before}`) };
  });
}

type Unmarked = Omit<PlanFinding, 'fingerprint'>;

function ofProblem({ code, message, file, line, column, hint, also }: PlanProblem): Unmarked {
  const text = hint === undefined ? message : `${message}; ${hint}`;
  return { code, level: 'error', message: text, file, line, column, also };
}

function ofCaution({ code, message, at = { side: 'head', ...noPlace } }: Caution): Unmarked {
  return { code, level: 'warning', message, file: at.file, line: at.line, column: 1, also: [] };
}

/** GitHub shows this many errors and this many warnings of one step, and drops the rest. */
const mostShown = 10;

/**
 * The verdict, problems and cautions as GitHub workflow commands, which become annotations of the
 * pull request. A notice counts the findings that GitHub would drop.
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
    const text = `${leftErrors} more problems and ${leftWarnings} more cautions are not shown; run \`leasehold plan\` to see all`;
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
  return sanitize(text).replaceAll('%', '%25');
}

function propertyText(text: string): string {
  return dataText(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** The problems and cautions as a GitLab Code Quality report. Its fingerprints are unique. */
export function planGitlab(plan: Plan): string {
  return sanitizedJson(
    planFindings(plan).map(({ code, level, message, file, line, fingerprint }) => ({
      description: sanitize(message),
      check_name: code,
      fingerprint,
      severity: level === 'error' ? 'blocker' : 'major',
      location: { path: file, lines: { begin: line } },
    })),
  );
}
