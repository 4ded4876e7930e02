import * as z from 'zod';
import { type AllocationTable, isFree } from '../../core/model/allocation.ts';
import type { Day } from '../../core/model/day.ts';
import type { Pool } from '../../core/model/pools.ts';
import { bothFamilies, type Family, isBuggyIP } from '../../core/net/address.ts';
import { type AddressRange, formatShortRange, rangeSize } from '../../core/net/range.ts';
import { ofFamily, rangeSetOf, subtract } from '../../core/net/range-set.ts';
import { type Answer, addressCount, answeredState, apiVersion } from '../../core/text/answer.ts';
import { humanCount } from '../../core/text/print/columns.ts';
import { csvText } from '../../core/text/print/escape.ts';
import { type Column, type TableStyle, tableText } from '../../core/text/print/table.ts';

const freeRange = z.strictObject({
  range: z.string().describe('An address, a CIDR block, or first-last.'),
  pool: z.string(),
  zone: z.string(),
  family: z.enum(bothFamilies),
  addresses: addressCount.describe('The number of addresses in the range.'),
});
type FreeRange = Answer<typeof freeRange>;

export const freeRangesSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('FreeRanges'),
    ...answeredState,
    items: z.array(freeRange).describe('By pool in the order of the pool file, IPv4 first.'),
  })
  .describe('The output of leasehold list --free -o json.');

export type FreeRanges = Answer<typeof freeRangesSchema>;

/**
 * Returns the addresses that the pools may give on a day, as the fewest ranges. A draining pool
 * gives none.
 */
export function freeRanges(
  pools: readonly Pool[],
  table: AllocationTable,
  { day, family }: { readonly day: Day; readonly family: Family | undefined },
): FreeRanges {
  const taken = rangeSetOf(
    [...table.values()]
      .filter((record) => !isFree(record, day))
      .map(({ address }) => ({ from: address, to: address })),
  );
  const items = pools
    .filter(({ state }) => state === 'active')
    .flatMap((pool) => {
      const usable = subtract(rangeSetOf(pool.ranges), pool.reserved);
      const free = subtract(usable, taken);
      const own = family === undefined ? free : ofFamily(free, family);
      return own.ranges
        .flatMap((range) => (pool.avoidBuggyIPs ? withoutBuggyIPs(range) : [range]))
        .map((range) => itemOf(pool, range));
    });
  return { apiVersion: 'leasehold.dev/v1', kind: 'FreeRanges', day, items };
}

/** The parts of a range between the first and the last address of each /24. */
function withoutBuggyIPs({ from, to }: AddressRange): readonly AddressRange[] {
  if (from.family === 'ipv6') return [{ from, to }];
  const parts: AddressRange[] = [];
  for (let start = from.value; start <= to.value; ) {
    const last = start | 255n;
    const end = last < to.value ? last : to.value;
    const first = isBuggyIP({ family: 'ipv4', value: start }) ? start + 1n : start;
    const until = isBuggyIP({ family: 'ipv4', value: end }) ? end - 1n : end;
    if (first <= until) {
      parts.push({ from: { family: 'ipv4', value: first }, to: { family: 'ipv4', value: until } });
    }
    start = end + 1n;
  }
  return parts;
}

function itemOf({ name, zone }: Pool, range: AddressRange): FreeRange {
  const { family } = range.from;
  const addresses = String(rangeSize(range));
  return { range: formatShortRange(range), pool: name, zone, family, addresses };
}

const columns: readonly Column<FreeRange>[] = [
  { name: 'FREE', cell: ({ range }) => range, prose: 'name' },
  { name: 'ADDRESSES', cell: ({ addresses }) => humanCount(addresses) },
  { name: 'POOL', cell: ({ pool }) => pool, omitSame: 'column', drop: 2 },
  { name: 'ZONE', cell: ({ zone }) => zone, omitSame: 'column', drop: 1 },
];

/** Returns a table with a line per range. */
export function freeRangesTable({ items }: FreeRanges, style: TableStyle): string {
  return tableText(columns, items, style);
}

/** Returns the ranges as CSV. Counts are not abbreviated. */
export function freeRangesCsv({ items }: FreeRanges): string {
  return csvText('range,addresses,pool,zone,family', items);
}
