import { type AllocationTable, isHeld, recordsByHolder } from '../../model/allocation.ts';
import { type Address, compareAddresses, formatAddress } from '../../net/address.ts';
import { columns } from '../../text/print/columns.ts';
import { plain } from '../../text/print/plain.ts';

/** A holder that had got one address on its side of a merge, and has another after it. */
export interface Redrawn {
  readonly holder: string;
  readonly from: Address;
  readonly to: Address;
}

/** Who has another address than on its own side, by the address it had there. */
export function redrawnIn(side: AllocationTable, merged: AllocationTable): readonly Redrawn[] {
  const heldBy = recordsByHolder(merged, isHeld);
  return [...side.values()]
    .filter(isHeld)
    .flatMap(({ holder, address }) => {
      const records = (heldBy.get(holder) ?? []).filter(
        (record) => record.address.family === address.family,
      );
      const [now] = records;
      const isKept = records.some((record) => compareAddresses(record.address, address) === 0);
      return isKept || now === undefined ? [] : [{ holder, from: address, to: now.address }];
    })
    .sort((left, right) => compareAddresses(left.from, right.from));
}

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
