import * as z from 'zod';
import { type Answer, answeredDay, answeredTime, apiVersion } from '../../text/answer.ts';

const count = z.int().min(0);

/** One problem of a served tree. */
const problem = z.strictObject({
  code: z.string(),
  message: z.string(),
  at: z.string().describe('file:line:column'),
  hint: z.string().exactOptional(),
});
export type StatusProblem = Answer<typeof problem>;

/** What `/api/v1/status` of `leasehold serve` answers. */
export const statusSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Status'),
    version: z.string().describe('Of leasehold.'),
    source: z.string().describe('Which tree is followed.'),
    ready: z.boolean().describe('False until there was a good look: nothing is served yet.'),
    day: answeredDay.describe('The day of the last look, UTC.'),
    lookedAt: answeredTime.exactOptional().describe('The time of the last look, UTC.'),
    looks: z.strictObject({ all: count, failed: count }),
    revision: z
      .strictObject({
        commit: z.string().exactOptional().describe('Absent outside of git.'),
        day: answeredDay.exactOptional().describe("The committer's day."),
        uncommitted: z.boolean().describe('True for a working tree that differs from its commit.'),
        seenAt: answeredTime.describe('The time of the look that found it.'),
      })
      .exactOptional()
      .describe('What is served.'),
    stale: z
      .strictObject({
        since: answeredTime,
        reason: z.string().exactOptional().describe('Why the tree is not reached.'),
        problems: z.array(problem).describe('For which nothing newer can be served.'),
      })
      .exactOptional()
      .describe('Present when the newest look was not good: what is served is older.'),
    pending: z
      .strictObject({
        refs: count.describe('How many hold addresses that the served commit does not give.'),
        skipped: count.describe('How many could not be read.'),
        seenAt: answeredTime
          .exactOptional()
          .describe('The time of the last good look at them; absent before the first.'),
        reason: z.string().exactOptional().describe('Why nothing newer is known.'),
      })
      .exactOptional()
      .describe('How it stands with open branches; absent when they do not count.'),
    problems: z
      .array(problem)
      .describe('Of declarations: claims of theirs are those of the last good look, or missing.'),
  })
  .describe('How it stands with leasehold serve.');
export type Status = Answer<typeof statusSchema>;
