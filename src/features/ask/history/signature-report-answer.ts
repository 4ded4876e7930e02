import * as z from 'zod';
import type { FaultyCommit, SignatureReport } from '../../../core/interfaces/commit-log.ts';
import {
  type Answer,
  answeredCount,
  answeredDay,
  answeredTime,
  apiVersion,
} from '../../../core/text/answer.ts';

const faultyCommit = z.strictObject({
  commit: z.string().describe('The full object name.'),
  at: answeredTime,
  author: z.string().describe('The author that the commit names.'),
  subject: z.string(),
  fault: z.string().describe('Why the commit does not pass.'),
  key: z.string().exactOptional().describe('The fingerprint of an unknown key.'),
  signer: z.string().exactOptional().describe('Who signed in place of the missing ones.'),
  missing: z.array(z.string()).exactOptional().describe('Whose signature is missing.'),
});

export const signatureReportSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('SignatureReport'),
    day: answeredDay.describe('The day of the answer.'),
    commit: z.string().describe('The newest verified commit.'),
    commits: answeredCount.describe('The number of commits that touch leases/ or dist/.'),
    signed: answeredCount.describe('How many an allowed signer signed.'),
    passed: answeredCount.describe('How many passed as clean merges.'),
    faulty: z.array(faultyCommit).describe('The others, newest first.'),
  })
  .describe('The output of leasehold verify-history -o json.');

type SignatureReportAnswer = Answer<typeof signatureReportSchema>;

/** The answer for a report on the commits up to `commit`. */
export function signatureReportOf(
  { commits, faulty, passed }: SignatureReport,
  { day, commit }: { readonly day: string; readonly commit: string },
): SignatureReportAnswer {
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'SignatureReport',
    day,
    commit,
    commits,
    signed: commits - faulty.length - passed,
    passed,
    faulty: faulty.map((one: FaultyCommit) => ({ ...one })),
  };
}
