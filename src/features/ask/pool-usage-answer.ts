import * as z from 'zod';
import { type Answer, answeredDay, apiVersion, decimalCount } from '../../text/answer.ts';

/** How many addresses of one family of a pool are in use. */
const familyUsage = z.strictObject({
  family: z.enum(['ipv4', 'ipv6']),
  ranges: z.array(z.string()).min(1).describe('Blocks, and first-last where a range is none.'),
  total: decimalCount.describe('In decimal: a /64 has more than a number holds.'),
  reserved: decimalCount.describe('Never given out: reserved, or left out by avoidBuggyIPs.'),
  held: z.int().min(0),
  retained: z.int().min(0).describe('Released, and still kept for their last holders.'),
  free: decimalCount,
  percent: z.int().min(0).max(100).describe('What is not free of what can be given out.'),
});

export type FamilyUsage = Answer<typeof familyUsage>;

/** A pool and how full it is. */
export const poolUsageSchema = z.strictObject({
  pool: z.string(),
  zone: z.string(),
  state: z.enum(['active', 'draining']),
  families: z.array(familyUsage).min(1).max(2).describe('IPv4 first.'),
});

/** What `leasehold pools -o json` prints. */
export const poolUsagesSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('PoolUsages'),
    day: answeredDay.describe('The day on which that many are retained.'),
    items: z.array(poolUsageSchema).describe('In the order of the pool file.'),
  })
  .describe('What leasehold pools -o json prints.');

export type PoolUsages = Answer<typeof poolUsagesSchema>;
