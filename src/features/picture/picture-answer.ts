import * as z from 'zod';
import { type Answer, answeredDay, apiVersion } from '../../text/answer.ts';
import { outlooks } from '../ask/capacity/forecast-answer.ts';
import { historyEvents } from '../ask/history/address-history-answer.ts';
import { listClaimSchema } from '../ask/list-answer.ts';
import { poolUsageSchema } from '../ask/pool-usage-answer.ts';

/** Which state of the tree a {@link Picture} shows. Without a commit it was no clone, or one without commits. */
const revision = z.strictObject({
  commit: z.string().exactOptional().describe('The full object name.'),
  ref: z.string().exactOptional().describe('What was asked for; absent for the working tree.'),
  at: answeredDay.exactOptional().describe("The committer's day, UTC."),
  uncommitted: z.literal(true).exactOptional().describe('The working tree has more.'),
});
export type PictureRevision = Answer<typeof revision>;

/** A pool, how full it is, and which of its addresses nobody may get. */
const pool = z.strictObject({
  pool: z.string(),
  zone: z.string(),
  state: z.enum(['active', 'draining']),
  families: poolUsageSchema.shape.families,
  reservedRanges: z.array(z.string()).describe('Without those that avoidBuggyIPs leaves out.'),
  avoidBuggyIPs: z.boolean().describe('IPv4 addresses ending in .0 or .255 are never given.'),
});
export type PicturePool = Answer<typeof pool>;

/** What is recorded of one address. */
const record = z.strictObject({
  address: z.string(),
  pool: z.string(),
  holder: z.string().describe('Once released, who held it last.'),
  state: z.enum(['held', 'released']),
  since: answeredDay,
  freeFrom: answeredDay.exactOptional().describe('Once released: free for anyone from this day.'),
});
export type PictureRecord = Answer<typeof record>;

/** A holder and what stands on its addresses. One without a record waits for an address. */
const holder = z.strictObject({
  holder: z.string(),
  cluster: z.string().describe('Of an anycast group: all, with commas between.'),
  claims: z.array(listClaimSchema).describe('What stands on its addresses.'),
});
export type PictureHolder = Answer<typeof holder>;

/** A commit that changed records. */
const commit = z.strictObject({
  commit: z.string().describe('The full object name.'),
  at: z.string().describe('A time, UTC, as 2026-01-02T10:00:00Z.'),
  author: z.string().describe('Not to be trusted.'),
  subject: z.string().describe('Not to be trusted.'),
  request: z.string().exactOptional().describe('The pull or merge request it names.'),
});
export type PictureCommit = Answer<typeof commit>;

/** A time in which one holder had an address, or it was kept for that holder, or nobody was recorded. */
const period = z.strictObject({
  state: z.enum(['held', 'released', 'none', 'unreadable']),
  holder: z.string().exactOptional(),
  freeFrom: answeredDay.exactOptional(),
  event: z.enum(historyEvents).describe('What began it.'),
  by: z.int().min(0).describe('Which of the commits did, counted from 0.'),
});
export type PicturePeriod = Answer<typeof period>;

/** What git tells of the records. */
const past = z.strictObject({
  shallow: z.boolean().describe('The clone lacks older commits.'),
  left: z.int().min(1).exactOptional().describe('How many older periods were left out.'),
  commits: z.array(commit),
  addresses: z.array(
    z.strictObject({
      address: z.string(),
      periods: z.array(period).describe('The oldest first.'),
    }),
  ),
});
export type PicturePast = Answer<typeof past>;

const forecast = z.strictObject({
  pool: z.string(),
  zone: z.string(),
  family: z.enum(['ipv4', 'ipv6']),
  free: z.string().describe('In decimal.'),
  points: z
    .array(z.strictObject({ day: answeredDay, held: z.int().min(0), retained: z.int().min(0) }))
    .describe('One for each day on which a count changed, the oldest first.'),
  window: z
    .strictObject({ from: answeredDay, to: answeredDay })
    .exactOptional()
    .describe('The days that growth was measured over.'),
  growth: z.string().exactOptional().describe('Addresses a day, with three decimals.'),
  outlook: z.enum(outlooks),
  exhausted: answeredDay.exactOptional().describe('The first day on which nothing is free.'),
  reason: z.string().exactOptional(),
});

/** All that the page shows of one state of the tree. */
export const pictureSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Picture'),
    revision,
    day: answeredDay.describe('The day on which a released address counts as retained or as free.'),
    problems: z.int().min(0).describe('Of declarations: claims may be missing.'),
    stale: z.string().exactOptional().describe('Why this is not the newest state.'),
    pools: z.array(pool).describe('In the order of the pool file.'),
    records: z.array(record).describe('By address, IPv4 first.'),
    holders: z.array(holder).describe('By name. One without a record waits for an address.'),
    forecasts: z.array(forecast).exactOptional().describe('By pool, IPv4 first.'),
    past: past.exactOptional().describe('What git tells of the records.'),
  })
  .describe('What the page of leasehold report shows.');

export type Picture = Answer<typeof pictureSchema>;
