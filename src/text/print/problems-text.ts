import { createColors } from 'picocolors';
import type { ProblemCode } from '../../model/codes/problem-codes.ts';
import { addToGroup } from '../../model/order.ts';
import { compareProblems, type Position, type Problem } from '../../model/problem.ts';
import { sanitize } from './escape.ts';

/** The most problems of one code that are printed; the others are counted. */
const mostOfCode = 20;

/**
 * Prints problems, sorted: `file:line:column CODE message`, then the other places and the hint, a
 * line each. Consecutive problems of one code with the same hint show it once. Prints the first
 * problems of each code and the number of the others. Ends in a line break.
 */
export function problemsText(problems: readonly Problem[], paint: Paint): string {
  const groups = new Map<ProblemCode, Problem[]>();
  const shown = problems
    .toSorted(compareProblems)
    .filter((problem) => addToGroup(groups, problem.code, problem).length <= mostOfCode);
  const blocks = shown.map((problem, index) => blockText(problem, shown[index + 1], paint));
  const more = [...groups.values()].map((group) => moreText(group.slice(mostOfCode)));
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  const total = `${paint.red(count)}; see leasehold explain CODE\n`;
  return `${blocks.join('')}${more.join('')}${total}`;
}

function moreText(left: readonly Problem[]): string {
  const [first] = left;
  if (!first) return '';
  const files = new Set(left.map(({ at }) => at.file)).size;
  return `and ${left.length} more ${first.code} in ${files === 1 ? '1 file' : `${files} files`}\n`;
}

function blockText(problem: Problem, next: Problem | undefined, paint: Paint): string {
  const lines = [
    `${paint.bold(placeText(problem.at))} ${paint.red(problem.code)} ${sanitize(problem.message)}`,
    ...(problem.also ?? []).map((place) => paint.dim(`  also ${placeText(place)}`)),
  ];
  const isHintNext = next?.code === problem.code && next.hint === problem.hint;
  if (problem.hint && !isHintNext) lines.push(paint.dim(`  hint: ${sanitize(problem.hint)}`));
  return `${lines.join('\n')}\n`;
}

function placeText(place: Position): string {
  return `${sanitize(place.file)}:${place.line}:${place.column}`;
}

/** Colours for a terminal; every function returns its text unchanged when colour is off. */
export type Paint = ReturnType<typeof createColors>;

/** The colours of {@link Paint}, or none. */
export function paintOf(color: boolean): Paint {
  return createColors(color);
}
