import * as z from 'zod';
import { type Answer, answeredDay, apiVersion } from '../../text/answer.ts';

/** How many addresses of one family an owner has in a zone. */
const ownerPart = z.strictObject({
  zone: z.string().exactOptional().describe('Absent when no declared pool has the addresses.'),
  family: z.enum(['ipv4', 'ipv6']),
  held: z.int().min(0),
  retained: z.int().min(0),
});

export type OwnerPart = Answer<typeof ownerPart>;

/** An owner and what it has. */
const ownerUsage = z.strictObject({
  owner: z.string().describe('An Akash account, or cluster/namespace of Services.'),
  held: z.int().min(0),
  retained: z.int().min(0).describe('Released, and still kept for the owner.'),
  quota: z.int().min(0).exactOptional().describe('Absent: as many as there are.'),
  left: z.int().min(0).exactOptional().describe('How many more it may be given.'),
  parts: z.array(ownerPart).describe('By zone, then IPv4 first.'),
});
export type OwnerUsage = Answer<typeof ownerUsage>;

/** What `leasehold pools --owners -o json` prints. */
export const ownerUsagesSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('OwnerUsages'),
    day: answeredDay.describe('The day on which that many are retained.'),
    items: z.array(ownerUsage).describe('By owner.'),
  })
  .describe('What leasehold pools --owners -o json prints.');

export type OwnerUsages = Answer<typeof ownerUsagesSchema>;
