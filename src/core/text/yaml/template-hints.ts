import { fail, type Outcome, type Problem } from '../../model/problem.ts';

/** A file that a person names, with the name from the command line or its path in the tree. */
export interface InputFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const rendered = 'leasehold does not read templates: render the file first, as with helm template';

const filledIn = 'leasehold does not substitute variables: write the value itself';

/**
 * Adds a hint to problems that are caused by a template, or by a variable that another program
 * substitutes.
 */
export function explainTemplates<Value>(
  outcome: Outcome<Value>,
  files: readonly InputFile[],
): Outcome<Value> {
  if (outcome.ok) return outcome;
  const linesOf = new Map(
    files.map(({ name, bytes }) => [name, new TextDecoder().decode(bytes).split('\n')]),
  );
  const problems = outcome.problems.map((problem) => {
    const hint = hintFor(problem, linesOf.get(problem.at.file) ?? []);
    return hint === undefined ? problem : { ...problem, hint };
  });
  return fail(problems);
}

function hintFor({ code, at, hint }: Problem, lines: readonly string[]): string | undefined {
  const line = lines[at.line - 1] ?? '';
  // The cause of a syntax error can be above its place.
  if (code === 'YAML_SYNTAX' ? lines.some(isTemplate) : isTemplate(line)) return rendered;
  return hint === undefined && line.includes('${') ? filledIn : undefined;
}

/** True for a line with `{{ … }}` outside of quotes and comments. */
function isTemplate(line: string): boolean {
  const start = line.indexOf('{{');
  return start >= 0 && line.includes('}}', start) && !/['"#]/.test(line.slice(0, start));
}
