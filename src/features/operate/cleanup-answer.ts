import * as z from 'zod';
import { type Answer, apiVersion } from '../../text/answer.ts';

/** A declaration that a cleanup met. */
const declaration = z.strictObject({
  declarer: z.string().describe('owner/dseq/gseq/oseq/provider, or service/<namespace>/<name>.'),
  file: z.string().describe('The file of the declaration.'),
});
export type CleanedDeclaration = Answer<typeof declaration>;

/** What `leasehold cleanup -o json` prints. */
export const cleanupSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Cleanup'),
    cluster: z.string().describe("The cluster's name, also where its id was asked for."),
    ended: z.array(declaration).describe('What is declared no more, by file.'),
    skipped: z.array(declaration).describe('What says deny-external-cleanup, and stays, by file.'),
    released: z
      .array(
        z.strictObject({
          address: z.string(),
          holder: z.string().describe('Who had it.'),
          freeFrom: z.string().describe('The first day anyone may get it, UTC.'),
        }),
      )
      .describe('Addresses that nobody stands on any more, IPv4 first.'),
  })
  .describe('What leasehold cleanup -o json prints.');

export type Cleanup = Answer<typeof cleanupSchema>;
