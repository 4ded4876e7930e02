import * as z from 'zod';
import { bothFamilies } from '../../core/net/address.ts';
import { type Answer, addressCount, answeredDay, apiVersion } from '../../core/text/answer.ts';

/** The number of addresses in use from a day until the next point. */
const usePoint = z.strictObject({
  day: answeredDay,
  held: addressCount,
  retained: addressCount,
});
export type UsePoint = Answer<typeof usePoint>;

/**
 * The forecast for a family of a pool:
 *
 * - `exhausted`: nothing is free now.
 * - `exhausts`: at the growth of the window, nothing is free from the day `exhausted` on.
 * - `lasts`: use shrinks, is constant, or grows so slowly that it lasts for more than ten years.
 * - `unknown`: there is too little history for a forecast.
 */
export const outlooks = ['exhausted', 'exhausts', 'lasts', 'unknown'] as const;

/** The past use of a family of a pool, and the forecast. */
const familyForecast = z.strictObject({
  pool: z.string(),
  zone: z.string(),
  family: z.enum(bothFamilies),
  free: addressCount,
  points: z
    .array(usePoint)
    .describe('A point for each day on which a count changed, oldest first.'),
  window: z
    .strictObject({ from: answeredDay, to: answeredDay })
    .exactOptional()
    .describe('The days over which growth was measured.'),
  growth: z
    .string()
    .regex(/^-?\d+\.\d{3}$/)
    .exactOptional()
    .describe('Addresses per day, held and retained together.'),
  outlook: z.enum(outlooks),
  exhausted: answeredDay.exactOptional().describe('The first day on which nothing is free.'),
  reason: z.string().exactOptional().describe('A human-readable reason why there is no such day.'),
});

export type FamilyForecast = Answer<typeof familyForecast>;

export const forecastsSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Forecasts'),
    day: answeredDay,
    ref: z.string().describe('The ref whose history was read.'),
    commit: z.string(),
    shallow: z.boolean().describe('True when the clone lacks older commits.'),
    items: z.array(familyForecast).describe('In the order of the pool file, IPv4 first.'),
  })
  .describe('The answer of GET /api/v1/forecasts of leasehold serve.');
export type Forecasts = Answer<typeof forecastsSchema>;
