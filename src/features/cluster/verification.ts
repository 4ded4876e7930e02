import type { ListClaim } from '../ask/list-answer.ts';

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

/** A claim, and what the cluster makes of it. */
export interface VerifiedClaim extends ListClaim {
  readonly holder: string;
  /** The addresses that its Service should have: canonical text, IPv4 first. */
  readonly addresses: readonly string[];
  /** Its Service, such as `Service web/app`. */
  readonly object: string;
  readonly state: ClaimState;
  /** In the order of {@link claimStates}; none when it is ok. */
  readonly details: readonly Detail[];
}

/**
 * An object that belongs to no claim: one of `dist/` that is not as it should be, or one with the label
 * of leasehold that `dist/` does not have. Namespaces among those are `kept`: nobody prunes them. Of what is being
 * deleted already, a detail says so.
 */
export interface VerifiedObject {
  readonly object: string;
  readonly state: 'not applied' | 'changed by hand' | 'left over' | 'kept';
  readonly details: readonly (Detail | Detail<'left over'>)[];
}

/** Something in the cluster that keeps leases from working, whosever it is. */
export interface ClusterFinding {
  /** What it was found in. */
  readonly object: string;
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
}

/** A live Service that a pool with an open fence serves, and would not serve if it were closed. */
export interface UnfencedService {
  /** Such as `Service web/app`. */
  readonly object: string;
  /** What it has of the pool: canonical text. */
  readonly addresses: readonly string[];
  /** Why, without its name and a trailing period. */
  readonly message: string;
}

/** A declared pool with `fence: open`. With no such Service it can be closed. */
export interface OpenPool {
  readonly pool: string;
  /** Sorted by object. */
  readonly services: readonly UnfencedService[];
}

/** A state of a line of {@link Verification}. */
export type VerifiedState = ClaimState | VerifiedObject['state'] | 'cluster problem';

/** How a live cluster compares with the tree: what `leasehold verify -o json` prints. */
export interface Verification {
  readonly apiVersion: 'leasehold.dev/v1';
  readonly kind: 'Verification';
  /** The declared cluster, as leases/pools.yaml names it. */
  readonly cluster: string;
  /** The cluster that was asked: context and server. */
  readonly asked: string;
  /** True when all claims are ok, nothing is left over and there are no findings. */
  readonly ok: boolean;
  /** How many lines there are of each state; `ok` always, others only when there are some. */
  readonly counts: { readonly [State in VerifiedState]?: number };
  /** Sorted by holder, and then as `leasehold list` sorts them. */
  readonly claims: readonly VerifiedClaim[];
  /** Sorted by object. */
  readonly objects: readonly VerifiedObject[];
  /** Sorted by object. */
  readonly findings: readonly ClusterFinding[];
  /** In the order of the pool file. They fail nothing. */
  readonly openPools: readonly OpenPool[];
  /** What could not be looked at, and need not be. */
  readonly notes: readonly string[];
}
