import type { CautionCode } from '../../model/codes/caution-codes.ts';
import type { ProblemCode } from '../../model/codes/problem-codes.ts';
import type { Family } from '../../net/address.ts';

/**
 * What a pull request does, in one phrase: `no change` for a reader who need not look, `routine` when
 * addresses are only given and nothing that serves is touched, `caution` when somebody must think about
 * it, and `blocked` when it must not be merged.
 */
export type Verdict = 'no change' | 'routine' | 'caution' | 'blocked';

/** One of the two commits that a plan compares. */
export interface PlanCommit {
  /** The full object name. */
  readonly commit: string;
  /** The committer's day, UTC: what is retained and what is free is told as of the head's. */
  readonly day: string;
  /** More than one for a merge: CI often judges the merge of a pull request's own head and its target. */
  readonly parents: readonly string[];
  /** True when what is compared is the working tree, which has more than this commit. */
  readonly uncommitted?: true;
}

/** How many addresses of one family of a pool are in use. Addresses are counted in decimal text: a /64 has many. */
export interface Occupancy {
  /** Addresses that can be given out at all: the pool's, without the reserved ones. */
  readonly usable: string;
  readonly held: number;
  /** Released, and still kept for their last holders. */
  readonly retained: number;
  readonly free: string;
  /** Held and retained of usable, in whole per cent, rounded down. */
  readonly percent: number;
}

/**
 * One family of a pool before and after: a full /28 must not hide behind an empty /64. A side is absent when
 * it does not declare the pool with addresses of the family.
 */
export interface PoolTotals {
  readonly pool: string;
  readonly zone: string;
  readonly family: Family;
  readonly before?: Occupancy;
  readonly after?: Occupancy;
}

/** What is recorded of an address on one side. */
export interface AddressSide {
  readonly holder: string;
  readonly state: 'held' | 'released';
  /** Once released: the first day on which anyone may get it. */
  readonly freeFrom?: string;
  /** What stands on it, such as `web 80/TCP`; none once released. */
  readonly claims: readonly string[];
}

/**
 * What happens to an address:
 *
 * - `allocated`: somebody gets it who did not have it. `before` is its last holder, if there was one.
 * - `reclaimed`: its last holder comes back to it.
 * - `updated`: its holder keeps it, and other claims stand on it, or another promise is made.
 * - `released`: its holder loses it.
 * - `removed`: its record goes; nobody had it any more.
 */
export type AddressChangeKind = 'allocated' | 'reclaimed' | 'updated' | 'released' | 'removed';

/** A line of a file, on the side of a plan that has it. */
export interface PlanPlace {
  readonly side: 'base' | 'head';
  readonly file: string;
  readonly line: number;
}

/** One address that a pull request changes something about. */
export interface AddressChange {
  /** Canonical text. */
  readonly address: string;
  readonly pool: string;
  readonly change: AddressChangeKind;
  readonly before?: AddressSide;
  readonly after?: AddressSide;
  /** What changes, each a short phrase, such as `web 80/TCP added`. */
  readonly details: readonly string[];
  /** The declaration that asks for it; its allocation file when none does any more. */
  readonly at: PlanPlace;
}

/** Something that a reviewer must think about. Does not stop a merge. */
export interface Caution {
  readonly code: CautionCode;
  /** One sentence without trailing period. */
  readonly message: string;
  readonly at?: PlanPlace;
}

/** Why a pull request must not be merged. */
export interface PlanProblem {
  readonly code: ProblemCode;
  readonly message: string;
  /** `tree`: the head is wrong in itself. `change`: it is sound, but may not follow from the base. */
  readonly of: 'tree' | 'change';
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly hint?: string;
  /** Other places that take part, as `file:line:column`. */
  readonly also: readonly string[];
}

/** What happens to one object that an engine applies. */
export interface ObjectChange {
  readonly action: 'added' | 'changed' | 'removed';
  /** `Service ns/name`. */
  readonly object: string;
}

/** One file of manifests that differs. */
export interface ManifestChange {
  /** Below `dist/`. */
  readonly path: string;
  /** Whose footprint it is; undefined for a namespace, a declared pool and the like. */
  readonly holder?: string;
  readonly objects: readonly ObjectChange[];
  /** Lines added and removed. */
  readonly added: number;
  readonly removed: number;
  /** Hunks of a unified diff, with three lines of context and without file headers. */
  readonly diff: string;
}

/**
 * What merging a pull request does: to addresses, to pools, to the objects that an engine applies.
 * The same two commits give the same plan.
 */
export interface Plan {
  readonly apiVersion: 'leasehold.dev/v1';
  readonly kind: 'Plan';
  readonly verdict: Verdict;
  /** What a reviewer must be able to say of it, in one sentence. */
  readonly summary: string;
  readonly base: PlanCommit;
  readonly head: PlanCommit;
  /** In the order of the pool file, IPv4 first; pools that only the base has come last. */
  readonly pools: readonly PoolTotals[];
  /** By address, IPv4 first. */
  readonly addresses: readonly AddressChange[];
  /** By code, then as found. */
  readonly cautions: readonly Caution[];
  /** By place. */
  readonly problems: readonly PlanProblem[];
  /** By path. */
  readonly manifests: readonly ManifestChange[];
  /**
   * SHA-256 of what changes (`addresses`, `manifests`, the pool file and the policy), in hex: two plans with one digest do the
   * same, whatever their commits are.
   */
  readonly digest: string;
}
