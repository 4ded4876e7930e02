import * as z from 'zod';
import { listClaimSchema } from '../ask/list-schema.ts';
import { claimStates, type Verification } from './verification.ts';

const object = z.string().describe('Kind, namespace and name, such as Service web/app.');

const detail = z.strictObject({
  state: z.enum(claimStates).exclude(['ok']),
  object,
  message: z.string(),
  field: z
    .string()
    .exactOptional()
    .describe('With changed by hand: such as spec.ports[80/TCP].targetPort.'),
  wanted: z.unknown().optional().describe('What the manifest has there; absent when nothing.'),
  found: z.unknown().optional().describe('What the cluster has there; absent when nothing.'),
});

const claim = z.strictObject({
  holder: z.string(),
  ...listClaimSchema.shape,
  addresses: z
    .array(z.string())
    .min(1)
    .max(2)
    .describe('What its Service should have, IPv4 first.'),
  object: object.describe('Its Service.'),
  state: z.enum(claimStates),
  details: z.array(detail).describe('The worst first; none when it is ok.'),
});

const other = z.strictObject({
  object,
  state: z.enum(['not applied', 'changed by hand', 'left over', 'kept']),
  details: z.array(
    z.union([
      detail,
      z
        .strictObject({ state: z.literal('left over'), object, message: z.string() })
        .describe('That it is being deleted already.'),
    ]),
  ),
});

const finding = z.strictObject({
  object: z.string().describe('What it was found in.'),
  message: z.string(),
  hint: z.string(),
});

const count = z.int().min(1).exactOptional();

/** What `leasehold verify -o json` prints. */
export const verificationSchema = z
  .strictObject({
    apiVersion: z.literal('leasehold.dev/v1'),
    kind: z.literal('Verification'),
    cluster: z.string().describe('As leases/pools.yaml names it.'),
    asked: z.string().describe('The context and the server that were asked.'),
    ok: z.boolean().describe('True when the exit status is 0.'),
    counts: z
      .strictObject({
        ok: z.int().min(0),
        pending: count,
        'changed by hand': count,
        'wrong address': count,
        'not ours': count,
        'not applied': count,
        'left over': count,
        kept: count,
        'cluster problem': count,
      })
      .describe('How many lines there are of each state.'),
    claims: z.array(claim).describe('Sorted by holder.'),
    objects: z
      .array(other)
      .describe('Objects that belong to no claim, and are not as they should be.'),
    findings: z.array(finding).describe('What in the cluster keeps leases from working.'),
    openPools: z
      .array(
        z.strictObject({
          pool: z.string(),
          services: z
            .array(z.strictObject({ object, addresses: z.array(z.string()), message: z.string() }))
            .describe('Live Services that would lose their addresses if it were closed.'),
        }),
      )
      .describe('The declared pools with fence: open.'),
    notes: z.array(z.string()).describe('What could not be looked at, and need not be.'),
  })
  .describe('What leasehold verify -o json prints.') satisfies z.ZodType<Verification>;
