import * as z from 'zod';
import type { AddressMap } from './address-map-answer.ts';

const decimal = z.string().regex(/^(0|[1-9]\d*)$/);

const counts = {
  held: z.int().min(0),
  retained: z.int().min(0),
  reserved: decimal.describe('Reserved, or left out by avoidBuggyIPs.'),
  free: decimal,
};

/** What `leasehold map -o json` prints. */
export const addressMapSchema = z
  .strictObject({
    apiVersion: z.literal('leasehold.dev/v1'),
    kind: z.literal('AddressMap'),
    day: z.string().describe('The day on which that many are retained, UTC.'),
    pool: z.string(),
    zone: z.string(),
    ranges: z
      .array(
        z.strictObject({
          range: z.string(),
          family: z.enum(['ipv4', 'ipv6']),
          step: decimal.describe('How many addresses a cell has.'),
          sparse: z.boolean().describe('True when cells that are not in use are left out.'),
          all: z.strictObject(counts).describe('Of the whole range, shown or not.'),
          cells: z.array(z.strictObject({ from: z.string(), to: z.string(), ...counts })),
        }),
      )
      .describe('In numeric order, IPv4 first.'),
  })
  .describe('What leasehold map -o json prints.') satisfies z.ZodType<AddressMap>;
