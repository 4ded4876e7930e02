import * as z from 'zod';
import { type AddressHistory, historyEvents } from './history/address-history-answer.ts';
import { listClaimSchema } from './list-schema.ts';
import type { OwnerUsages } from './owner-usage-answer.ts';
import type { PoolUsages } from './pool-usage-answer.ts';
import { addressStates, type Who } from './who-answer.ts';

const apiVersion = z.literal('leasehold.dev/v1');
const address = z.string().describe('In canonical form.');
const day = z.string().describe('A day, UTC, as YYYY-MM-DD.');
const time = z.string().describe('A time, UTC, as 2026-01-02T10:00:00Z.');
const decimal = z.string().regex(/^(0|[1-9]\d*)$/);

const whoItem = z.strictObject({
  address,
  state: z.enum(addressStates),
  pool: z.string().exactOptional(),
  zone: z.string().exactOptional(),
  holder: z.string().exactOptional().describe('Once released, who held it last.'),
  since: day.exactOptional().describe('The day the holder got it, UTC.'),
  released: z
    .strictObject({ on: day, freeFrom: day.describe('The first day on which anyone may get it.') })
    .exactOptional(),
  file: z.string().exactOptional().describe('Its allocation file.'),
  claims: z.array(listClaimSchema).describe('What stands on it.'),
});

/** What `leasehold who -o json` prints. */
export const whoSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Who'),
    asked: z.string().describe('What was asked for, as typed.'),
    items: z.array(whoItem).describe('By address, IPv4 first.'),
  })
  .describe('What leasehold who -o json prints.') satisfies z.ZodType<Who>;

/** How many addresses of one family of a pool are in use. */
export const familyUsageSchema = z.strictObject({
  family: z.enum(['ipv4', 'ipv6']),
  ranges: z.array(z.string()).min(1).describe('Blocks, and first-last where a range is none.'),
  total: decimal.describe('In decimal: a /64 has more than a number holds.'),
  reserved: decimal.describe('Never given out: reserved, or left out by avoidBuggyIPs.'),
  held: z.int().min(0),
  retained: z.int().min(0).describe('Released, and still kept for their last holders.'),
  free: decimal,
  percent: z.int().min(0).max(100).describe('What is not free of what can be given out.'),
});

/** What `leasehold pools -o json` prints. */
export const poolUsagesSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('PoolUsages'),
    day: day.describe('The day on which that many are retained.'),
    items: z
      .array(
        z.strictObject({
          pool: z.string(),
          zone: z.string(),
          state: z.enum(['active', 'draining']),
          families: z.array(familyUsageSchema).min(1).max(2).describe('IPv4 first.'),
        }),
      )
      .describe('In the order of the pool file.'),
  })
  .describe('What leasehold pools -o json prints.') satisfies z.ZodType<PoolUsages>;

const ownerPart = z.strictObject({
  zone: z.string().exactOptional().describe('Absent when no declared pool has the addresses.'),
  family: z.enum(['ipv4', 'ipv6']),
  held: z.int().min(0),
  retained: z.int().min(0),
});

/** What `leasehold pools --owners -o json` prints. */
export const ownerUsagesSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('OwnerUsages'),
    day: day.describe('The day on which that many are retained.'),
    items: z
      .array(
        z.strictObject({
          owner: z.string().describe('An Akash account, or cluster/namespace of Services.'),
          held: z.int().min(0),
          retained: z.int().min(0).describe('Released, and still kept for the owner.'),
          quota: z.int().min(0).exactOptional().describe('Absent: as many as there are.'),
          left: z.int().min(0).exactOptional().describe('How many more it may be given.'),
          parts: z.array(ownerPart).describe('By zone, then IPv4 first.'),
        }),
      )
      .describe('By owner.'),
  })
  .describe('What leasehold pools --owners -o json prints.') satisfies z.ZodType<OwnerUsages>;

const historyEvent = z.strictObject({
  event: z.enum(historyEvents),
  at: time.describe('When the commit was made, UTC.'),
  commit: z.string(),
  author: z.string().describe('Whom the commit names.'),
  subject: z.string(),
  request: z
    .string()
    .exactOptional()
    .describe('The pull or merge request that the message names: #12, or group/project!34.'),
});

/** What `leasehold history -o json` prints. */
export const addressHistorySchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('AddressHistory'),
    address,
    ref: z.string().describe('The branch whose first parents were followed.'),
    commit: z.string().describe('Its commit.'),
    shallow: z
      .boolean()
      .describe('True when the clone lacks older commits: what was before is not known.'),
    periods: z
      .array(
        z.strictObject({
          state: z.enum(['held', 'released', 'none', 'unreadable']),
          holder: z.string().exactOptional().describe('Once released, who held it last.'),
          pool: z.string().exactOptional(),
          freeFrom: day.exactOptional().describe('The first day on which anyone could get it.'),
          from: time,
          until: time.exactOptional().describe('Absent in the last period.'),
          begun: historyEvent,
          changes: z.array(historyEvent).describe('Changes of the promise within it.'),
        }),
      )
      .describe('The oldest first.'),
  })
  .describe('What leasehold history -o json prints.') satisfies z.ZodType<AddressHistory>;
