import * as z from 'zod';
import { type Capacity, capacityFamilies } from './capacity-answer.ts';
import { type Forecasts, outlooks } from './forecast-answer.ts';

const apiVersion = z.literal('leasehold.dev/v1');
const day = z.string().describe('A day, UTC, as YYYY-MM-DD.');
const decimal = z.string().regex(/^(0|[1-9]\d*)$/);
const ref = z.string().describe('As the remote names it.');

const zoneCapacity = z.strictObject({
  cluster: z.string(),
  zone: z.string(),
  family: z.enum(capacityFamilies).describe('dual: pairs, both of one pool.'),
  pools: z.array(z.string()).describe('Those that count: active, and announced in the cluster.'),
  free: decimal.describe('In decimal: a /64 has more than a number holds.'),
  pending: decimal.describe('Of those, what open branches and waiting holders will take.'),
  promisable: decimal.describe('What may still be promised.'),
});

/** What `leasehold capacity -o json` prints. */
export const capacitySchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Capacity'),
    day: day.describe('The day on which that many are free.'),
    commit: z.string().exactOptional().describe('What was counted, if it is in a commit.'),
    uncommitted: z.boolean().describe('True when changes that are not committed counted too.'),
    owner: z.string().exactOptional().describe('Whose quota limits the counts.'),
    quota: z.int().min(0).exactOptional().describe('Absent: as many as there are.'),
    left: z.int().min(0).exactOptional().describe('After what is held, retained and pending.'),
    items: z.array(zoneCapacity).describe('By cluster and zone, then IPv4 first.'),
    pending: z
      .array(z.strictObject({ ref, commit: z.string(), day, addresses: z.array(z.string()) }))
      .describe('Open branches that take something.'),
    waiting: z.array(z.string()).describe('Holders that are declared and have no address yet.'),
    skipped: z
      .array(z.strictObject({ ref, reason: z.string() }))
      .describe('Refs that could not be counted.'),
    leftOut: z.int().min(0).describe('Refs of lower numbers, which were not looked at.'),
    complete: z
      .boolean()
      .describe('False when an open branch that is not old may take more than is counted.'),
  })
  .describe('What leasehold capacity -o json prints.') satisfies z.ZodType<Capacity>;

const familyForecast = z.strictObject({
  pool: z.string(),
  zone: z.string(),
  family: z.enum(['ipv4', 'ipv6']),
  free: decimal,
  points: z
    .array(z.strictObject({ day, held: z.int().min(0), retained: z.int().min(0) }))
    .describe('A point for each day on which a count changed, the oldest first.'),
  window: z
    .strictObject({ from: day, to: day })
    .exactOptional()
    .describe('The days that growth was measured over.'),
  growth: z
    .string()
    .regex(/^-?\d+\.\d{3}$/)
    .exactOptional()
    .describe('Addresses a day, held and retained together.'),
  outlook: z.enum(outlooks),
  exhausted: day.exactOptional().describe('The first day on which nothing is free.'),
  reason: z.string().exactOptional().describe('Why there is no such day, for a person.'),
});

/** What `GET /api/v1/forecasts` answers. */
export const forecastsSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Forecasts'),
    day,
    ref: z.string().describe('The ref whose history was read.'),
    commit: z.string(),
    shallow: z.boolean().describe('True when the clone lacks older commits.'),
    items: z.array(familyForecast).describe('By pool in the order of the file, IPv4 first.'),
  })
  .describe(
    'What GET /api/v1/forecasts of leasehold serve answers.',
  ) satisfies z.ZodType<Forecasts>;
