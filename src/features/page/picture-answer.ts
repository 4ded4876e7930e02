import * as z from 'zod';
import { bothFamilies } from '../../core/net/address.ts';
import { type Answer, addressCount, answeredDay, apiVersion } from '../../core/text/answer.ts';
import { outlooks } from '../../lib/forecast/forecast-answer.ts';
import { historyEvents } from '../../lib/history/address-history-answer.ts';
import { hostnameItem } from '../../lib/list/hostnames-answer.ts';
import { listClaimSchema, promisedUntil } from '../../lib/list/list-answer.ts';
import { poolUsageSchema } from '../../lib/list/pool-usage-answer.ts';

/** The shown state of the tree. The commit is absent outside git and in a clone without commits. */
const revision = z.strictObject({
  commit: z.string().exactOptional().describe('The full object name.'),
  ref: z.string().exactOptional().describe('The requested ref; absent for the working tree.'),
  at: answeredDay.exactOptional().describe("The committer's day, UTC."),
  uncommitted: z
    .literal(true)
    .exactOptional()
    .describe('True when the working tree has uncommitted changes.'),
});
export type PictureRevision = Answer<typeof revision>;

/** A pool, its use and its reserved addresses. */
const pool = z.strictObject({
  pool: z.string(),
  zone: z.string(),
  state: z.enum(['active', 'draining']),
  families: poolUsageSchema.shape.families,
  announced: poolUsageSchema.shape.announced,
  reservedRanges: z
    .array(z.string())
    .describe('Without addresses skipped because of avoidBuggyIPs.'),
  nat: z
    .array(z.strictObject({ inside: z.string(), outside: z.string() }))
    .min(1)
    .exactOptional()
    .describe('The static NAT in front of the pool: public addresses are outside.'),
  avoidBuggyIPs: z
    .boolean()
    .describe('True when IPv4 addresses ending in .0 or .255 are not allocated.'),
  retentionDays: z.int().min(0).describe('The days for which a released address is kept.'),
  strategy: z.enum(['spread', 'lowest']).describe('The order in which addresses are tried.'),
  fence: z.enum(['open', 'closed']).describe('Which Services the data plane serves.'),
  clusters: z.array(z.string()).exactOptional().describe('Those that announce it; absent for all.'),
});
export type PicturePool = Answer<typeof pool>;

/** The record of an address. */
const record = z.strictObject({
  address: z.string(),
  pool: z.string(),
  holder: z.string().describe('After release, the last holder.'),
  state: z.enum(['held', 'released']),
  since: answeredDay,
  freeFrom: answeredDay
    .exactOptional()
    .describe('After release: the first day the address is free for any holder.'),
});
export type PictureRecord = Answer<typeof record>;

const { service, port, routedBy, addresses, lease, file } = hostnameItem.shape;

/** The record of a hostname, with the route that its holder declares. */
const hostname = z.strictObject({
  hostname: z.string(),
  holder: record.shape.holder,
  state: record.shape.state,
  since: answeredDay,
  freeFrom: answeredDay
    .exactOptional()
    .describe('After release: the first day the hostname is free for any holder.'),
  ...{ service, port, routedBy, addresses, lease, file },
});
export type PictureHostname = Answer<typeof hostname>;

/** A declared hostname that its holder does not have yet. */
const waitingHostname = z.strictObject({
  hostname: z.string(),
  holder: z.string().describe('The holder that declares it.'),
  service: service.unwrap(),
  port: port.unwrap(),
  lease,
  file: file.unwrap(),
});
export type PictureWaitingHostname = Answer<typeof waitingHostname>;

/** A holder and its claims. A holder without a record waits for an address. */
const holder = z.strictObject({
  holder: z.string(),
  cluster: z.string().describe('The clusters of an anycast group are separated by commas.'),
  promisedUntil,
  announced: poolUsageSchema.shape.announced.describe(
    'How its addresses are announced, when it names an advertisement; otherwise as their pool.',
  ),
  claims: z.array(listClaimSchema).describe('The claims served on its addresses.'),
});
export type PictureHolder = Answer<typeof holder>;

/** A commit that changed records. */
const commit = z.strictObject({
  commit: z.string().describe('The full object name.'),
  at: z.string().describe('A time, UTC, as 2026-01-02T10:00:00Z.'),
  author: z.string().describe('Untrusted.'),
  subject: z.string().describe('Untrusted.'),
  request: z.string().exactOptional().describe('The pull or merge request in the message.'),
});
export type PictureCommit = Answer<typeof commit>;

