import * as z from 'zod';
import {
  type Answer,
  answeredDay,
  answeredPublicAddresses,
  apiVersion,
} from '../../core/text/answer.ts';

/** A claim in the answer of a bot command. */
const claim = z.strictObject({
  endpoint: z.string().describe("The tenant's IP endpoint."),
  service: z.string(),
  externalPort: z.int().min(1).max(65535).describe('The port on the address.'),
  protocol: z.enum(['TCP', 'UDP']),
});
export type AnsweredClaim = Answer<typeof claim>;

const botDay = answeredDay.describe('The day of the run, UTC, as YYYY-MM-DD.');
const commit = z
  .string()
  .describe(
    "The branch's new head, which the answer is about; absent when nothing was to be done.",
  );

/** The output of `leasehold declare -o json`. */
export const declarationSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Declaration'),
    day: botDay,
    lease: z
      .string()
      .exactOptional()
      .describe('owner/dseq/gseq/oseq/provider; absent with --promise.'),
    cluster: z.string(),
    holder: z.string().describe('The holder of the addresses.'),
    addresses: z.array(z.string()).min(1).max(2).describe('IPv4 first.'),
    publicAddresses: answeredPublicAddresses,
    claim: claim.exactOptional().describe('Absent with --promise.'),
    promisedUntil: answeredDay
      .exactOptional()
      .describe('With --promise: the last day; absent when a lease has the addresses.'),
    file: z.string().describe("The declaration's file."),
    takenFrom: z
      .string()
      .exactOptional()
      .describe('With --overwrite: the lease that the claim was taken from.'),
    commit: commit.exactOptional(),
  })
  .describe('The output of leasehold declare -o json.');

export type DeclareAnswer = Answer<typeof declarationSchema>;

const ofReleased = {
  holder: z.string().describe('Its last holder.'),
  freeFrom: z.string().describe('The first day anyone may get it, UTC.'),
};

/** An address that a purge released. */
const released = z.strictObject({ address: z.string(), ...ofReleased });
export type PurgedAddress = Answer<typeof released>;

/** A hostname that a purge released. */
const releasedHostname = z.strictObject({ hostname: z.string(), ...ofReleased });

/** The output of `leasehold purge -o json`. */
export const purgeSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Purge'),
    day: botDay,
    lease: z.string().describe('owner/dseq/gseq/oseq, as asked.'),
    claims: z.array(claim).describe('Removed claims; empty when none matched.'),
    released: z
      .array(z.union([released, releasedHostname]))
      .describe(
        'Addresses that no other claim uses, IPv4 first, then the hostnames of a whole lease.',
      ),
    commit: commit.exactOptional(),
  })
  .describe('The output of leasehold purge -o json.');

export type PurgeAnswer = Answer<typeof purgeSchema>;

/** The branch of a cluster after `publish`. */
const publishedBranch = z.strictObject({
  cluster: z.string(),
  branch: z.string(),
  result: z
    .enum(['pushed', 'unchanged', 'refused'])
    .describe('unchanged: it has these manifests already. refused: it is left alone.'),
  commit: commit.exactOptional(),
  reason: z.string().exactOptional().describe('With refused: why.'),
});
export type PublishedBranch = Answer<typeof publishedBranch>;

/** The output of `leasehold publish -o json`. */
export const publicationSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Publication'),
    day: botDay,
    commit: z.string().describe('The commit whose manifests are published.'),
    remote: z.string().describe('The remote that has the branches.'),
    branches: z.array(publishedBranch).describe('In the order of leases/pools.yaml.'),
  })
  .describe('The output of leasehold publish -o json.');

export type Publication = Answer<typeof publicationSchema>;
