import * as z from 'zod';
import { type Answer, answeredDay, apiVersion, decimalCount } from '../../../text/answer.ts';

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
