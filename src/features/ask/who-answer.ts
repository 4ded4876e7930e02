import type { ListClaim } from './list-answer.ts';

/**
 * How it stands with an address: somebody holds it; it is released and recorded for its last holder; it is free, and
 * nobody is recorded; it is never given out (reserved, or left out by `avoidBuggyIPs`); or no pool has it.
 */
export const addressStates = ['held', 'released', 'free', 'reserved', 'in no pool'] as const;

/** One of {@link addressStates}. */
export type AddressState = (typeof addressStates)[number];

/** One address and who has it. */
export interface WhoItem {
  /** Canonical text. */
  readonly address: string;
  readonly state: AddressState;
  /** The pool that the address lies in; for a recorded address in no pool, the one it was given from. */
  readonly pool?: string;
  readonly zone?: string;
  /** Who holds it; once released, who held it last. */
  readonly holder?: string;
  /** The day the holder got it. */
  readonly since?: string;
  /** Once released: the day of the release, and the first day on which anyone may get it. */
  readonly released?: { readonly on: string; readonly freeFrom: string };
  /** Its allocation file. */
  readonly file?: string;
  /** What stands on it. */
  readonly claims: readonly ListClaim[];
}

/** What `leasehold who -o json` prints, IPv4 first. */
export interface Who {
  readonly apiVersion: 'leasehold.dev/v1';
  readonly kind: 'Who';
  /** What was asked for, as typed. */
  readonly asked: string;
  readonly items: readonly WhoItem[];
}
