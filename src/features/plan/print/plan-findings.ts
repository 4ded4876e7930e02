import { cautionCodes } from '../../../model/codes/caution-codes.ts';
import type { CodeExplanation } from '../../../model/codes/code-explanation.ts';
import { problemCodes } from '../../../model/codes/problem-codes.ts';
import { sha256Hex } from '../../../model/digest.ts';
import type { Caution, Plan, PlanProblem } from '../plan-answer.ts';

/** A problem or a caution, as programs take it that show findings at lines of a pull request. */
export interface PlanFinding {
  readonly code: string;
  readonly level: 'error' | 'warning';
  /** The message, and the hint if there is one. */
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Other places, as `file:line:column`. */
  readonly also: readonly string[];
  /**
   * 64 hex digits from code, file and message, and from how many the same were before it: the same for the
   * same finding on another line, and on no other finding of the plan.
   */
  readonly fingerprint: string;
}

/** What a code means and what to do about it. */
export function explanationOf(code: string): CodeExplanation {
  const known: Readonly<Record<string, CodeExplanation>> = { ...problemCodes, ...cautionCodes };
  return known[code] ?? { title: code, fix: '' };
}

/** Where a caution stands that no line gives cause for. */
const noPlace = { file: 'leases/pools.yaml', line: 1 };

/** Problems in their order, then cautions in theirs. */
export function planFindings({ problems, cautions }: Plan): readonly PlanFinding[] {
  const seen = new Map<string, number>();
  return [...problems.map(ofProblem), ...cautions.map(ofCaution)].map((finding) => {
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
