import * as z from 'zod';

/** A key of `leases/keys/<namespace>/<name>.yaml`. */
export const keySchema = z
  .strictObject({
    apiVersion: z.literal('leasehold.dev/v1'),
    kind: z.literal('Key'),
    salt: z
      .string()
      .regex(/^[A-Za-z0-9_-]{21}[AQgw]$/, 'expected 16 bytes as 22 characters of base64url')
      .describe('What the secret is hashed with: 16 random bytes, base64url.'),
    publicKey: z
      .string()
      .regex(
        /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/,
        'expected 32 bytes as 43 characters of base64url',
      )
      .describe('The Ed25519 public key whose seed is scrypt of the secret, base64url.'),
  })
  .describe(
    'An ownership key of leasehold. leasehold key new writes it; the secret stays with its owner.',
  );

/** The id of a repository, `leases/keys/repository.yaml`. */
export const repositorySchema = z
  .strictObject({
    apiVersion: z.literal('leasehold.dev/v1'),
    kind: z.literal('Repository'),
    id: z
      .string()
      .regex(/^[0-9a-f]{32}$/, 'expected 32 hex digits in lower case')
      .describe('What signatures are made for, so that none counts in another repository.'),
  })
  .describe('The id of a repository of leasehold. leasehold key new writes it once.');
