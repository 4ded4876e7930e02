import * as z from 'zod';
import { bothFamilies } from '../../core/net/address.ts';
import { type Answer, addressCount, answeredState, apiVersion } from '../../core/text/answer.ts';
import { answeredAnnounced } from './list-answer.ts';

/** The use of the addresses of one family of a pool. */
const familyUsage = z.strictObject({
  family: z.enum(bothFamilies),
  ranges: z
    .array(z.string())
    .min(1)
    .describe('CIDR blocks, or first-last for a range that is not a block.'),
  total: addressCount,
  reserved: addressCount.describe(
    'Never allocated: reserved, or skipped because of avoidBuggyIPs. Without those still held or retained.',
  ),
  held: addressCount,
  retained: addressCount.describe('Released, and still kept for their last holders.'),
  free: addressCount.describe('A new holder could get one today.'),
  draining: addressCount
    .exactOptional()
    .describe('Of a draining pool: neither in use nor free, since it gives none to new holders.'),
  percent: z.int().min(0).max(100).describe('The used share of the allocatable addresses.'),
});

export type FamilyUsage = Answer<typeof familyUsage>;

export const poolUsageSchema = z.strictObject({
  pool: z.string(),
  zone: z.string(),
  state: z.enum(['active', 'draining']),
  families: z.array(familyUsage).min(1).max(2).describe('IPv4 first.'),
  announced: answeredAnnounced,
});

export const poolUsagesSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('PoolUsages'),
    ...answeredState,
    items: z.array(poolUsageSchema).describe('In the order of the pool file.'),
  })
  .describe('The output of leasehold pools -o json.');

export type PoolUsages = Answer<typeof poolUsagesSchema>;
