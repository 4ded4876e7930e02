import { type Allocation, type AllocationTable, isFree, isHeld } from '../../model/allocation.ts';
import type { Claim } from '../../model/claim.ts';
import { type Day, dayBefore } from '../../model/day.ts';
import type { ImportNote } from '../../model/input-file.ts';
import type { Pool } from '../../model/pools.ts';
import { type Address, compareAddresses, formatAddress } from '../../net/address.ts';
import {
  type AddressRange,
  firstReaching,
  formatRange,
  rangeHas,
  rangeSize,
} from '../../net/range.ts';
import { type RangeSet, rangeSetOf, subtract } from '../../net/range-set.ts';
import type { ImportedPool, ImportedReserve } from './imported.ts';

/** What has addresses here already. */
export interface Taken {
  readonly table: AllocationTable;
  readonly claims: readonly Claim[];
  /** Undefined when nothing says what day it is: then all that was released is kept. */
  readonly today: Day | undefined;
}

/** What is to be reserved of a pool that is not yet, and what is told of it. */
export interface Reserves {
  readonly added: RangeSet;
  readonly notes: readonly ImportNote[];
}

/** An address that somebody has here, and whose it is. */
interface Had {
  readonly address: Address;
  readonly whose: string;
}

/**
 * What an imported pool wants reserved, but for what the declared pool reserves already, and for what somebody has
 * here: an address that is held, kept after release or pinned stays with whom it is of, and that is told.
 */
export function newReserves(
  pool: ImportedPool,
  declared: Pool | undefined,
  /** In order. */
  had: readonly Had[],
): Reserves {
  const known = declared?.reserved ?? rangeSetOf([]);
  const subject = `pool ${declared?.name ?? pool.name}`;
  const notes: ImportNote[] = [];
  const added: AddressRange[] = [];
  for (const reserve of pool.reserved ?? []) {
    const own = within(had, reserve.range);
    for (const { address, whose } of own) notes.push(leftNote(subject, reserve, address, whose));
    const wanted = subtract(
      rangeSetOf([reserve.range]),
      rangeSetOf(own.map(({ address }) => ({ from: address, to: address }))),
    );
    const fresh = subtract(wanted, known).ranges;
    added.push(...fresh);
    if (fresh.length === 0) continue;
    const message = `${fresh.map(writtenReserve).join(', ')} is reserved, and never given out: ${reserve.why}`;
    notes.push({ effect: 'changed', subject, message, at: reserve.at });
  }
  return { added: rangeSetOf(added), notes };
}

function within(had: readonly Had[], range: AddressRange): readonly Had[] {
  const start = firstReaching(had, ({ address }) => ({ from: address, to: address }), range.from);
  const own: Had[] = [];
  for (let index = start; index < had.length; index += 1) {
    const one = had[index];
    if (!one || !rangeHas(range, one.address)) break;
    own.push(one);
  }
  return own;
}

function leftNote(
  subject: string,
  { why, at }: ImportedReserve,
  address: Address,
  whose: string,
): ImportNote {
  const message = `${formatAddress(address)} is not reserved: ${whose}; the source has it as ${why}`;
  return { effect: 'left', subject, message, at };
}

/** The addresses that somebody has here, or asks for by name, each once and in order. */
export function hadAddresses({ table, claims, today }: Taken): readonly Had[] {
  const had = new Map<string, Had>();
  for (const [text, record] of table) {
    const whose = whoseIs(record, today);
    if (whose !== undefined) had.set(text, { address: record.address, whose });
  }
  for (const { holder, pins } of claims) {
    for (const { address } of pins) {
      const text = formatAddress(address);
      if (!had.has(text)) had.set(text, { address, whose: `${holder} is pinned to it` });
    }
  }
  return [...had.values()].sort((left, right) => compareAddresses(left.address, right.address));
}

function whoseIs(record: Allocation, today: Day | undefined): string | undefined {
  if (isHeld(record)) return `${record.holder} has it`;
  if (today !== undefined && isFree(record, today)) return undefined;
  const until = record.released && dayBefore(record.released.freeFrom);
  return `it is kept for ${record.holder} until ${until}`;
}

/** One address stands without a prefix length. */
export function writtenReserve(range: AddressRange): string {
  return rangeSize(range) === 1n ? formatAddress(range.from) : formatRange(range);
}
