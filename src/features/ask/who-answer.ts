import * as z from 'zod';
import { type Answer, answeredDay, apiVersion } from '../../text/answer.ts';
import { listClaimSchema } from './list-answer.ts';

/**
 * How it stands with an address: somebody holds it; it is released and recorded for its last holder; it is free, and
 * nobody is recorded; it is never given out (reserved, or left out by `avoidBuggyIPs`); or no pool has it.
 */
const addressStates = ['held', 'released', 'free', 'reserved', 'in no pool'] as const;

/** One of {@link addressStates}. */
export type AddressState = (typeof addressStates)[number];

/** One address and who has it. */
const whoItem = z.strictObject({
  address: z.string().describe('In canonical form.'),
  state: z.enum(addressStates),
  pool: z.string().exactOptional(),
  zone: z.string().exactOptional(),
  holder: z.string().exactOptional().describe('Once released, who held it last.'),
  since: answeredDay.exactOptional().describe('The day the holder got it, UTC.'),
  released: z
    .strictObject({
      on: answeredDay,
      freeFrom: answeredDay.describe('The first day on which anyone may get it.'),
    })
    .exactOptional(),
  file: z.string().exactOptional().describe('Its allocation file.'),
  claims: z.array(listClaimSchema).describe('What stands on it.'),
});

export type WhoItem = Answer<typeof whoItem>;

/** What `leasehold who -o json` prints. */
export const whoSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Who'),
    asked: z.string().describe('What was asked for, as typed.'),
    items: z.array(whoItem).describe('By address, IPv4 first.'),
  })
  .describe('What leasehold who -o json prints.');

export type Who = Answer<typeof whoSchema>;
