import type { Change } from '../../model/allocation.ts';
import { formatAddress } from '../../net/address.ts';
import { columns } from '../../text/print/columns.ts';
import { sanitize } from '../../text/print/escape.ts';
import type { Paint } from '../../text/print/problems-text.ts';

/** The input of {@link changesText}. */
export interface RunSummary {
  readonly changes: readonly Change[];
  /** The number of addresses held after the run. */
  readonly held: number;
  readonly written: number;
  readonly removed: number;
  /** The removed files of promises whose address a lease has. */
  readonly takenPromises?: readonly string[] | undefined;
  /** The commit on which the branch was recorded anew, if that made a difference. */
  readonly rebasedOn?: string | undefined;
}

const marks: Readonly<Record<Change['kind'], string>> = {
  allocated: '+',
  reclaimed: '+',
  updated: '~',
  released: '-',
  removed: '-',
};

/** The summary lists at most this many changes. `leasehold list` and `git diff` show all. */
const mostLines = 50;

/**
 * Returns the summary of a run: a line per changed address and per removed promise, then the
 * totals. Ends in a line break.
 */
export function changesText(summary: RunSummary, paint: Paint): string {
  const rows = summary.changes
    .slice(0, mostLines)
    .map((change) => [
      `${marks[change.kind]} ${formatAddress(change.address)}`,
      change.kind,
      change.pool,
      change.holder,
    ]);
  const table = columns(rows)
    .split('\n')
    .map((line) => (line.startsWith('+') ? paint.green(line) : colourOther(line, paint)))
    .join('\n');
  const left = summary.changes.length - rows.length;
  const more = left > 0 ? `… and ${left} more\n` : '';
  return `${table}${more}${takenPromisesText(summary.takenPromises)}${totalsText(summary)}\n${rebasedText(summary)}`;
}

/** A line for each file of a promise that a run removed. */
export function takenPromisesText(files: readonly string[] = []): string {
  return files.map((file) => `removed ${sanitize(file)}: a lease has its address\n`).join('');
}

function rebasedText({ rebasedOn }: RunSummary): string {
  if (rebasedOn === undefined) return '';
  return `recorded as a single run on ${rebasedOn.slice(0, 12)}, without intermediate states of this branch\n`;
}

function colourOther(line: string, paint: Paint): string {
  return line.startsWith('-') ? paint.red(line) : line;
}

function totalsText(summary: RunSummary): string {
  const counts = (['allocated', 'reclaimed', 'updated', 'released', 'removed'] as const).flatMap(
    (kind) => {
      const count = summary.changes.filter((change) => change.kind === kind).length;
      return count > 0 ? [`${count} ${kind}`] : [];
    },
  );
  const what = counts.length > 0 ? counts.join(', ') : 'no address changes';
  const files =
    summary.written + summary.removed > 0
      ? `${summary.written} ${fileWord(summary.written)} written, ${summary.removed} removed`
      : 'all files up to date';
  return `${what}; ${summary.held} held; ${files}`;
}

function fileWord(count: number): string {
  return count === 1 ? 'file' : 'files';
}
