import type { Change } from '../../model/allocation.ts';
import type { HostnameChange } from '../../model/hostname.ts';
import { counted } from '../../model/problem.ts';
import { formatAddress } from '../../net/address.ts';
import { columns } from '../../text/print/columns.ts';
import { sanitize } from '../../text/print/escape.ts';
import type { Paint } from '../../text/print/problems-text.ts';

/** The input of {@link changesText}. */
export interface RunSummary {
  readonly changes: readonly Change[];
  readonly hostnameChanges?: readonly HostnameChange[] | undefined;
  /** The number of addresses held after the run. */
  readonly held: number;
  readonly written: number;
  readonly removed: number;
  /** The removed files of promises whose address a lease has. */
  readonly takenPromises?: readonly string[] | undefined;
  /** The removed files of renames that are done. */
  readonly doneRenames?: readonly string[] | undefined;
  /** What the author should know, each a sentence without a period. */
  readonly cautions?: readonly string[] | undefined;
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
 * Returns the summary of a run: a line per changed address, changed hostname and removed promise,
 * then the totals. Ends in a line break.
 */
export function changesText(summary: RunSummary, paint: Paint): string {
  const all = allRows(summary);
  const rows = all.slice(0, mostLines);
  const table = columns(rows)
    .split('\n')
    .map((line) => (line.startsWith('+') ? paint.green(line) : colourOther(line, paint)))
    .join('\n');
  const left = all.length - rows.length;
  const more = left > 0 ? `… and ${left} more\n` : '';
  return `${table}${more}${takenPromisesText(summary.takenPromises)}${removedText(summary.doneRenames, 'the rename is done')}${cautionsText(summary.cautions)}${totalsText(summary)}\n${rebasedText(summary)}`;
}

/** The cells of each change. A hostname is in no pool. */
function allRows({ changes, hostnameChanges = [] }: RunSummary): string[][] {
  return [
    ...changes.map(({ kind, address, pool, holder }) => [
      `${marks[kind]} ${formatAddress(address)}`,
      kind,
      pool,
      holder,
    ]),
    ...hostnameChanges.map(({ kind, hostname, holder }) => [
      `${marks[kind]} ${hostname}`,
      kind,
      '-',
      holder,
    ]),
  ];
}

/** A line for each file of a promise that a run removed. */
export function takenPromisesText(files: readonly string[] = []): string {
  return removedText(files, 'a lease has its address');
}

function removedText(files: readonly string[] = [], reason: string): string {
  return files.map((file) => `removed ${sanitize(file)}: ${reason}\n`).join('');
}

/** A line for each caution. */
export function cautionsText(cautions: readonly string[] = []): string {
  return cautions.map((caution) => `caution: ${sanitize(caution)}\n`).join('');
}

function rebasedText({ rebasedOn }: RunSummary): string {
  if (rebasedOn === undefined) return '';
  return `recorded as a single run on ${rebasedOn.slice(0, 12)}, without intermediate states of this branch\n`;
}

function colourOther(line: string, paint: Paint): string {
  return line.startsWith('-') ? paint.red(line) : line;
}

function totalsText(summary: RunSummary): string {
  const counts = countsText(summary.changes);
  const addresses = counts === '' ? 'no address changes' : counts;
  const hostnames = countsText(summary.hostnameChanges ?? []);
  const what = hostnames === '' ? addresses : `${addresses}; hostnames: ${hostnames}`;
  const held = hostnames === '' ? summary.held : counted(summary.held, 'address', 'addresses');
  const files =
    summary.written + summary.removed > 0
      ? `${summary.written} ${fileWord(summary.written)} written, ${summary.removed} removed`
      : 'all files up to date';
  return `${what}; ${held} held; ${files}`;
}

/** `2 allocated, 1 released`; empty without changes. */
function countsText(changes: readonly Pick<Change, 'kind'>[]): string {
  return (['allocated', 'reclaimed', 'updated', 'released', 'removed'] as const)
    .flatMap((kind) => {
      const count = changes.filter((change) => change.kind === kind).length;
      return count > 0 ? [`${count} ${kind}`] : [];
    })
    .join(', ');
}

function fileWord(count: number): string {
  return count === 1 ? 'file' : 'files';
}
