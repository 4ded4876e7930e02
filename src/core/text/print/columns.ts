import { groupBy } from '../../model/order.ts';

/**
 * Prints rows as columns like kubectl: every column is as wide as its widest cell, with two spaces
 * between and none at the end of a line. Ends in a line break unless there are no rows. A table of
 * an answer, which fits a terminal, is `tableText`.
 */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, cell.length);
    });
  }
  return rows
    .map((row) => row.map((cell, index) => cell.padEnd(widths[index] ?? 0)))
    .map((cells) => `${cells.join('  ').trimEnd()}\n`)
    .join('');
}

/** A count below ten million in full, a larger one with three digits and a power of ten. */
export function humanCount(count: string): string {
  if (count.length < 8) return count;
  return `${count.slice(0, 1)}.${count.slice(1, 3)}e${count.length - 1}`;
}

/** The most ranges of ports of a protocol that are shown one by one. */
const mostRanges = 4;

/** Ports by protocol, consecutive ones as a range: `80,443,9000-9011/TCP`. Many are counted. */
export function portRanges(
  ports: readonly { readonly externalPort: number; readonly protocol: string }[],
): readonly string[] {
  const byProtocol = groupBy(ports, ({ protocol }) => protocol);
  return [...byProtocol].map(([protocol, own]) => {
    const numbers = [...new Set(own.map(({ externalPort }) => externalPort))].sort((a, b) => a - b);
    const starts = numbers.filter((port) => !numbers.includes(port - 1));
    const ends = numbers.filter((port) => !numbers.includes(port + 1));
    const ranges = starts.map((start, index) => {
      const end = ends[index] ?? start;
      return start === end ? `${start}` : `${start}-${end}`;
    });
    const more = ranges.length - mostRanges;
    const shown = more > 1 ? [...ranges.slice(0, mostRanges), `and ${more} more`] : ranges;
    return `${shown.join(',').replace(',and', ' and')}/${protocol}`;
  });
}
