import * as z from 'zod';
import { type Answer, answeredDay, apiVersion, decimalCount } from '../../../text/answer.ts';

/** How many addresses were in use from a day on, until the next point; `retained` are kept for their last holders. */
const usePoint = z.strictObject({
  day: answeredDay,
  held: z.int().min(0),
  retained: z.int().min(0),
});
export type UsePoint = Answer<typeof usePoint>;

/**
 * What is to be expected of a family of a pool:
 *
 * - `exhausted`: nothing is free now.
 * - `exhausts`: at the growth of the window nothing is free from `exhausted` on.
 * - `lasts`: use shrinks, stands, or grows so slowly that it lasts for more than ten years.
 * - `unknown`: there is too little history to say.
 */
export const outlooks = ['exhausted', 'exhausts', 'lasts', 'unknown'] as const;

/** How the use of a family of a pool went, and where it goes. */
const familyForecast = z.strictObject({
  pool: z.string(),
  zone: z.string(),
  family: z.enum(['ipv4', 'ipv6']),
  free: decimalCount,
  points: z
    .array(usePoint)
    .describe('A point for each day on which a count changed, the oldest first.'),
  window: z
    .strictObject({ from: answeredDay, to: answeredDay })
    .exactOptional()
    .describe('The days that growth was measured over.'),
  growth: z
    .string()
    .regex(/^-?\d+\.\d{3}$/)
    .exactOptional()
    .describe('Addresses a day, held and retained together.'),
  outlook: z.enum(outlooks),
  exhausted: answeredDay.exactOptional().describe('The first day on which nothing is free.'),
  reason: z.string().exactOptional().describe('Why there is no such day, for a person.'),
});

export type FamilyForecast = Answer<typeof familyForecast>;

/** What `GET /api/v1/forecasts` answers. */
export const forecastsSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Forecasts'),
    day: answeredDay,
    ref: z.string().describe('The ref whose history was read.'),
    commit: z.string(),
    shallow: z.boolean().describe('True when the clone lacks older commits.'),
    items: z.array(familyForecast).describe('By pool in the order of the file, IPv4 first.'),
  })
  .describe('What GET /api/v1/forecasts of leasehold serve answers.');
export type Forecasts = Answer<typeof forecastsSchema>;
