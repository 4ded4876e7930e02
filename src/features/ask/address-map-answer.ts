import * as z from 'zod';
import { type Answer, apiVersion, decimalCount } from '../../text/answer.ts';

/** What stands on addresses. */
const counts = {
  held: z.int().min(0),
  retained: z.int().min(0),
  reserved: decimalCount.describe('Reserved, or left out by avoidBuggyIPs.'),
  free: decimalCount,
};

const mapCounts = z.strictObject(counts);
export type MapCounts = Answer<typeof mapCounts>;

/** Addresses that follow each other, counted together. */
const cell = z.strictObject({ from: z.string(), to: z.string(), ...counts });
export type MapCell = Answer<typeof cell>;

/** A declared range as cells of one size. */
const range = z.strictObject({
  range: z.string(),
  family: z.enum(['ipv4', 'ipv6']),
  step: decimalCount.describe('How many addresses a cell has.'),
  sparse: z.boolean().describe('True when cells that are not in use are left out.'),
  all: mapCounts.describe('Of the whole range, shown or not.'),
  cells: z.array(cell),
});
export type MapRange = Answer<typeof range>;

/** What `leasehold map -o json` prints. */
export const addressMapSchema = z
  .strictObject({
    apiVersion: apiVersion,
    kind: z.literal('AddressMap'),
    day: z.string().describe('The day on which that many are retained, UTC.'),
    pool: z.string(),
    zone: z.string(),
    ranges: z.array(range).describe('In numeric order, IPv4 first.'),
  })
  .describe('What leasehold map -o json prints.');

export type AddressMap = Answer<typeof addressMapSchema>;
