/**
 * The width of a terminal, and the columns that are shortened to fit, the least important first.
 */
export interface Fit {
  /** Characters; undefined if stdout is not a terminal: nothing is shortened. */
  readonly width: number | undefined;
  /** Positions of columns, from 0. */
  readonly order: readonly number[];
}

/** The shortest width of a shortened cell. */
const shortest = 11;

/**
 * Prints rows as columns like kubectl: every column is as wide as its widest cell, with two spaces
 * between and none at the end of a line. Ends in a line break unless there are no rows. To fit a
 * terminal, long cells lose their middle, and lines that are still too long lose their end.
 */
export function columns(rows: readonly (readonly string[])[], fit?: Fit): string {
  const widths = widthsOf(rows);
  const width = fit?.width ?? Number.POSITIVE_INFINITY;
  narrow(widths, width, fit?.order ?? []);
  return rows
    .map((row) =>
      row.map((cell, index) => shortened(cell, widths[index] ?? 0).padEnd(widths[index] ?? 0)),
    )
    .map((cells) => `${shownPart(cells.join('  ').trimEnd(), width)}\n`)
    .join('');
}

/** The length of the longest line if nothing is shortened. */
export function wholeWidth(rows: readonly (readonly string[])[]): number {
  return widthsOf(rows).reduce((sum, own) => sum + own + 2, -2);
}

function widthsOf(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, cell.length);
    });
  }
  return widths;
}

function narrow(widths: number[], width: number, order: readonly number[]): void {
  for (const index of order) {
    const whole = widths.reduce((sum, own) => sum + own + 2, -2);
    const own = widths[index] ?? 0;
    if (whole > width && own > shortest) {
      widths[index] = Math.max(shortest, own - (whole - width));
    }
  }
}

function shortened(cell: string, width: number): string {
  if (cell.length <= width) return cell;
  const tail = Math.floor((width - 1) / 2);
  return `${cell.slice(0, width - 1 - tail)}…${cell.slice(cell.length - tail)}`;
}

function shownPart(line: string, width: number): string {
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
}

/** A count below ten million in full, a larger one with three digits and a power of ten. */
export function humanCount(count: string): string {
  if (count.length < 8) return count;
  return `${count.slice(0, 1)}.${count.slice(1, 3)}e${count.length - 1}`;
}
