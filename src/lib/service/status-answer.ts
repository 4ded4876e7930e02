import * as z from 'zod';
import {
  type Answer,
  addressCount,
  answeredDay,
  answeredTime,
  apiVersion,
  answeredCount as count,
} from '../../core/text/answer.ts';

const problem = z.strictObject({
  code: z.string(),
  message: z.string(),
  file: z.string(),
  line: z.int().min(1),
  at: z.string().describe('file:line:column'),
  hint: z.string().exactOptional(),
});
export type StatusProblem = Answer<typeof problem>;

const problemCount = count.describe('All problems, also those left out of the list.');

const record = z.strictObject({
  holder: z.string().describe('After release, the last holder.'),
  state: z.enum(['held', 'released']),
  freeFrom: answeredDay
    .exactOptional()
    .describe('After release: the first day the address is free, UTC.'),
});

const change = z.strictObject({
  address: z.string().describe('In canonical form.'),
  from: record.exactOptional().describe('Absent when the address had no record.'),
  to: record.exactOptional().describe('Absent when the address has no record any more.'),
});

const changes = z.strictObject({
  since: z
    .strictObject({ commit: z.string().exactOptional(), seenAt: answeredTime })
    .describe('The revision that was served before.'),
  count: addressCount.describe('All changed addresses, also those left out of the list.'),
  items: z.array(change).describe('By address, IPv4 first.'),
});

export type ServedChanges = Answer<typeof changes>;

export const statusSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Status'),
    version: z.string().describe('The version of leasehold.'),
    source: z.string().describe('The name of the followed tree.'),
    ready: z.boolean().describe('False until the first successful poll.'),
    day: answeredDay.describe('The day of the last poll, UTC.'),
    polledAt: answeredTime.exactOptional().describe('The time of the last poll, UTC.'),
    polls: z.strictObject({ all: count, failed: count }),
    revision: z
      .strictObject({
        commit: z.string().exactOptional().describe('Absent outside git.'),
        day: answeredDay.exactOptional().describe('The committer date.'),
        uncommitted: z.boolean().describe('True for a working tree that differs from its commit.'),
        seenAt: answeredTime.describe('The time of the poll that found the revision.'),
      })
      .exactOptional()
      .describe('The served revision.'),
    stale: z
      .strictObject({
        since: answeredTime,
        reason: z.string().exactOptional().describe('Why the tree cannot be read.'),
        problems: z.array(problem).describe('The problems that prevent serving the latest tree.'),
        problemCount,
      })
      .exactOptional()
      .describe('Present when the last poll failed or found an invalid tree.'),
    changes: changes
      .exactOptional()
      .describe('What the served revision changed; absent for the first one.'),
    pending: z
      .strictObject({
        refs: count.describe('The number of refs that would allocate addresses.'),
        skipped: count.describe('The number of refs that could not be read.'),
        seenAt: answeredTime
          .exactOptional()
          .describe('The time of the last successful poll of them; absent before the first.'),
        reason: z.string().exactOptional().describe('Why there is no newer result.'),
      })
      .exactOptional()
      .describe('Open branches; absent when they are not counted.'),
    problems: z
      .array(problem)
      .describe(
        'Problems of declarations. Their claims are those of the last successful poll, or missing.',
      ),
    problemCount,
  })
  .describe('The state of leasehold serve.');
export type Status = Answer<typeof statusSchema>;
