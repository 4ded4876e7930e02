import { compareProblems, type Position, type Problem } from '../model/problem.ts';
import type { Paint } from './paint.ts';
import { plain } from './plain.ts';

/**
 * Problems for a person: `file:line:column CODE message`, then the other places and what to do next,
 * one line each. Sorted; ends in a line break.
 */
export function problemsText(problems: readonly Problem[], paint: Paint): string {
  const blocks = [...problems].sort(compareProblems).map((problem) => blockText(problem, paint));
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  return `${blocks.join('')}${paint.red(count)}; leasehold explain CODE says more\n`;
}

function blockText(problem: Problem, paint: Paint): string {
  const lines = [
    `${paint.bold(placeText(problem.at))} ${paint.red(problem.code)} ${plain(problem.message)}`,
    ...(problem.also ?? []).map((place) => paint.dim(`  also ${placeText(place)}`)),
  ];
  if (problem.hint) lines.push(paint.dim(`  hint: ${plain(problem.hint)}`));
  return `${lines.join('\n')}\n`;
}

function placeText(place: Position): string {
  return `${plain(place.file)}:${place.line}:${place.column}`;
}
