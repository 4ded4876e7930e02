import { plain } from './plain.ts';

/** Rows as CSV (RFC 4180 with line feeds), each as {@link csvLine} has it. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${csvLine(row)}\n`).join('');
}

/** Cells as one line of CSV without its end. No cell is one that a spreadsheet takes for a formula. */
export function csvLine(cells: readonly string[]): string {
  return cells.map(csvCell).join(',');
}

function csvCell(text: string): string {
  const shown = plain(text);
  const safe = /^[=+\-@]/.test(shown) ? `'${shown}` : shown;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