/** A period in which the record of an address or a hostname had the same holder and state, or did not exist. */
const period = z.strictObject({
  state: z.enum(['held', 'released', 'none', 'unreadable']),
  holder: z.string().exactOptional(),
  freeFrom: answeredDay.exactOptional(),
  event: z.enum(historyEvents).describe('The event that started the period.'),
  by: z.int().min(0).describe('The index of its commit in commits.'),
});
export type PicturePeriod = Answer<typeof period>;

/** The history of the records in git. */
const past = z.strictObject({
  shallow: z.boolean().describe('True when the clone lacks older commits.'),
  left: z.int().min(1).exactOptional().describe('The number of older periods that were omitted.'),
  commits: z.array(commit),
  addresses: z.array(
    z.strictObject({
      address: z.string(),
      periods: z.array(period).describe('Oldest first.'),
    }),
  ),
  hostnames: z.array(
    z.strictObject({
      hostname: z.string(),
      periods: z.array(period).describe('Oldest first.'),
    }),
  ),
  pools: z.array(pool).describe('Each state of each pool, with nothing in use.'),
  poolFiles: z
    .array(
      z.strictObject({
        from: answeredDay,
        pools: z.array(z.int().min(0)).describe('Indexes in pools, in the order of the file.'),
      }),
    )
    .describe('The pool file from a day on, oldest first.'),
});
export type PicturePast = Answer<typeof past>;

const forecast = z.strictObject({
  pool: z.string(),
  zone: z.string(),
  family: z.enum(bothFamilies),
  free: addressCount,
  points: z
    .array(z.strictObject({ day: answeredDay, held: addressCount, retained: addressCount }))
    .describe('A point for each day on which a count changed, oldest first.'),
  window: z
    .strictObject({ from: answeredDay, to: answeredDay })
    .exactOptional()
    .describe('The days over which growth was measured.'),
  growth: z.string().exactOptional().describe('Addresses per day, with three decimals.'),
  outlook: z.enum(outlooks),
  exhausted: answeredDay.exactOptional().describe('The first day on which nothing is free.'),
  reason: z.string().exactOptional(),
});

/** What comes from the history in git. */
const history = {
  forecasts: z.array(forecast).exactOptional().describe('In the order of the pools, IPv4 first.'),
  past: past.exactOptional().describe('The history of the records in git.'),
};

export const pictureSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Picture'),
    repository: z
      .string()
      .exactOptional()
      .describe('From the URL of origin, with the folder in it; absent without an origin.'),
    revision,
    day: answeredDay.describe(
      'The day that decides whether a released address is retained or free.',
    ),
    problems: z
      .int()
      .min(0)
      .describe('The number of problems in declarations. Claims may be missing.'),
    firstProblems: z
      .array(
        z.strictObject({
          code: z.string(),
          message: z.string(),
          file: z.string(),
          line: z.int().min(1),
        }),
      )
      .exactOptional()
      .describe('The first of them, at most ten; absent when there is none.'),
    stale: z.string().exactOptional().describe('Why this is not the latest state.'),
    partial: z
      .literal(true)
      .exactOptional()
      .describe(
        'True for the first part of a large picture: without hostnames, histories, and holders that have their address.',
      ),
    pools: z.array(pool).describe('In the order of the pool file.'),
    records: z.array(record).describe('Sorted by address, IPv4 first.'),
    holders: z
      .array(holder)
      .describe('Sorted by name. A holder without a record waits for an address.'),
    hostnames: z.array(hostname).describe('The recorded hostnames, by hostname.'),
    waitingHostnames: z
      .array(waitingHostname)
      .describe('The declared hostnames without a record of their holder, by hostname.'),
    ...history,
  })
  .describe('The content of the page of leasehold report.');

export type Picture = Answer<typeof pictureSchema>;

/** What the first part of a large picture leaves out. */
export type OtherPart = Pick<Picture, 'holders' | 'hostnames' | 'past' | 'forecasts'>;

/** What a served page loads after the picture. Without a commit there is neither. */
export const picturePastSchema = z
  .strictObject({ apiVersion, kind: z.literal('PicturePast'), ...history })
  .describe('The histories and forecasts of the page of leasehold serve.');
