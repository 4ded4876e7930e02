import * as z from 'zod';
import { type Answer, answeredCount, answeredDay, apiVersion } from '../../../core/text/answer.ts';
import { csvText } from '../../../core/text/print/escape.ts';
import { type Column, type TableStyle, tableText } from '../../../core/text/print/table.ts';

const heldDays = answeredCount.describe('Days at whose end the address was held.');
const retainedDays = answeredCount.describe('Days at whose end it was retained for the holder.');

const addressUsage = z.strictObject({
  address: z.string().describe('In canonical form.'),
  holder: z.string(),
  heldDays,
  retainedDays,
  commit: z.string().describe('The commit of the branch with which the first of the days began.'),
});

const usageItem = z.strictObject({
  owner: z
    .string()
    .describe('An Akash account, cluster/namespace of Services, or anycast/name of a group.'),
  zone: z.string().exactOptional().describe('Absent when no declared pool contains the addresses.'),
  family: z.enum(['ipv4', 'ipv6']),
  heldDays: heldDays.describe('Address-days: each day of each address at whose end it was held.'),
  retainedDays: retainedDays.describe('The same, of addresses that were retained.'),
  addresses: z.array(addressUsage).describe('By address.'),
});

/** The address-days of an owner in a zone and family. */
export type UsageItem = Answer<typeof usageItem>;

export const usageSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Usage'),
    day: answeredDay.exactOptional().describe('The day of the answer.'),
    ref: z.string().describe('The branch whose first-parent chain was read.'),
    commit: z.string().describe('The commit of the branch.'),
    month: z.string().describe('YYYY-MM.'),
    from: answeredDay.describe('The first day that was counted.'),
    end: answeredDay.describe('The day after the last one that was counted.'),
    items: z.array(usageItem).describe('By owner, zone and family.'),
  })
  .describe('The output of leasehold usage -o json.');

export type Usage = Answer<typeof usageSchema>;

const columns: readonly Column<UsageItem>[] = [
  { name: 'OWNER', cell: ({ owner }) => owner, prose: 'name' },
  { name: 'ZONE', cell: ({ zone }) => zone ?? '-', drop: 1 },
  { name: 'FAMILY', cell: ({ family }) => family },
  { name: 'ADDRESSES', cell: ({ addresses }) => String(addresses.length) },
  { name: 'HELD DAYS', cell: ({ heldDays }) => String(heldDays) },
  { name: 'RETAINED DAYS', cell: ({ retainedDays }) => String(retainedDays) },
];

/** Returns a table with a line per owner, zone and family. */
export function usageTable({ items }: Usage, style: TableStyle): string {
  return tableText(columns, items, style);
}

/** Returns CSV: a line per owner, zone, family and address. */
export function usageCsv({ month, items }: Usage): string {
  const header = 'month,owner,zone,family,address,holder,heldDays,retainedDays,commit';
  const rows = items.flatMap(({ addresses, ...item }) =>
    addresses.map((address) => ({ month, ...item, ...address })),
  );
  return csvText(header, rows);
}
