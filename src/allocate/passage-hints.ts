import { type Allocation, type AllocationTable, isHeld } from '../model/allocation.ts';
import { formatAddress } from '../net/address.ts';
import { origins } from './came-from.ts';
import { placeOf } from './held.ts';

/** The records of a base and of a head. */
export interface Tables {
  readonly base: AllocationTable;
  readonly head: AllocationTable;
}

/**
 * What to do about a record of the head that no run on the base can have written. The records of a move only make sense
 * together, so they are undone together, with the manifests that say where the holder stands, and the move is made again.
 */
export function passageHint(record: Allocation, tables: Tables): string {
  const moved = movedTo(record, tables.head);
  if (moved && tables.base.size > 0) return movedHint(moved, tables);
  const { file } = placeOf(record);
  const was = tables.base.get(formatAddress(record.address));
  if (was) {
    // The manifests of the head say that the other holder is live on the address already.
    const places = was.holder === record.holder ? file : `${file} dist`;
    return `take it from the base, and let synth write what changes: git restore --source=BASE --staged --worktree ${places} && leasehold synth`;
  }
  return record.released
    ? `remove it, and the address is free at once: git rm ${file}`
    : `remove it, and let synth write what it should be: git rm ${file} && leasehold synth`;
}

/** The record of the address where the holder of a record stands after a move over that address. */
function movedTo(record: Allocation, head: AllocationTable): Allocation | undefined {
  const text = formatAddress(record.address);
  return [...head.values()].find(
    (held) =>
      isHeld(held) &&
      held.movedFrom !== undefined &&
      held.holder === record.holder &&
      (formatAddress(held.address) === text || origins(head, held).includes(text)),
  );
}

function movedHint(record: Allocation, { base, head }: Tables): string {
  const to = formatAddress(record.address);
  const passed = [...new Set([to, ...origins(head, record)])];
  const files = passed.flatMap((text) => {
    const one = base.get(text) ?? head.get(text);
    return one ? [{ file: placeOf(one).file, isKnown: base.has(text) }] : [];
  });
  const known = files.filter(({ isKnown }) => isKnown).map(({ file }) => file);
  const made = files.filter(({ isKnown }) => !isKnown).map(({ file }) => file);
  const from = passed.find((text) => {
    const was = base.get(text);
    return was !== undefined && isHeld(was);
  });
  const again = from === undefined || from === to ? 'synth' : `move ${from} --to ${to}`;
  const steps = [
    `git restore --source=BASE --staged --worktree ${[...known, 'dist'].join(' ')}`,
    ...(made.length > 0 ? [`git rm ${made.join(' ')}`] : []),
    `leasehold ${again}`,
  ];
  return `undo the move with all its records, and let leasehold write them anew: ${steps.join(' && ')}`;
}
