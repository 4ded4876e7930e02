import { type Address, formatAddress } from '../../net/address.ts';
import { columns } from '../../text/print/columns.ts';
import { plain } from '../../text/print/plain.ts';

/** What a resolved merge says beside what its run changed. */
export interface ResolvedSummary {
  /** Whose addresses stay, such as `HEAD` or a ref. */
  readonly kept: string;
  /** Who has another address than on its own side of the merge. */
  readonly redrawn: readonly {
    readonly holder: string;
    readonly from: Address;
    readonly to: Address;
  }[];
  /** The next command; undefined when there is nothing left to do. */
  readonly next: string | undefined;
}

/** More lines than this scroll away. */
const mostLines = 50;

/** The summary for a person at a prompt: it goes around `changes`, the text of what the run changed. */
export function resolvedText({ kept, redrawn, next }: ResolvedSummary, changes: string): string {
  const rows = redrawn
    .slice(0, mostLines)
    .map(({ holder, from, to }) => [
      `~ ${formatAddress(from)}`,
      `now ${formatAddress(to)}`,
      holder,
    ]);
  const left = redrawn.length - rows.length;
  const lines = [
    `the addresses of ${plain(kept)} stay\n`,
    columns(rows),
    left > 0 ? `… and ${left} more\n` : '',
    changes,
    next === undefined ? '' : `next: ${plain(next)}\n`,
  ];
  return lines.join('');
}
