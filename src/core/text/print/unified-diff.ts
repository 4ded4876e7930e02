import { structuredPatch } from 'diff';

/** The difference of two texts, by line. */
export interface UnifiedDiff {
  /** Hunks with three lines of context, without file headers; empty for equal texts. */
  readonly text: string;
  readonly added: number;
  readonly removed: number;
}

/** Compares two texts that end in a line break. */
export function unifiedDiff(before: string, after: string): UnifiedDiff {
  const { hunks } = structuredPatch('', '', before, after, undefined, undefined, { context: 3 });
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const text = hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines: body }) =>
      [`@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`, ...body, ''].join('\n'),
    )
    .join('');
  return {
    text,
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
  };
}

/** An empty range starts at the line before it, as in git's diffs. */
function range(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`;
}
