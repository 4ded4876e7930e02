import * as z from 'zod';
import type { MoveAnswer, PinAnswer, ReleaseAnswer } from './operation-answer.ts';

const claim = z.strictObject({
  declarer: z.string().describe('owner/dseq/gseq/oseq/provider, or service/<namespace>/<name>.'),
  cluster: z.string(),
  service: z.string(),
  externalPort: z.int().min(1).max(65535).describe('The port on the address.'),
  protocol: z.string(),
  file: z.string().describe('file:line of the declaration.'),
});

const freeFrom = z.string().describe('The first day anyone may get the address, UTC.');

/** What `leasehold move -o json` prints. */
export const moveSchema = z
  .strictObject({
    apiVersion: z.literal('leasehold.dev/v1'),
    kind: z.literal('Move'),
    moved: z
      .array(
        z.strictObject({
          holder: z.string(),
          from: z.string(),
          to: z.string(),
          pool: z.string().describe('The pool of the new address.'),
          freeFrom: freeFrom.describe('The first day anyone may get the old address, UTC.'),
          claims: z.array(claim).describe('All that stands on it: cut, and served again there.'),
        }),
      )
      .describe('By the old address, IPv4 first.'),
  })
  .describe('What leasehold move -o json prints.') satisfies z.ZodType<MoveAnswer, MoveAnswer>;

/** What `leasehold release -o json` prints. */
export const releaseSchema = z
  .strictObject({
    apiVersion: z.literal('leasehold.dev/v1'),
    kind: z.literal('Release'),
    claims: z.array(claim).describe('What is declared no more.'),
    released: z
      .array(z.strictObject({ address: z.string(), holder: z.string(), freeFrom }))
      .describe('By address, IPv4 first; an address that other claims stand on stays.'),
    edited: z.array(z.string()).describe('Declarations that lost some of their claims.'),
    removed: z.array(z.string()).describe('Declarations that are gone.'),
  })
  .describe('What leasehold release -o json prints.') satisfies z.ZodType<
  ReleaseAnswer,
  ReleaseAnswer
>;

/** What `leasehold pin -o json` prints. */
export const pinSchema = z
  .strictObject({
    apiVersion: z.literal('leasehold.dev/v1'),
    kind: z.literal('Pin'),
    pinned: z
      .array(
        z.strictObject({
          address: z.string(),
          holder: z.string(),
          places: z
            .array(z.string())
            .describe('file:line of each pin; none where no field is left for it.'),
        }),
      )
      .describe('By address, IPv4 first.'),
    edited: z.array(z.string()).describe('Declarations that were edited.'),
  })
  .describe('What leasehold pin -o json prints.') satisfies z.ZodType<PinAnswer, PinAnswer>;
