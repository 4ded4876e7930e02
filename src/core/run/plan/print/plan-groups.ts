import { groupBy } from '../../../model/order.ts';
import { counted } from '../../../model/problem.ts';
import { withNextStep } from '../../../text/print/problems-text.ts';
import { cautionCodes } from '../caution-codes.ts';
import type { Caution, PlanPlace, PlanProblem } from '../plan-answer.ts';

/** A problem or a caution at its place, if it has one. */
export interface Finding {
  readonly message: string;
  readonly place: PlanPlace | undefined;
  readonly column?: number;
  /** Other places, as `file:line:column`. */
  readonly also: readonly string[];
}

/** Problems or cautions of one code with the same advice, in their order. */
export interface FindingGroup {
  readonly code: string;
  readonly findings: readonly [Finding, ...Finding[]];
  readonly advice: string | undefined;
}

/** The problems, grouped by code and hint. */
export function problemGroups(problems: readonly PlanProblem[]): readonly FindingGroup[] {
  const groups = groupBy(problems, ({ code, hint }) => `${code} ${hint}`);
  return [...groups.values()].map(([first, ...others]) => ({
    code: first.code,
    findings: [ofProblem(first), ...others.map(ofProblem)],
    advice: withNextStep(first).hint,
  }));
}

function ofProblem({ message, file, line, column, also }: PlanProblem): Finding {
  return { message, place: { side: 'head', file, line }, column, also };
}

/** The cautions, grouped by code. */
export function cautionGroups(cautions: readonly Caution[]): readonly FindingGroup[] {
  return [...groupBy(cautions, ({ code }) => code)].map(([code, [first, ...others]]) => ({
    code,
    findings: [ofCaution(first), ...others.map(ofCaution)],
    advice: cautionCodes[code].fix,
  }));
}

function ofCaution({ message, at }: Caution): Finding {
  return { message, place: at, also: [] };
}

/** Up to this many findings of a group are all shown. */
const fewFindings = 5;

/** How many findings of a larger group are shown. */
const mostShown = 3;

/** The findings of a group to show, equal messages together, and the number of the others. */
export interface ShownFindings {
  readonly messages: readonly (readonly [Finding, ...Finding[]])[];
  readonly omitted: number;
  /** The number of files of the others. */
  readonly omittedFiles: number;
}

/** The first findings of a group; all of them when they are few, or when asked for. */
export function shownFindings({ findings }: FindingGroup, all = false): ShownFindings {
  const isWhole = all || findings.length <= fewFindings;
  const count = isWhole ? findings.length : mostShown;
  const omitted = findings.slice(count);
  return {
    messages: [...groupBy(findings.slice(0, count), ({ message }) => message).values()],
    omitted: omitted.length,
    omittedFiles: new Set(omitted.map(({ place }) => place?.file)).size,
  };
}

/** `and 61 more in 61 files`; empty when all are shown. */
export function omittedText({ omitted, omittedFiles }: ShownFindings): string {
  if (omitted === 0) return '';
  return `and ${omitted} more in ${counted(omittedFiles, 'file')}`;
}
