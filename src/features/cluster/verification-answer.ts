import * as z from 'zod';
import { type Answer, answeredState, apiVersion, type Stateless } from '../../core/text/answer.ts';
import { listClaimSchema } from '../../lib/list/list-answer.ts';

/**
 * The state of a claim in a live cluster, the worst first. A claim whose details have several
 * states has the worst of them.
 *
 * - `not applied`: an object that it needs does not exist, or is being deleted.
 * - `not ours`: another Service has its address.
 * - `wrong address`: its Service has another address, or one too few or too many.
 * - `changed by hand`: an object that it needs differs from its manifest.
 * - `pending`: MetalLB has given its Service no address yet.
 * - `not announced`: its Service has its address, but no packet can arrive there.
 * - `not reachable`: it is announced, and a connection to it was refused or not answered.
 * - `no endpoints`: its Service has its address, but no ready pod, so MetalLB does not announce it.
 * - `unknown`: its Service has its address, and the cluster does not tell whether it is announced.
 */
export const claimStates = [
  'not applied',
  'not ours',
  'wrong address',
  'changed by hand',
  'pending',
  'not announced',
  'not reachable',
  'no endpoints',
  'unknown',
  'ok',
] as const;

/** A state of {@link claimStates}. */
export type ClaimState = (typeof claimStates)[number];

/** One difference between the cluster and the tree, in one object. */
export interface Detail<State = Exclude<ClaimState, 'ok'>> {
  readonly state: State;
  /** Kind, namespace and name, such as `Service web/app`. */
  readonly object: string;
  /** A predicate for the object, without its name and a trailing period. */
  readonly message: string;
  /** Advice that depends on the cluster. */
  readonly hint?: string;
  /** With `changed by hand`: the field and its values; a missing value is left out. */
  readonly field?: string;
  readonly wanted?: unknown;
  readonly found?: unknown;
}

const object = z.string().describe('Kind, namespace and name, such as Service web/app.');

const detail = z.strictObject({
  state: z.enum(claimStates).exclude(['ok']),
  object,
  message: z.string(),
  hint: z.string().exactOptional().describe('What to do, where that depends on the cluster.'),
  field: z
    .string()
    .exactOptional()
    .describe('With changed by hand: such as spec.ports[80/TCP].targetPort.'),
  wanted: z.unknown().optional().describe('What the manifest has there; absent when nothing.'),
  found: z.unknown().optional().describe('What the cluster has there; absent when nothing.'),
});

/** A claim and its state in the cluster. Details are in the order of {@link claimStates}. */
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
 * An object that belongs to no claim: one of `dist/` that is missing or changed, or one with the
 * label of leasehold that `dist/` does not have. Such a Namespace is `kept`, since engines do not
 * prune it. A detail reports an object that is already being deleted.
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

/** A problem of the cluster that keeps leases from working. */
const finding = z.strictObject({
  object: z.string().describe('The object with the problem.'),
  message: z.string(),
  hint: z.string(),
});
export type ClusterFinding = Answer<typeof finding>;

const count = z.int().min(1).exactOptional();

/** A live Service that a pool serves only because its fence is open. */
const unfencedService = z.strictObject({
  object,
  addresses: z.array(z.string()),
  message: z.string(),
});
export type UnfencedService = Answer<typeof unfencedService>;

/** A declared pool with `fence: open`. Without such Services it can be closed. */
const openPool = z.strictObject({
  pool: z.string(),
  services: z
    .array(unfencedService)
    .describe('Live Services that would lose their addresses if it were closed.'),
});
export type OpenPool = Answer<typeof openPool>;

/** The output of `leasehold verify -o json`. */
export const verificationSchema = z
  .strictObject({
    apiVersion,
    kind: z.literal('Verification'),
    ...answeredState,
    cluster: z.string().describe('Its name in leases/pools.yaml.'),
    asked: z.string().describe('The context and the server that were queried.'),
    ok: z.boolean().describe('True when the exit status is 0.'),
    counts: z
      .strictObject({
        ok: z.int().min(0),
        pending: count,
        'not announced': count,
        'not reachable': count,
        'no endpoints': count,
        unknown: count,
        'changed by hand': count,
        'wrong address': count,
        'not ours': count,
        'not applied': count,
        'left over': count,
        kept: count,
        'cluster problem': count,
      })
      .describe('The number of lines of each state.'),
    claims: z.array(claim).describe('Sorted by holder.'),
    objects: z.array(other).describe('Objects that belong to no claim and differ from dist/.'),
    findings: z.array(finding).describe('Problems of the cluster that keep leases from working.'),
    openPools: z.array(openPool).describe('The declared pools with fence: open.'),
    notes: z
      .array(z.string())
      .describe('Checks that could not be made, and what explains other lines.'),
  })
  .describe('What leasehold verify -o json prints.');
export type Verification = Stateless<Answer<typeof verificationSchema>>;

/** A state of a line of {@link Verification}. */
export type VerifiedState = keyof Verification['counts'];
