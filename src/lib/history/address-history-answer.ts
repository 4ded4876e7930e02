import * as z from 'zod';
import { type Answer, answeredDay, answeredTime, apiVersion } from '../../core/text/answer.ts';

/**
 * The effect of a commit on the record of an address or a hostname:
 *
 * - `found`: a record exists, and the earlier holder is unknown: the clone is shallow, or the
 *   earlier record was unreadable.
 * - `given`: it got a holder. It had no record before.
 * - `given to another`: it got a different holder.
 * - `renamed`: its holder goes on under another name, or in a group.
 * - `reclaimed`: the last holder has it again.
 * - `retention changed`: the holder is the same, and the retention changed.
 * - `released`: it was released, and is kept for its last holder until `freeFrom`.
 * - `pruned`: the record was removed after the release.
 * - `removed`: the record was removed while it was held. No run of leasehold does this.
 * - `unreadable`: the file is not a valid record.
 */
export const historyEvents = [
  'found',
  'given',
  'given to another',
  'renamed',
  'reclaimed',
  'retention changed',
  'released',
  'pruned',
  'removed',
  'unreadable',
] as const;

export type HistoryEventName = (typeof historyEvents)[number];

/** A commit of the branch that changed a record. Author and subject are untrusted. */
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
  freeFrom: answeredDay
    .exactOptional()
    .describe('Of a released record: the first day it is free for any holder, as of this commit.'),
});

export type HistoryEvent = Answer<typeof historyEvent>;

/** A period in which a record had the same holder and state, or did not exist. */
const period = z.strictObject({
  state: z.enum(['held', 'released', 'none', 'unreadable']),
  holder: z.string().exactOptional().describe('After release, the last holder.'),
  pool: z.string().exactOptional().describe('Of an address.'),
  freeFrom: answeredDay.exactOptional().describe('The first day it was free for any holder.'),
  from: answeredTime,
  until: answeredTime.exactOptional().describe('Absent in the last period.'),
  begun: historyEvent,
  changes: z.array(historyEvent).describe('Changes of the retention within the period.'),
});
export type HistoryPeriod = Answer<typeof period>;

/** The branch that a history was read from. */
export const historyBranchFields = {
  day: answeredDay.exactOptional().describe('The day of the answer.'),
  ref: z.string().describe('The branch whose first-parent chain was read.'),
  commit: z.string().describe('The commit of the branch.'),
  shallow: z.boolean().describe('True when the clone is shallow and older history is unknown.'),
};

export const historyPeriods = z.array(period).describe('Oldest first.');

const historyFields = { ...historyBranchFields, periods: historyPeriods };

export const addressHistorySchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('AddressHistory'),
    address: z.string().describe('In canonical form.'),
    ...historyFields,
  })
  .describe('The output of leasehold history -o json for an address.');

export type AddressHistory = Answer<typeof addressHistorySchema>;

export const hostnameHistorySchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('HostnameHistory'),
    hostname: z.string(),
    ...historyFields,
  })
  .describe('The output of leasehold history -o json for a hostname.');

export type HostnameHistory = Answer<typeof hostnameHistorySchema>;
