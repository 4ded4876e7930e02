/** A file that differs between two trees, and the object it is in each; undefined where it is not there. */
export interface RawDifference {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Where folders are not looked into: the modes of both, as git writes them. */
  readonly modes: readonly [before: string, after: string];
}

/** How files that differ are told: each as `:<mode> <mode> <id> <id> <letter>` and its path. */
export const rawFormat = ['--raw', '-z', '--no-abbrev', '--no-renames'] as const;

/** The files from a field on, and the place of the first field that is none of theirs. */
export function rawDifferences(
  fields: readonly string[],
  start: number,
): { readonly files: readonly RawDifference[]; readonly end: number } {
  const files: RawDifference[] = [];
  let index = start;
  for (;;) {
    const found = /^\n?:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]/.exec(fields[index] ?? '');
    if (!found) return { files, end: index };
    const [, old = '', now = '', before = '', after = ''] = found;
    files.push({
      path: fields[index + 1] ?? '',
      before: realId(before),
      after: realId(after),
      modes: [old, now],
    });
    index += 2;
  }
}

/** Git writes a name of zeros for what is not there. */
function realId(id: string): string | undefined {
  return /^0+$/.test(id) ? undefined : id;
}
