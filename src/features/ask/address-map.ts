import * as z from 'zod';
import { Candidates } from '../../core/allocate/candidates.ts';
import { reservation } from '../../core/declarations/pools/pool-index.ts';
import {
  type Allocation,
  type AllocationTable,
  isFree,
  isHeld,
} from '../../core/model/allocation.ts';
import type { Day } from '../../core/model/day.ts';
import { addToGroup } from '../../core/model/order.ts';
import type { Pool } from '../../core/model/pools.ts';
import {
  bothFamilies,
  compareAddresses,
  type Family,
  familyBits,
  formatAddress,
} from '../../core/net/address.ts';
import { type AddressRange, formatRange, rangeHas, rangeSize } from '../../core/net/range.ts';
import { subtract } from '../../core/net/range-set.ts';
import { type Answer, addressCount, answeredState, apiVersion } from '../../core/text/answer.ts';

const counts = {
  held: addressCount,
  retained: addressCount,
  reserved: addressCount.describe('Reserved, or skipped because of avoidBuggyIPs, and not held.'),
  free: addressCount.describe('A new holder could get one on that day.'),
  draining: addressCount
    .exactOptional()
    .describe('Of a draining pool: neither in use nor free, since it gives none to new holders.'),
};

const mapCounts = z.strictObject(counts);
export type MapCounts = Answer<typeof mapCounts>;

/** Consecutive addresses, counted together. */
const cell = z.strictObject({ from: z.string(), to: z.string(), ...counts });
export type MapCell = Answer<typeof cell>;

/** The state of a cell of one address. */
export function cellState({ held, retained, free, draining = '0' }: MapCell): keyof MapCounts {
  if (held !== '0') return 'held';
  if (retained !== '0') return 'retained';
  if (draining !== '0') return 'draining';
  return free === '0' ? 'reserved' : 'free';
}

/** A declared range, divided into cells of equal size. */
const range = z.strictObject({
  range: z.string(),
  family: z.enum(bothFamilies),
  step: addressCount.describe('The number of addresses in a cell.'),
  sparse: z.boolean().describe('True when unused cells are omitted.'),
  all: mapCounts.describe('Counts of the whole range, including omitted cells.'),
  cells: z.array(cell),
});
export type MapRange = Answer<typeof range>;

export const addressMapSchema = z
  .strictObject({
    apiVersion: apiVersion,
    kind: z.literal('AddressMap'),
    ...answeredState,
    pool: z.string(),
    zone: z.string(),
    ranges: z.array(range).describe('In numeric order, IPv4 first.'),
  })
  .describe('The output of leasehold map -o json.');

export type AddressMap = Answer<typeof addressMapSchema>;

/** A larger range has cells of more than one address. */
const mostCells = 1024n;

/**
 * Returns the addresses of a pool on a day as cells: one cell per address of a small range, and one
 * per block of a larger range.
 */
export function addressMap(
  pool: Pool,
  table: AllocationTable,
  { day, family }: { readonly day: Day; readonly family: Family | undefined },
): AddressMap {
  // As in `occupancyOf`: a released address that is reserved now is reserved.
  const records = [...table.values()].filter(
    (record) =>
      !isFree(record, day) && (isHeld(record) || reservation(pool, record.address) === undefined),
  );
  const ranges = pool.ranges
    .filter(({ from }) => family === undefined || from.family === family)
    .map((range) => mapRange(pool, range, records));
  const { name, zone } = pool;
  return { apiVersion: 'leasehold.dev/v1', kind: 'AddressMap', day, pool: name, zone, ranges };
}

function mapRange(pool: Pool, range: AddressRange, records: readonly Allocation[]): MapRange {
  const { family } = range.from;
  const step = stepOf(range);
  const byBlock = new Map<bigint, Allocation[]>();
  const within = records.filter((record) => rangeHas(range, record.address));
  for (const record of within) {
    const block = record.address.value / step;
    addToGroup(byBlock, block, record);
  }
  const sparse = family === 'ipv6' && step > 1n;
  const blocks = sparse ? [...byBlock.keys()].sort(compareBlocks) : blocksOf(range, step);
  return {
    range: formatRange(range),
    family,
    step: String(step),
    sparse,
    all: countsOf(pool, range, within),
    cells: blocks.map((block) =>
      cellOf(pool, blockWithin(range, block, step), byBlock.get(block) ?? []),
    ),
  };
}

/** For a large IPv6 range, a cell is a /120, or a /64 when the range has more than one /64. */
function stepOf(range: AddressRange): bigint {
  const size = rangeSize(range);
  if (size <= mostCells) return 1n;
  if (range.from.family === 'ipv6') {
    const interfaceBits = BigInt(familyBits.ipv6 - 64);
    return range.from.value >> interfaceBits === range.to.value >> interfaceBits
      ? 1n << 8n
      : 1n << interfaceBits;
  }
  let step = 2n;
  while (size > step * mostCells) step *= 2n;
  return step;
}

function blocksOf({ from, to }: AddressRange, step: bigint): readonly bigint[] {
  const blocks: bigint[] = [];
  for (let block = from.value / step; block <= to.value / step; block += 1n) blocks.push(block);
  return blocks;
}

/** Returns the part of a block that lies in the range. */
function blockWithin({ from, to }: AddressRange, block: bigint, step: bigint): AddressRange {
  const { family } = from;
  const first = { family, value: block * step };
  const last = { family, value: block * step + step - 1n };
  return {
    from: compareAddresses(first, from) < 0 ? from : first,
    to: compareAddresses(last, to) > 0 ? to : last,
  };
}

function cellOf(pool: Pool, range: AddressRange, records: readonly Allocation[]): MapCell {
  const { from, to } = range;
  return {
    from: formatAddress(from),
    to: formatAddress(to),
    ...countsOf(pool, range, records),
  };
}

function countsOf(pool: Pool, range: AddressRange, records: readonly Allocation[]): MapCounts {
  const left = subtract({ ranges: [range] }, pool.reserved);
  const usable = new Candidates(left, range.from.family, pool.avoidBuggyIPs);
  const taken = records.filter(({ address }) => usable.has(address)).length;
  const held = records.filter(isHeld).length;
  const unused = usable.size - BigInt(taken);
  const isDraining = pool.state === 'draining';
  return {
    held: String(held),
    retained: String(records.length - held),
    reserved: String(rangeSize(range) - BigInt(records.length) - unused),
    free: String(isDraining ? 0n : unused),
    ...(isDraining ? { draining: String(unused) } : {}),
  };
}

function compareBlocks(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
