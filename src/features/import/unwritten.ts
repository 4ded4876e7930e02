import type { Problem } from '../../model/problem.ts';

/** A problem of a file that is not written, said as such. */
export function unwritten(writes: ReadonlyMap<string, string>): (problem: Problem) => Problem {
  return (problem) =>
    writes.has(problem.at.file) ? { ...problem, hint: hintOf(problem) } : problem;
}

/** What to do about a problem of a text that is not written, and where its line is. */
export function hintOf({ code, hint }: Problem): string {
  const more = code === 'ZONE_MISSING' ? 'say with --zone which zone is the default one' : hint;
  return `${more ? `${more}; ` : ''}the line is of the file as the import would have written it`;
}
