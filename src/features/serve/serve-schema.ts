import * as z from 'zod';
import type { Status } from './status-answer.ts';

const apiVersion = z.literal('leasehold.dev/v1');
const day = z.string().describe('A day, UTC, as YYYY-MM-DD.');
const time = z.string().describe('A time, UTC, as 2026-01-02T10:00:00Z.');
const count = z.int().min(0);

const problem = z.strictObject({
  code: z.string(),
  message: z.string(),
  at: z.string().describe('file:line:column'),
  hint: z.string().exactOptional(),
});

/** What `/api/v1/status` of `leasehold serve` answers. */
export const statusSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Status'),
    version: z.string().describe('Of leasehold.'),
    source: z.string().describe('Which tree is followed.'),
    ready: z.boolean().describe('False until there was a good look: nothing is served yet.'),
    day: day.describe('The day of the last look, UTC.'),
    lookedAt: time.exactOptional().describe('The time of the last look, UTC.'),
    looks: z.strictObject({ all: count, failed: count }),
    revision: z
      .strictObject({
        commit: z.string().exactOptional().describe('Absent outside of git.'),
        day: day.exactOptional().describe("The committer's day."),
        uncommitted: z.boolean().describe('True for a working tree that differs from its commit.'),
        seenAt: time.describe('The time of the look that found it.'),
      })
      .exactOptional()
      .describe('What is served.'),
    stale: z
      .strictObject({
        since: time,
        reason: z.string().exactOptional().describe('Why the tree is not reached.'),
        problems: z.array(problem).describe('For which nothing newer can be served.'),
      })
      .exactOptional()
      .describe('Present when the newest look was not good: what is served is older.'),
    pending: z
      .strictObject({
        refs: count.describe('How many hold addresses that the served commit does not give.'),
        skipped: count.describe('How many could not be read.'),
        seenAt: time
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
  .describe('How it stands with leasehold serve.') satisfies z.ZodType<Status>;

/** What `leasehold serve` answers in place of what was asked for. */
export const failureSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Failure'),
    status: z.int().min(400).max(599),
    reason: z.string(),
  })
  .describe('Why leasehold serve does not answer.');

/** `/version`: version.Info of the Akash provider. */
const operatorVersion = z.looseObject({ name: z.string(), version: z.string() });

/** `/usage`: cluster/types/v1beta3/clients/ip of the Akash provider, AddressUsage; `Free` is ours. */
const operatorUsage = z.strictObject({
  Available: count.describe('All IPv4 addresses that leases may get.'),
  InUse: count.describe('Those of them that no new lease gets.'),
  Free: count.describe('The difference.'),
});

const operatorState = z.record(
  z.string(),
  z.array(
    z.strictObject({
      'last-event-time': z.string(),
      'lease-id': z.strictObject({
        owner: z.string(),
        dseq: z.number().min(0).describe('A uint64.'),
        gseq: count,
        oseq: count,
        provider: z.string(),
        bseq: count,
      }),
      namespace: z.string(),
      port: count,
      'external-port': count,
      'service-name': z.string(),
      'sharing-key': z.string(),
    }),
  ),
);

const operatorIgnoredLeases = z.record(
  z.string(),
  z.strictObject({
    hostnames: z.array(z.string()).describe('Sharing keys.'),
    'last-error': z.string(),
    'last-error-type': z.string(),
    'failed-at': z.string(),
    'failure-count': count,
    namespace: z.string(),
  }),
);

const operatorLeaseStatus = z.array(
  z.strictObject({
    Port: count,
    ExternalPort: count,
    ServiceName: z.string(),
    IP: z.string(),
    Protocol: z.enum(['TCP', 'UDP']),
  }),
);

const operatorError = z.strictObject({ Error: z.string(), Code: z.int() });

/** What Akash's operator answers, by the name that the OpenAPI document gives it. */
export const operatorSchemas = {
  OperatorVersion: operatorVersion,
  OperatorUsage: operatorUsage,
  OperatorState: operatorState,
  OperatorIgnoredLeases: operatorIgnoredLeases,
  OperatorLeaseStatus: operatorLeaseStatus,
  OperatorError: operatorError,
};
