import {
  type Allocation,
  type AllocationTable,
  isFree,
  isHeld,
} from '../../core/model/allocation.ts';
import type { Claim } from '../../core/model/claim.ts';
import { type Day, dayBefore } from '../../core/model/day.ts';
import type { Pool } from '../../core/model/pools.ts';
import { type Address, byAddress, formatAddress } from '../../core/net/address.ts';
import {
  type AddressRange,
  firstReaching,
  formatRange,
  formatShortRange,
  rangeHas,
} from '../../core/net/range.ts';
import { type RangeSet, rangeSetOf, subtract } from '../../core/net/range-set.ts';
import type { ImportNote } from '../../lib/foreign/source-reader.ts';
import type { ImportedPool, ImportedReserve } from './imported.ts';

/** The records and claims of the repository. */
export interface AddressRecords {
  readonly table: AllocationTable;
  readonly claims: readonly Claim[];
  /** Undefined when the day is unknown; every released address then counts as retained. */
  readonly today: Day | undefined;
}

/** Addresses of a pool that are newly reserved, with notes. */
export interface Reserves {
  readonly added: RangeSet;
  readonly notes: readonly ImportNote[];
}

/** An address in use in the repository, and by whom. */
interface UsedAddress {
  readonly address: Address;
  readonly whose: string;
}

/**
 * The reserved addresses of an imported pool, without those that the declared pool already
 * reserves. An address that is held, retained or pinned in the repository is not reserved; a note
 * records it. What leasehold exported for a range of the declared pool reserves nothing of it.
 */
export function newReserves(
  pool: ImportedPool,
  declared: Pool | undefined,
  /** Sorted by address. */
  had: readonly UsedAddress[],
): Reserves {
  const known = declared?.reserved ?? rangeSetOf([]);
  const subject = `pool ${declared?.name ?? pool.name}`;
  const notes: ImportNote[] = [];
  const added: AddressRange[] = [];
  for (const reserve of pool.reserved ?? []) {
    if (reserve.isExported && hasRange(declared, reserve.range)) continue;
    const own = within(had, reserve.range);
    for (const { address, whose } of own) notes.push(leftNote(subject, reserve, address, whose));
    const wanted = subtract(
      rangeSetOf([reserve.range]),
      rangeSetOf(own.map(({ address }) => ({ from: address, to: address }))),
    );
    const fresh = subtract(wanted, known).ranges;
    added.push(...fresh);
    if (fresh.length === 0) continue;
    const message = `${fresh.map(formatShortRange).join(', ')} is reserved, and never given out: ${reserve.why}`;
    notes.push({ effect: 'changed', subject, message, at: reserve.at });
  }
  return { added: rangeSetOf(added), notes };
}

function hasRange(pool: Pool | undefined, range: AddressRange): boolean {
  return pool?.ranges.some((own) => formatRange(own) === formatRange(range)) ?? false;
}

function within(had: readonly UsedAddress[], range: AddressRange): readonly UsedAddress[] {
  const start = firstReaching(had, ({ address }) => ({ from: address, to: address }), range.from);
  const own: UsedAddress[] = [];
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

/** The addresses that are held, retained or pinned, each once and sorted. */
export function usedAddresses({ table, claims, today }: AddressRecords): readonly UsedAddress[] {
  const had = new Map<string, UsedAddress>();
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
  return [...had.values()].sort(byAddress);
}

function whoseIs(record: Allocation, today: Day | undefined): string | undefined {
  if (isHeld(record)) return `${record.holder} has it`;
  if (today !== undefined && isFree(record, today)) return undefined;
  const until = record.released && dayBefore(record.released.freeFrom);
  return `it is kept for ${record.holder} until ${until}`;
}
