import * as z from 'zod';
import { formatAddress } from '../../net/address.ts';
import { type Answer, apiVersion } from '../../text/answer.ts';
import { type Run, runFields } from '../synth/run-answer.ts';
import type { ResolvedSummary } from './reassigned.ts';

const reassignment = z.strictObject({
  holder: z.string(),
  from: z.string().describe('The address on its own side of the merge.'),
  to: z.string().describe('The address after the merge.'),
});

export const resolutionSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Resolution'),
    ...runFields,
    kept: z.string().describe('The side that keeps its addresses, such as HEAD or a ref.'),
    reassigned: z.array(reassignment).describe('By the former address.'),
    next: z.string().exactOptional().describe('The next command, if there is one.'),
  })
  .describe('The output of leasehold resolve -o json.');

export type Resolution = Answer<typeof resolutionSchema>;

/** The answer for a resolved merge and the counts of its run. */
export function resolutionOf(
  { kept, reassigned, next }: ResolvedSummary,
  run: Omit<Run, 'apiVersion' | 'kind'>,
): Resolution {
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Resolution',
    ...run,
    kept,
    reassigned: reassigned.map(({ holder, from, to }) => ({
      holder,
      from: formatAddress(from),
      to: formatAddress(to),
    })),
    ...(next === undefined ? {} : { next }),
  };
}
