import * as z from 'zod';
import { type Claim, declarerText } from '../../model/claim.ts';
import { type Answer, apiVersion } from '../../text/answer.ts';

/** A claim that loses the address it stands on, or goes to another one. */
const claim = z.strictObject({
  declarer: z.string().describe('owner/dseq/gseq/oseq/provider, or service/<namespace>/<name>.'),
  cluster: z.string(),
  service: z.string(),
  externalPort: z.int().min(1).max(65535).describe('The port on the address.'),
  protocol: z.string(),
  file: z.string().describe('file:line of the declaration.'),
});
export type CutClaim = Answer<typeof claim>;

const freeFrom = z.string().describe('The first day anyone may get the address, UTC.');

/** One address that its holder goes from, and the one it goes to. */
const movedAddress = z.strictObject({
  holder: z.string(),
  from: z.string(),
  to: z.string(),
  pool: z.string().describe('The pool of the new address.'),
  freeFrom: freeFrom.describe('The first day anyone may get the old address, UTC.'),
  claims: z.array(claim).describe('All that stands on it: cut, and served again there.'),
});
export type MovedAddress = Answer<typeof movedAddress>;

/** What `leasehold move -o json` prints. */
export const moveSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Move'),
    moved: z.array(movedAddress).describe('By the old address, IPv4 first.'),
  })
  .describe('What leasehold move -o json prints.');

export type MoveAnswer = Answer<typeof moveSchema>;

/** An address that a release gave up. */
const givenUpAddress = z.strictObject({ address: z.string(), holder: z.string(), freeFrom });
export type GivenUpAddress = Answer<typeof givenUpAddress>;

/** What `leasehold release -o json` prints. */
export const releaseSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Release'),
    claims: z.array(claim).describe('What is declared no more.'),
    released: z
      .array(givenUpAddress)
      .describe('By address, IPv4 first; an address that other claims stand on stays.'),
    edited: z.array(z.string()).describe('Declarations that lost some of their claims.'),
    removed: z.array(z.string()).describe('Declarations that are gone.'),
  })
  .describe('What leasehold release -o json prints.');

export type ReleaseAnswer = Answer<typeof releaseSchema>;

/** What `leasehold pin -o json` prints. */
export const pinSchema = z
  .strictObject({
    apiVersion,
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
  .describe('What leasehold pin -o json prints.');

export type PinAnswer = Answer<typeof pinSchema>;

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

/** A claim as the answers of `move` and `release` show it. */
export function cutClaim(claim: Claim): CutClaim {
  const { cluster, service, externalPort, protocol, at } = claim;
  const file = `${at.file}:${at.line}`;
  return { declarer: declarerText(claim), cluster, service, externalPort, protocol, file };
}
