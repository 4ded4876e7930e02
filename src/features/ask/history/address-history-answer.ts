import * as z from 'zod';
import { type Answer, answeredDay, answeredTime, apiVersion } from '../../../text/answer.ts';

/**
 * What a commit did to the record of an address:
 *
 * - `found`: a record is there, and who had the address before cannot be told: the clone reaches no further back,
 *   or what stood there was unreadable.
 * - `given`: somebody holds it who was not recorded before.
 * - `given to another`: somebody else holds it than was recorded.
 * - `reclaimed`: its last holder has it again.
 * - `promise changed`: its holder keeps it, and is promised it for a longer or shorter time.
 * - `released`: its holder has it no more; it is kept for him until `freeFrom`.
 * - `pruned`: the record of a released address is removed.
 * - `removed`: the record of a held address is removed, which no run of leasehold does.
 * - `unreadable`: what stands there is no record of this address.
 */
export const historyEvents = [
  'found',
  'given',
  'given to another',
  'reclaimed',
  'promise changed',
  'released',
  'pruned',
  'removed',
  'unreadable',
] as const;

/** One of {@link historyEvents}. */
export type HistoryEventName = (typeof historyEvents)[number];

/** One commit of the branch that changed the record of an address. Author and subject are not to be trusted. */
const historyEvent = z.strictObject({
  event: z.enum(historyEvents),
  at: answeredTime.describe('When the commit was made, UTC.'),
  commit: z.string(),
  author: z.string().describe('Whom the commit names.'),
  subject: z.string(),
  request: z
    .string()
    .exactOptional()
    .describe('The pull or merge request that the message names: #12, or group/project!34.'),
});

export type HistoryEvent = Answer<typeof historyEvent>;

/** A time in which one holder had an address, or it was kept for that holder, or nobody was recorded. */
const period = z.strictObject({
  state: z.enum(['held', 'released', 'none', 'unreadable']),
  holder: z.string().exactOptional().describe('Once released, who held it last.'),
  pool: z.string().exactOptional(),
  freeFrom: answeredDay.exactOptional().describe('The first day on which anyone could get it.'),
  from: answeredTime,
  until: answeredTime.exactOptional().describe('Absent in the last period.'),
  begun: historyEvent,
  changes: z.array(historyEvent).describe('Changes of the promise within it.'),
});
export type HistoryPeriod = Answer<typeof period>;

/** What `leasehold history -o json` prints. */
export const addressHistorySchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('AddressHistory'),
    address: z.string().describe('In canonical form.'),
    ref: z.string().describe('The branch whose first parents were followed.'),
    commit: z.string().describe('Its commit.'),
    shallow: z
      .boolean()
      .describe('True when the clone lacks older commits: what was before is not known.'),
    periods: z.array(period).describe('The oldest first.'),
  })
  .describe('What leasehold history -o json prints.');

export type AddressHistory = Answer<typeof addressHistorySchema>;
