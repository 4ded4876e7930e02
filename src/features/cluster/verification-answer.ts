import * as z from 'zod';
import { type Answer, apiVersion } from '../../text/answer.ts';
import { listClaimSchema } from '../ask/list-answer.ts';

/**
 * What a live cluster makes of a claim, the worst first; a claim whose details are of several has the
 * first of them here.
 *
 * - `not applied`: an object that it needs is not there, or is being deleted.
 * - `not ours`: another Service has its address.
 * - `wrong address`: its Service has another address, or one too few or too many.
 * - `changed by hand`: an object that it needs differs from its manifest.
 * - `pending`: MetalLB has given its Service no address yet.
 */
export const claimStates = [
  'not applied',
  'not ours',
  'wrong address',
  'changed by hand',
  'pending',
  'ok',
] as const;

/** A state of {@link claimStates}. */
export type ClaimState = (typeof claimStates)[number];

/** One thing that is not as the tree says, about one object. */
export interface Detail<State = Exclude<ClaimState, 'ok'>> {
  readonly state: State;
  /** Kind, namespace and name, such as `Service web/app`. */
  readonly object: string;
  /** What is said of the object, without its name and a trailing period. */
  readonly message: string;
  /** With `changed by hand`: the field, and its values; one that is not there is left out. */
  readonly field?: string;
  readonly wanted?: unknown;
  readonly found?: unknown;
}

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

/** A claim, and what the cluster makes of it. Its details are in the order of {@link claimStates}. */
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
export type VerifiedClaim = Answer<typeof claim>;

/**
 * An object that belongs to no claim: one of `dist/` that is not as it should be, or one with the label
 * of leasehold that `dist/` does not have. Namespaces among those are `kept`: nobody prunes them. Of what is being
 * deleted already, a detail says so.
 */
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
export type VerifiedObject = Answer<typeof other>;

/** Something in the cluster that keeps leases from working, whosever it is. */
const finding = z.strictObject({
  object: z.string().describe('What it was found in.'),
  message: z.string(),
  hint: z.string(),
});
export type ClusterFinding = Answer<typeof finding>;

const count = z.int().min(1).exactOptional();

/** A live Service that a pool with an open fence serves, and would not serve if it were closed. */
const unfencedService = z.strictObject({
  object,
  addresses: z.array(z.string()),
  message: z.string(),
});
export type UnfencedService = Answer<typeof unfencedService>;

/** A declared pool with `fence: open`. With no such Service it can be closed. */
const openPool = z.strictObject({
  pool: z.string(),
  services: z
    .array(unfencedService)
    .describe('Live Services that would lose their addresses if it were closed.'),
});
export type OpenPool = Answer<typeof openPool>;

/** What `leasehold verify -o json` prints. */
export const verificationSchema = z
  .strictObject({
    apiVersion,
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
    openPools: z.array(openPool).describe('The declared pools with fence: open.'),
    notes: z.array(z.string()).describe('What could not be looked at, and need not be.'),
  })
  .describe('What leasehold verify -o json prints.');
/** How a live cluster compares with the tree: what `leasehold verify -o json` prints. */
export type Verification = Answer<typeof verificationSchema>;

/** A state of a line of {@link Verification}. */
export type VerifiedState = keyof Verification['counts'];
