import * as z from 'zod';
import { type Answer, answeredDay, answeredState, apiVersion } from '../../core/text/answer.ts';

const provenHostname = z.strictObject({
  hostname: z.string(),
  holder: z.string(),
  state: z
    .enum(['proven', 'unproven', 'unanswered'])
    .describe('unanswered: the DNS gave no answer for a name, and no other one proves it.'),
  required: z.boolean().describe('Whether the pool file requires the proof.'),
  domain: z.string().exactOptional().describe('The domain whose TXT record names the holder.'),
  checked: answeredDay
    .exactOptional()
    .describe('The day on which the TXT record was last seen, UTC.'),
});

/** A declared hostname, and whether its holder has proven its domain. */
export type ProvenHostname = Answer<typeof provenHostname>;

/** The output of `leasehold prove -o json`. */
export const hostnameProofsSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('HostnameProofs'),
    ...answeredState,
    items: z.array(provenHostname).describe('By hostname.'),
    files: z.array(z.string()).describe('The files that were written.'),
  })
  .describe('The output of leasehold prove -o json.');

export type HostnameProofs = Answer<typeof hostnameProofsSchema>;

/** The output of `leasehold prove --check -o json`. */
export const proofCheckSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('ProofCheck'),
    ...answeredState,
    checked: z.int().min(0).describe('The number of proofs that were looked up; all hold.'),
  })
  .describe('The output of leasehold prove --check -o json.');

export type ProofCheck = Answer<typeof proofCheckSchema>;
