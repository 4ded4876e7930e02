import * as z from 'zod';
import { type Answer, apiVersion } from '../../text/answer.ts';

/** One claim of a bot's answer. */
const claim = z.strictObject({
  endpoint: z.string().describe("The tenant's IP endpoint."),
  service: z.string(),
  externalPort: z.int().min(1).max(65535).describe('The port on the address.'),
  protocol: z.enum(['TCP', 'UDP']),
});
export type AnsweredClaim = Answer<typeof claim>;

const commit = z.string().describe("The branch's new head.");

/** What `leasehold declare -o json` prints. */
export const declarationSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Declaration'),
    lease: z.string().describe('owner/dseq/gseq/oseq/provider.'),
    cluster: z.string(),
    holder: z.string().describe('Who has the addresses.'),
    addresses: z.array(z.string()).min(1).max(2).describe('IPv4 first.'),
    claim,
    file: z.string().describe("The declaration's file."),
    takenFrom: z
      .string()
      .exactOptional()
      .describe('With --overwrite: the lease that had the claim.'),
    commit: commit.exactOptional(),
  })
  .describe('What leasehold declare -o json prints.');

export type Declaration = Answer<typeof declarationSchema>;

/** An address that a purge released. */
const released = z.strictObject({
  address: z.string(),
  holder: z.string().describe('Who had it.'),
  freeFrom: z.string().describe('The first day anyone may get it, UTC.'),
});
export type ReleasedAddress = Answer<typeof released>;

/** What `leasehold purge -o json` prints. */
export const purgeSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Purge'),
    lease: z.string().describe('owner/dseq/gseq/oseq, as asked.'),
    claims: z.array(claim).describe('What is declared no more; none when nothing of it was.'),
    released: z.array(released).describe('Addresses that nobody else stands on, IPv4 first.'),
    commit: commit.exactOptional(),
  })
  .describe('What leasehold purge -o json prints.');

export type Purge = Answer<typeof purgeSchema>;
