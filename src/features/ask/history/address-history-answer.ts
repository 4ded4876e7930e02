import * as z from 'zod';
import { type Answer, answeredDay, answeredTime, apiVersion } from '../../../text/answer.ts';

/**
 * The effect of a commit on the record of an address:
 *
 * - `found`: a record exists, and the earlier holder is unknown: the clone is shallow, or the
 *   earlier record was unreadable.
 * - `given`: the address got a holder. It had no record before.
 * - `given to another`: the address got a different holder.
 * - `reclaimed`: the last holder has the address again.
 * - `retention changed`: the holder is the same, and the retention of the address changed.
 * - `released`: the address was released. It is retained for its last holder until `freeFrom`.
 * - `pruned`: the record of a released address was removed.
 * - `removed`: the record of a held address was removed. No run of leasehold does this.
 * - `unreadable`: the file is not a valid record of this address.
 */
export const historyEvents = [
  'found',
  'given',
  'given to another',
  'reclaimed',
  'retention changed',
  'released',
  'pruned',
  'removed',
  'unreadable',
] as const;

export type HistoryEventName = (typeof historyEvents)[number];

/**
 * A commit of the branch that changed the record of an address. Author and subject are untrusted.
 */
const historyEvent = z.strictObject({
  event: z.enum(historyEvents),
  at: answeredTime.describe('The time of the commit, UTC.'),
  commit: z.string(),
  author: z.string().describe('The author that the commit names.'),
  subject: z.string(),
  request: z
    .string()
    .exactOptional()
    .describe('The pull or merge request in the message: #12, or group/project!34.'),
});

export type HistoryEvent = Answer<typeof historyEvent>;

/** A period in which the record of an address had the same holder and state, or did not exist. */
const period = z.strictObject({
  state: z.enum(['held', 'released', 'none', 'unreadable']),
  holder: z.string().exactOptional().describe('After release, the last holder.'),
  pool: z.string().exactOptional(),
  freeFrom: answeredDay
    .exactOptional()
    .describe('The first day the address was free for any holder.'),
  from: answeredTime,
  until: answeredTime.exactOptional().describe('Absent in the last period.'),
  begun: historyEvent,
  changes: z.array(historyEvent).describe('Changes of the retention within the period.'),
});
export type HistoryPeriod = Answer<typeof period>;

export const addressHistorySchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('AddressHistory'),
    day: answeredDay.exactOptional().describe('The day of the answer.'),
    address: z.string().describe('In canonical form.'),
    ref: z.string().describe('The branch whose first-parent chain was read.'),
    commit: z.string().describe('The commit of the branch.'),
    shallow: z.boolean().describe('True when the clone is shallow and older history is unknown.'),
    periods: z.array(period).describe('Oldest first.'),
  })
  .describe('The output of leasehold history -o json.');

export type AddressHistory = Answer<typeof addressHistorySchema>;
