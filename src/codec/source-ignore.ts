import ignore from 'ignore';

/** A path that a `.sourceignore` leaves out, and the line of the pattern that does so, from 1. */
export interface IgnoredPath {
  readonly path: string;
  readonly line: number;
}

/**
 * The first of some paths that a `.sourceignore` in their root folder leaves out; undefined when it leaves out none.
 * Its patterns are those of `.gitignore` (fluxcd/pkg: sourceignore).
 */
export function firstIgnored(text: string, paths: Iterable<string>): IgnoredPath | undefined {
  const rules = ignore();
  text.split(/\r?\n/).forEach((pattern, index) => {
    rules.add({ pattern, mark: String(index + 1) });
  });
  for (const path of paths) {
    const { ignored, rule } = rules.checkIgnore(path);
    if (ignored) return { path, line: Number(rule?.mark ?? 1) };
  }
  return undefined;
}
