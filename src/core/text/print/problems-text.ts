import { createColors } from 'picocolors';
import { allProblemCodes, type ProblemCode } from '../../model/codes/problem-codes.ts';
import { addToGroup, groupBy } from '../../model/order.ts';
import { compareProblems, type Position, type Problem } from '../../model/problem.ts';
import { sanitize } from './escape.ts';
import { sourceText } from './source-text.ts';

/** The most problems of one code that are printed; the others are counted. */
const mostOfCode = 20;

/** Up to this many problems that differ only in their places are all printed. */
const fewEqual = 5;

/** How many problems of a larger number are printed. */
const mostEqual = 3;

/** A printed problem, and those that are equal but for their places and only counted below it. */
interface Entry {
  readonly problem: Problem;
  readonly equal: readonly Problem[];
}

/** How many codes of a report are named at its end. */
const mostCodes = 5;

/**
 * Prints problems, sorted: `file:line:column CODE message`, the line of the file with a mark under
 * the place, then the other places and the hint, a line each. Consecutive problems of one code with
 * the same hint show it once. Prints the first problems of each code, and of those with one message,
 * and the number of the others. Ends in a line break.
 */
export function problemsText(
  problems: readonly Problem[],
  paint: Paint,
  width = pipeWidth,
): string {
  const groups = new Map<ProblemCode, Entry[]>();
  const shown = entriesOf(problems.map(withNextStep)).filter(
    (entry) => addToGroup(groups, entry.problem.code, entry).length <= mostOfCode,
  );
  const blocks = shown.map((entry, index) => blockText(entry, shown[index + 1], { paint, width }));
  const more = [...groups.values()].map((group) => moreText(group.slice(mostOfCode)));
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  const codes = [...groups.keys()].slice(0, mostCodes).join(' ');
  const total = `${paint.red(count)}; see \`leasehold explain ${codes}\`\n`;
  return `${blocks.join('')}${more.join('')}${total}`;
}

/** The width of a line of a file in a pipe, whose lines are as long as they are. */
export const pipeWidth = 120;

/** A problem with a hint: without one of its own, the first sentence of the fix of its code. */
export function withNextStep<Found extends Pick<Problem, 'code' | 'hint'>>(problem: Found): Found {
  const { fix } = allProblemCodes()[problem.code] ?? {};
  if (problem.hint !== undefined || fix === undefined) return problem;
  const [first = ''] = fix.split(/\.(?: (?=[A-Z`]|leasehold)|$)/, 1);
  return { ...problem, hint: first.replace(/^[A-Z](?=[a-z]* )/, (letter) => letter.toLowerCase()) };
}

/** The problems to print, sorted. */
function entriesOf(problems: readonly Problem[]): readonly Entry[] {
  const alike = groupBy(problems.toSorted(compareProblems), equalityKey);
  const entries = [...alike.values()].flatMap((group): Entry[] => {
    const count = group.length <= fewEqual ? group.length : mostEqual;
    const equal = group.slice(count);
    return group
      .slice(0, count)
      .map((problem, index) => ({ problem, equal: index === count - 1 ? equal : [] }));
  });
  return entries.sort((left, right) => compareProblems(left.problem, right.problem));
}

/** Equal for problems that differ only in their places. */
function equalityKey({ code, message, hint }: Problem): string {
  return JSON.stringify([code, message, hint]);
}

function moreText(omitted: readonly Entry[]): string {
  const [first] = omitted;
  if (!first) return '';
  const problems = omitted.flatMap(({ problem, equal }) => [problem, ...equal]);
  return `and ${problems.length} more ${first.problem.code} in ${filesText(problems)}\n`;
}

function filesText(problems: readonly Problem[]): string {
  const files = new Set(problems.map(({ at }) => at.file)).size;
  return files === 1 ? '1 file' : `${files} files`;
}

function blockText(
  { problem, equal }: Entry,
  next: Entry | undefined,
  { paint, width }: { readonly paint: Paint; readonly width: number },
): string {
  const quote = (place: Position): readonly string[] => {
    const source = problem.source?.(place);
    return source === undefined ? [] : sourceText(source, place, width).map(paint.dim);
  };
  const quoted = quote(problem.at);
  // A whole file has no line to show: what it does not fit with has one.
  const { also = [] } = problem;
  const lines = [
    `${paint.bold(placeText(problem.at))} ${paint.red(problem.code)} ${sanitize(problem.message)}`,
    ...quoted,
    ...also.flatMap((place, index) => [
      paint.dim(`  also ${placeText(place)}`),
      ...(quoted.length === 0 && index === 0 ? quote(place) : []),
    ]),
  ];
  if (equal.length > 0) {
    lines.push(
      `  and the same ${equal.length} times more, in ${filesText(equal)}${belowText(equal)}`,
    );
  }
  const isHintNext = next?.problem.code === problem.code && next.problem.hint === problem.hint;
  if (problem.hint && !isHintNext) lines.push(paint.dim(`  hint: ${sanitize(problem.hint)}`));
  return `${lines.join('\n')}\n`;
}

/** ` below dist/default/`: the folder that has all the files; empty when there is none. */
function belowText(problems: readonly Problem[]): string {
  const [first = [], ...others] = problems.map(({ at }) => at.file.split('/').slice(0, -1));
  const differs = first.findIndex((name, index) => others.some((other) => other[index] !== name));
  const common = differs < 0 ? first : first.slice(0, differs);
  return common.length === 0 ? '' : ` below ${sanitize(common.join('/'))}/`;
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
