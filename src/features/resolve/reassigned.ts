import { type AllocationTable, isHeld, recordsByHolder } from '../../core/model/allocation.ts';
import { type Address, compareAddresses, formatAddress } from '../../core/net/address.ts';
import { columns } from '../../core/text/print/columns.ts';
import { sanitize } from '../../core/text/print/escape.ts';

/** A holder whose address after a merge differs from that on its own side. */
export interface Reassignment {
  readonly holder: string;
  readonly from: Address;
  readonly to: Address;
}

/** Returns the holders whose address differs from that on their side, by their former address. */
export function reassignmentsIn(
  side: AllocationTable,
  merged: AllocationTable,
): readonly Reassignment[] {
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

/** The input of {@link resolvedText}. */
export interface ResolvedSummary {
  /** The side that keeps its addresses, such as `HEAD` or a ref. */
  readonly kept: string;
  readonly reassigned: readonly Reassignment[];
  /** Holders of the kept side that could not keep their address. */
  readonly displaced: readonly Reassignment[];
  /** The declarations into which the edits of both sides were joined. */
  readonly joined: readonly string[];
  /** The edits that the result lacks, as sentences. */
  readonly dropped: readonly string[];
  /** The next command, if there is one. */
  readonly next: string | undefined;
}

/** The summary lists at most this many reassignments of each side. */
const mostLines = 50;

/** Returns the summary of a resolved merge, around `changes`, the summary of its run. */
export function resolvedText(
  { kept, reassigned, displaced, joined, dropped, next }: ResolvedSummary,
  changes: string,
): string {
  const exceptions =
    displaced.length === 0 ? '' : ', except these, which a pin, a pool or --move takes:';
  const lines = [
    `the addresses of ${sanitize(kept)} stay${exceptions}\n`,
    rowsText(displaced),
    displaced.length > 0 && reassigned.length > 0 ? 'of the other side:\n' : '',
    rowsText(reassigned),
    ...joined.map((path) => `${sanitize(path)} has the edits of both sides\n`),
    changes,
    ...dropped.map((text) => `caution: the merge drops an edit: ${sanitize(text)}\n`),
    next === undefined ? '' : `next: ${sanitize(next)}\n`,
  ];
  return lines.join('');
}

function rowsText(reassigned: readonly Reassignment[]): string {
  const rows = reassigned
    .slice(0, mostLines)
    .map(({ holder, from, to }) => [
      `~ ${formatAddress(from)}`,
      `now ${formatAddress(to)}`,
      holder,
    ]);
  const omitted = reassigned.length - rows.length;
  return `${columns(rows)}${omitted > 0 ? `… and ${omitted} more\n` : ''}`;
}
