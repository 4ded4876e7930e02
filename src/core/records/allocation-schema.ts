import * as z from 'zod';
import { longestPoolRetention } from '../model/pools.ts';
import { address, calendarDay, dnsLabel, holderPattern } from '../text/common-fields.ts';

const day = calendarDay('ALLOCATION_INVALID');

/** An Ed25519 public key in base64url, without padding. */
export const publicKeyPattern = '[A-Za-z0-9_-]{43}';

/** The mark of `--allow-release` in the record of a release. */
export const releaseConfirmed = z
  .literal(true)
  .optional()
  .describe('A person confirmed with --allow-release that this and many others are released.');

/** A file under `leases/allocations/`: the record of one address. */
export const allocationSchema = z
  .strictObject({
    apiVersion: z.literal('leasehold.dev/v1'),
    kind: z.literal('Allocation'),
    address: address.describe('The address, canonical; the file is named after it.'),
    pool: dnsLabel.describe('The declared pool that the address was allocated from.'),
    holder: z
      .string()
      .max(320)
      .regex(
        new RegExp(`^${holderPattern}$`),
        'expected a holder: <cluster>/akash/<owner>-ip-<endpoint>, <cluster>/service/<namespace>/<name>, <cluster>/shared/<namespace>/<key> or anycast/<name>',
      )
      .describe('The holder; after release, the last one.'),
    since: day.describe('The day the holder got the address, UTC.'),
    retain: z
      .int()
      .min(0)
      .max(longestPoolRetention)
      .describe('Whole days that the address is kept after release.'),
    keepUntil: day
      .optional()
      .describe(
        'The address is not free before this day: the retention of a claim that left while others stayed.',
      ),
    key: z
      .string()
      .regex(
        new RegExp(`^${publicKeyPattern}$`),
        'expected a public key: 43 characters of base64url',
      )
      .optional()
      .describe(
        "The owner's public key. Another holder needs a signature of it to get the address.",
      ),
    generation: z
      .int()
      .min(1)
      .max(999_999_999)
      .optional()
      .describe('How often a signature changed the holder or the key.'),
    shared: z
      .literal(true)
      .optional()
      .describe('The address has a key and is used by more than one Service.'),
    promised: z
      .literal(true)
      .optional()
      .describe('The holder has a promise of the address, and no lease.'),
    movedFrom: address
      .optional()
      .describe('The address that the holder had before leasehold move gave it this one.'),
    released: z
      .strictObject({
        on: day.describe('The day of the release, UTC.'),
        freeFrom: day.describe('The first day on which any holder can get the address, UTC.'),
        confirmed: releaseConfirmed,
      })
      .optional()
      .describe('Present once the address is released.'),
  })
  .describe('An allocation file of leasehold. Only leasehold writes these.');
