import * as z from 'zod';
import { formatAddress } from '../../core/net/address.ts';
import { type Run, runFields } from '../../core/run/synth/run-answer.ts';
import { type Answer, apiVersion } from '../../core/text/answer.ts';
import type { Reassignment, ResolvedSummary } from './reassigned.ts';

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
    displaced: z
      .array(reassignment)
      .describe('Those of the kept side that could not keep their address, such as beside a pin.'),
    joined: z
      .array(z.string())
      .describe('The declarations into which the edits of both sides were joined.'),
    dropped: z
      .array(z.string())
      .describe('The edits of a side that the declarations lack, each as a sentence.'),
    next: z.string().exactOptional().describe('The next command, if there is one.'),
  })
  .describe('The output of leasehold resolve -o json.');

export type Resolution = Answer<typeof resolutionSchema>;

/** The answer for a resolved merge and the counts of its run. */
export function resolutionOf(
  { kept, reassigned, displaced, joined, dropped, next }: ResolvedSummary,
  run: Omit<Run, 'apiVersion' | 'kind'>,
): Resolution {
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Resolution',
    ...run,
    kept,
    reassigned: reassigned.map(answered),
    displaced: displaced.map(answered),
    joined,
    dropped,
    ...(next === undefined ? {} : { next }),
  };
}

function answered({ holder, from, to }: Reassignment): z.output<typeof reassignment> {
  return { holder, from: formatAddress(from), to: formatAddress(to) };
}
