import * as z from 'zod';
import { ipFamilies } from '../../core/model/lease.ts';
import { counted, fewOf } from '../../core/model/problem.ts';
import {
  type Answer,
  addressCount,
  answeredCount,
  answeredDay,
  apiVersion,
} from '../../core/text/answer.ts';
import { humanCount } from '../../core/text/print/columns.ts';
import { csvText, sanitize } from '../../core/text/print/escape.ts';
import { type Column, type TableStyle, tableText } from '../../core/text/print/table.ts';

/** The kinds of counts: addresses of one family, or pairs of both families in one pool. */

const ref = z.string().describe('The name of the ref on the remote.');

/** The number of addresses that a zone has left for Services of a cluster. */
const zoneCapacity = z.strictObject({
  cluster: z.string(),
  zone: z.string(),
  family: z.enum(ipFamilies).describe('dual counts pairs of addresses in one pool.'),
  pools: z.array(z.string()).describe('The counted pools: active, and announced in the cluster.'),
  free: addressCount,
  pending: addressCount.describe(
    'The part of free that open branches and waiting holders will take.',
  ),
  promisable: addressCount.describe('How many may still be promised.'),
});

export type ZoneCapacity = Answer<typeof zoneCapacity>;

/** An open branch that allocates addresses. */
const capacityRef = z.strictObject({
  ref,
  commit: z.string(),
  day: answeredDay,
  addresses: z.array(z.string()),
});
export type CapacityRef = Answer<typeof capacityRef>;

export const capacitySchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Capacity'),
    day: answeredDay.describe('The day the counts are for.'),
    commit: z.string().exactOptional().describe('The counted commit; absent without a commit.'),
    uncommitted: z.boolean().describe('True when uncommitted changes are counted.'),
    owner: z.string().exactOptional().describe('The owner whose quota limits the counts.'),
    quota: addressCount.exactOptional().describe('Absent when there is no quota.'),
    left: addressCount
      .exactOptional()
      .describe('The quota without held, retained and pending addresses.'),
    items: z.array(zoneCapacity).describe('Sorted by cluster and zone, IPv4 first.'),
    pending: z.array(capacityRef).describe('Open branches that allocate addresses.'),
    waiting: z.array(z.string()).describe('Declared holders without an address.'),
    skipped: z
      .array(z.strictObject({ ref, reason: z.string() }))
      .describe('Refs that could not be read.'),
    leftOut: answeredCount.describe(
      'The number of refs that were not read; they have the lowest numbers.',
    ),
    complete: z
      .boolean()
      .describe('False when a recent open branch may take more than is counted.'),
  })
  .describe('The output of leasehold capacity -o json.');
export type Capacity = Answer<typeof capacitySchema>;

const columns: readonly Column<ZoneCapacity>[] = [
  { name: 'CLUSTER', cell: ({ cluster }) => cluster, omitSame: 'column', prose: 'name' },
  { name: 'ZONE', cell: ({ zone }) => zone, prose: 'name' },
  { name: 'FAMILY', cell: ({ family }) => family },
  { name: 'FREE', cell: ({ free }) => humanCount(free) },
  { name: 'PENDING', cell: ({ pending }) => humanCount(pending) },
  { name: 'PROMISABLE', cell: ({ promisable }) => humanCount(promisable) },
  { name: 'POOLS', cell: ({ pools }) => pools, few: true, drop: 1 },
];

/** Returns a table with a line per cluster, zone and family. */
export function capacityTable({ items }: Capacity, style: TableStyle): string {
  return tableText(columns, items, style);
}

/** Returns the rows of the table as CSV. Counts are not abbreviated. */
export function capacityCsv({ items }: Capacity): string {
  return csvText('cluster,zone,family,free,pending,promisable,pools', items);
}

/** The most refs of a kind, and addresses of a ref, that are listed one by one. */
const mostListed = 20;

/** Returns notes on what the counts include and leave out, one per line. */
export function capacityNotes({ owner, quota, left, ...capacity }: Capacity): string {
  const lines: string[] = [];
  if (capacity.uncommitted && capacity.commit !== undefined) {
    lines.push(`counted with uncommitted changes on ${capacity.commit.slice(0, 12)}`);
  }
  if (quota !== undefined && owner !== undefined) {
    lines.push(`the quota of ${owner} is ${quota}, and leaves ${left ?? '0'}`);
  }
  const { waiting } = capacity;
  if (waiting.length > 0) {
    const who = waiting.length === 1 ? '1 holder waits' : `${waiting.length} holders wait`;
    lines.push(
      `${who} for an address, before any promise: ${fewOf(waiting)}; run \`leasehold synth\``,
    );
  }
  const taking = capacity.pending.map(({ ref, addresses }) => `${ref} takes ${few(addresses)}`);
  const skipped = capacity.skipped.map(({ ref, reason }) => `${ref} is not counted: ${reason}`);
  lines.push(...folded(taking, 'take'), ...folded(skipped, 'are not counted'));
  if (capacity.leftOut > 0) {
    const refs = counted(capacity.leftOut, 'ref is', 'refs are');
    lines.push(`${refs} not read: there are too many refs, and these have the lowest numbers`);
  }
  return lines.map((line) => `${sanitize(line)}\n`).join('');
}

function folded(lines: readonly string[], what: string): readonly string[] {
  const more = lines.length - mostListed;
  if (more <= 1) return lines;
  return [...lines.slice(0, mostListed), `${more} more ${what}: -o json lists them all`];
}

function few(addresses: readonly string[]): string {
  const more = addresses.length - mostListed;
  const shown = (more <= 1 ? addresses : addresses.slice(0, mostListed)).join(', ');
  return more <= 1 ? shown : `${shown} and ${more} more`;
}
