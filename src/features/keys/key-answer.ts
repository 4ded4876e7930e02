import * as z from 'zod';
import { type Answer, answeredDay, answeredState, apiVersion } from '../../core/text/answer.ts';

const head = {
  ...answeredState,
  key: z.string().describe('The key, as namespace/name.'),
};
const files = z.array(z.string()).describe('The files that were written.');
const generation = z
  .int()
  .min(0)
  .describe('How often the address has changed its holder or its key by signature.');

/** The output of `leasehold key new -o json`. */
export const newKeySchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('NewKey'),
    ...head,
    files,
    secret: z
      .string()
      .exactOptional()
      .describe('The new secret, printed only once; absent with --out and --secret-file.'),
  })
  .describe('The output of leasehold key new -o json.');

export type NewKey = Answer<typeof newKeySchema>;

/** An address that has a key. */
const keyedAddress = z.strictObject({
  address: z.string(),
  state: z.enum(['held', 'released']),
  freeFrom: answeredDay
    .exactOptional()
    .describe('After release: the first day the address is free, UTC.'),
  since: answeredDay.describe('The day the address was allocated to the holder, UTC.'),
  generation,
  holder: z.string().describe('The holder of the address; after release, the last one.'),
});
export type KeyedAddress = Answer<typeof keyedAddress>;

/** The output of `leasehold key show -o json`. */
export const keyUsageSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('KeyUsage'),
    ...head,
    publicKey: z.string(),
    namedBy: z
      .array(
        z.strictObject({
          service: z.string().describe('service/<namespace>/<name>.'),
          file: z.string().describe('The file of the declaration.'),
        }),
      )
      .describe('The Services and Reservations that name the key, in the order of their files.'),
    addresses: z.array(keyedAddress).describe('The addresses that have the key, IPv4 first.'),
  })
  .describe('The output of leasehold key show -o json.');

export type KeyUsage = Answer<typeof keyUsageSchema>;

/** The output of `leasehold key sign -o json`. */
export const keySignatureSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('KeySignature'),
    ...head,
    action: z
      .enum(['reclaim', 'rotate'])
      .describe('reclaim: another holder gets the address; rotate: it gets another key.'),
    address: z.string(),
    holder: z.string().describe('The holder of the address after the change.'),
    generation: generation.describe('The generation of the record that the signature is for.'),
    newKey: z
      .string()
      .exactOptional()
      .describe('The key of the address after the change, as namespace/name; absent for none.'),
    signature: z.string(),
  })
  .describe('The output of leasehold key sign -o json.');

export type KeySignature = Answer<typeof keySignatureSchema>;

/** The output of `leasehold key rotate -o json`. */
export const keyRotationSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('KeyRotation'),
    ...head,
    files,
    signed: z.array(z.string()).describe('The addresses that get the new key with the next synth.'),
    kept: z.array(z.string()).describe('Released addresses that keep the old key.'),
  })
  .describe('The output of leasehold key rotate -o json.');

export type KeyRotation = Answer<typeof keyRotationSchema>;
