import type { ImportFile } from '../model/input-file.ts';
import type { Outcome, Problem } from '../model/problem.ts';

const rendered =
  'leasehold reads no templates: render it first, as helm template does, and use what comes out';

const filledIn = 'leasehold fills in no variables: write the value itself';

/** Problems with a hint where a template, or a variable that another program fills in, is the cause. */
export function explainTemplates<Value>(
  outcome: Outcome<Value>,
  files: readonly ImportFile[],
): Outcome<Value> {
  if (outcome.ok) return outcome;
  const linesOf = new Map(
    files.map(({ name, bytes }) => [name, new TextDecoder().decode(bytes).split('\n')]),
  );
  const problems = outcome.problems.map((problem) => {
    const hint = hintFor(problem, linesOf.get(problem.at.file) ?? []);
    return hint === undefined ? problem : { ...problem, hint };
  });
  return { ok: false, problems };
}

function hintFor({ code, at, hint }: Problem, lines: readonly string[]): string | undefined {
  const line = lines[at.line - 1] ?? '';
  // What makes a text no YAML can stand above the place where it is found.
  if (code === 'YAML_SYNTAX' ? lines.some(isTemplate) : isTemplate(line)) return rendered;
  return hint === undefined && line.includes('${') ? filledIn : undefined;
}

/** Whether a line has `{{ … }}` outside of quotes and comments. */
function isTemplate(line: string): boolean {
  const start = line.indexOf('{{');
  return start >= 0 && line.includes('}}', start) && !/['"#]/.test(line.slice(0, start));
}
