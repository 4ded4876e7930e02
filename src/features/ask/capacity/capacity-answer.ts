import * as z from 'zod';
import { type Answer, answeredDay, apiVersion, decimalCount } from '../../../text/answer.ts';
import { columns } from '../../../text/print/columns.ts';
import { csvText } from '../../../text/print/csv.ts';
import { humanCount } from '../../../text/print/human-count.ts';
import { plain } from '../../../text/print/plain.ts';

/** What addresses are counted: of one family, or pairs of both in one pool. */
export const capacityFamilies = ['ipv4', 'ipv6', 'dual'] as const;

const ref = z.string().describe('As the remote names it.');

/** How many more addresses a zone has for Services of a cluster. */
const zoneCapacity = z.strictObject({
  cluster: z.string(),
  zone: z.string(),
  family: z.enum(capacityFamilies).describe('dual: pairs, both of one pool.'),
  pools: z.array(z.string()).describe('Those that count: active, and announced in the cluster.'),
  free: decimalCount.describe('In decimal: a /64 has more than a number holds.'),
  pending: decimalCount.describe('Of those, what open branches and waiting holders will take.'),
  promisable: decimalCount.describe('What may still be promised.'),
});

export type ZoneCapacity = Answer<typeof zoneCapacity>;

/** An open branch that takes addresses. */
const capacityRef = z.strictObject({
  ref,
  commit: z.string(),
  day: answeredDay,
  addresses: z.array(z.string()),
});
export type CapacityRef = Answer<typeof capacityRef>;

/** What `leasehold capacity -o json` prints. */
export const capacitySchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Capacity'),
    day: answeredDay.describe('The day on which that many are free.'),
    commit: z.string().exactOptional().describe('What was counted, if it is in a commit.'),
    uncommitted: z.boolean().describe('True when changes that are not committed counted too.'),
    owner: z.string().exactOptional().describe('Whose quota limits the counts.'),
    quota: z.int().min(0).exactOptional().describe('Absent: as many as there are.'),
    left: z.int().min(0).exactOptional().describe('After what is held, retained and pending.'),
    items: z.array(zoneCapacity).describe('By cluster and zone, then IPv4 first.'),
    pending: z.array(capacityRef).describe('Open branches that take something.'),
    waiting: z.array(z.string()).describe('Holders that are declared and have no address yet.'),
    skipped: z
      .array(z.strictObject({ ref, reason: z.string() }))
      .describe('Refs that could not be counted.'),
    leftOut: z.int().min(0).describe('Refs of lower numbers, which were not looked at.'),
    complete: z
      .boolean()
      .describe('False when an open branch that is not old may take more than is counted.'),
  })
  .describe('What leasehold capacity -o json prints.');
export type Capacity = Answer<typeof capacitySchema>;

/** What may still be promised, as a table: a line per cluster, zone and family. */
export function capacityTable({ items }: Capacity): string {
  const header = ['CLUSTER', 'ZONE', 'FAMILY', 'FREE', 'PENDING', 'PROMISABLE', 'POOLS'];
  const rows = items.map(({ cluster, zone, family, free, pending, promisable, pools }) => {
    const counts = [free, pending, promisable].map(humanCount);
    return [cluster, zone, family, ...counts, pools.join(',') || '-'].map(plain);
  });
  return columns([header, ...rows]);
}

/** The same as CSV, with all digits. */
export function capacityCsv({ items }: Capacity): string {
  const header = ['cluster', 'zone', 'family', 'free', 'pending', 'promisable', 'pools'];
  const rows = items.map(({ cluster, zone, family, free, pending, promisable, pools }) => [
    ...[cluster, zone, family, free, pending, promisable],
    pools.join(' '),
  ]);
  return csvText([header, ...rows]);
}

/** How many refs of a kind are told one by one. */
const mostTold = 20;

/** What the counts leave out, and why, for a person: a line each. */
export function capacityNotes({ owner, quota, left, ...capacity }: Capacity): string {
  const lines: string[] = [];
  if (capacity.uncommitted && capacity.commit !== undefined) {
    lines.push(`counted with changes that are not committed, on ${capacity.commit.slice(0, 12)}`);
  }
  if (quota !== undefined && owner !== undefined) {
    lines.push(`the quota of ${owner} is ${quota}, and leaves ${left ?? 0}`);
  }
  const waiting = capacity.waiting.length;
  if (waiting > 0) {
    const who = waiting === 1 ? '1 holder waits' : `${waiting} holders wait`;
    lines.push(`${who} for an address, which counts as pending; run leasehold synth`);
  }
  const taking = capacity.pending.map(({ ref, addresses }) => `${ref} takes ${few(addresses)}`);
  const skipped = capacity.skipped.map(({ ref, reason }) => `${ref} is not counted: ${reason}`);
  lines.push(...folded(taking, 'take'), ...folded(skipped, 'are not counted'));
  if (capacity.leftOut > 0) {
    const refs = capacity.leftOut === 1 ? '1 ref is' : `${capacity.leftOut} refs are`;
    lines.push(`${refs} not looked at: there are too many, and these have the lowest numbers`);
  }
  return lines.map((line) => `${plain(line)}\n`).join('');
}

function folded(lines: readonly string[], what: string): readonly string[] {
  const more = lines.length - mostTold;
  if (more <= 1) return lines;
  return [...lines.slice(0, mostTold), `${more} more ${what}: -o json names them all`];
}

function few(addresses: readonly string[]): string {
  const more = addresses.length - mostTold;
  const shown = (more <= 1 ? addresses : addresses.slice(0, mostTold)).join(', ');
  return more <= 1 ? shown : `${shown} and ${more} more`;
}
