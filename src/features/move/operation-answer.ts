import * as z from 'zod';
import { type Claim, declarerText } from '../../core/model/claim.ts';
import { lastingLayouts, layouts } from '../../core/model/planes.ts';
import {
  type Answer,
  answeredState,
  answeredWithheld,
  apiVersion,
} from '../../core/text/answer.ts';

/** A claim that loses its address or moves to another one. */
const claim = z.strictObject({
  declarer: z
    .string()
    .describe(
      'owner/dseq/gseq/oseq/provider, service/<namespace>/<name>, or promise/<owner>/<endpoint>.',
    ),
  cluster: z.string(),
  service: z.string(),
  externalPort: z.int().min(1).max(65535).describe('The port on the address.'),
  protocol: z.string(),
  file: z.string().describe('file:line of the declaration.'),
});
export type CutClaim = Answer<typeof claim>;

const freeFrom = z.string().describe('The first day anyone may get it, UTC.');

/** The old and the new address of a moved holder. */
const movedAddress = z.strictObject({
  holder: z.string(),
  from: z.string(),
  to: z.string(),
  pool: z.string().describe('The pool of the new address.'),
  freeFrom: freeFrom.describe('The first day anyone may get the old address, UTC.'),
  withheld: answeredWithheld,
  claims: z
    .array(claim)
    .describe('All claims of the old address. They are served again on the new one.'),
});
export type MovedAddress = Answer<typeof movedAddress>;

/** The old and the new lease of a moved hostname. */
const movedHostname = z.strictObject({
  hostname: z.string(),
  holder: z.string(),
  from: z.string().describe('owner/dseq/gseq/oseq.'),
  to: z.string().describe('owner/dseq/gseq/oseq.'),
});

/** The output of `leasehold move -o json`. */
export const moveSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Move'),
    ...answeredState,
    moved: z.array(movedAddress).describe('By the old address, IPv4 first.'),
    hostnames: z.array(movedHostname).describe('Hostnames with another lease, by name.'),
    edited: z
      .array(z.string())
      .describe('Declarations whose pins or hostnames were rewritten, or that were removed.'),
  })
  .describe('The output of leasehold move -o json.');

export type MoveAnswer = Answer<typeof moveSchema>;

const ofReleased = { holder: z.string().describe('Its last holder.'), freeFrom };

/** An address that a command released. */
const releasedAddress = z.strictObject({
  address: z.string(),
  ...ofReleased,
  withheld: answeredWithheld,
});
export type ReleasedAddress = Answer<typeof releasedAddress>;

/** A hostname that a command released. */
const releasedHostname = z.strictObject({ hostname: z.string(), ...ofReleased });

/** The output of `leasehold release -o json`. */
export const releaseSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Release'),
    ...answeredState,
    claims: z.array(claim).describe('Claims that are no longer declared.'),
    released: z
      .array(z.union([releasedAddress, releasedHostname]))
      .describe('Addresses that no other claim uses, IPv4 first, then hostnames by name.'),
    edited: z.array(z.string()).describe('Declarations that lost some of their claims.'),
    removed: z.array(z.string()).describe('Declarations that were removed.'),
    stillRouted: z
      .array(
        z.strictObject({
          hostname: z.string(),
          routedTo: z.string().describe('namespace/name:port of the Service.'),
        }),
      )
      .describe('Hostnames that are routed to a Service that was removed, by name.'),
    skipped: z
      .array(
        z.strictObject({
          declarer: z.string().describe('service/<namespace>/<name>'),
          file: z.string().describe('The file of the declaration.'),
        }),
      )
      .describe('With --cluster: declarations with deny-external-cleanup, which stay, by file.'),
  })
  .describe('The output of leasehold release -o json.');

export type ReleaseAnswer = Answer<typeof releaseSchema>;

/** The output of `leasehold pin -o json`. */
export const pinSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Pin'),
    ...answeredState,
    pinned: z
      .array(
        z.strictObject({
          address: z.string(),
          holder: z.string(),
          places: z
            .array(z.string())
            .describe('file:line of each pin; empty when no declaration has a free field.'),
        }),
      )
      .describe('By address, IPv4 first.'),
    edited: z.array(z.string()).describe('Declarations that were edited.'),
  })
  .describe('The output of leasehold pin -o json.');

export type PinAnswer = Answer<typeof pinSchema>;

/** The output of `leasehold migrate-layout -o json`. */
export const layoutMigrationSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('LayoutMigration'),
    ...answeredState,
    cluster: z.string().describe("The cluster's name."),
    from: z.enum(layouts).describe('The layout before this step.'),
    to: z.enum(layouts).describe('The layout after it; both until the last step.'),
    target: z.enum(lastingLayouts).describe('The layout after the last step.'),
  })
  .describe('The output of leasehold migrate-layout -o json.');

export type LayoutMigration = Answer<typeof layoutMigrationSchema>;

/** A claim in the form of the answers of `move` and `release`. */
export function cutClaim(claim: Claim): CutClaim {
  const { cluster, service, externalPort, protocol, at } = claim;
  const file = `${at.file}:${at.line}`;
  return { declarer: declarerText(claim), cluster, service, externalPort, protocol, file };
}
