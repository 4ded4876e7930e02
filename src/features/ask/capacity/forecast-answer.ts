import type { Family } from '../../../net/address.ts';

/** How many addresses were in use from a day on, until the next point. */
export interface UsePoint {
  /** A day, UTC; the counts are those at its end. */
  readonly day: string;
  readonly held: number;
  /** Released, and still kept for their last holders on that day. */
  readonly retained: number;
}

/**
 * What is to be expected of a family of a pool:
 *
 * - `exhausted`: nothing is free now.
 * - `exhausts`: at the growth of the window nothing is free from `exhausted` on.
 * - `lasts`: use shrinks, stands, or grows so slowly that it lasts for more than ten years.
 * - `unknown`: there is too little history to say.
 */
export const outlooks = ['exhausted', 'exhausts', 'lasts', 'unknown'] as const;

/** One of {@link outlooks}. */
type Outlook = (typeof outlooks)[number];

/** How the use of a family of a pool went, and where it goes. */
export interface FamilyForecast {
  readonly pool: string;
  readonly zone: string;
  readonly family: Family;
  /** How many can be given out on the day of the answer, in decimal: a /64 has more than a number holds. */
  readonly free: string;
  /** A point for each day on which a count changed, the oldest first. */
  readonly points: readonly UsePoint[];
  /** The days that growth was measured over, both included; absent without history. */
  readonly window?: { readonly from: string; readonly to: string };
  /** Addresses a day, held and retained together, with three decimals; absent with `unknown`. */
  readonly growth?: string;
  readonly outlook: Outlook;
  /** With `exhausts`: the first day on which nothing is free, if it goes on so. */
  readonly exhausted?: string;
  /** With `lasts` and `unknown`: why, for a person. */
  readonly reason?: string;
}

/** How the use of every pool went in time, and when it is exhausted if that goes on. */
export interface Forecasts {
  readonly apiVersion: 'leasehold.dev/v1';
  readonly kind: 'Forecasts';
  /** The day of the answer, UTC. */
  readonly day: string;
  /** The ref whose history was read. */
  readonly ref: string;
  /** Its commit. */
  readonly commit: string;
  /** True when the clone lacks older commits: what was before is not known. */
  readonly shallow: boolean;
  /** By pool in the order of the file, IPv4 first. */
  readonly items: readonly FamilyForecast[];
}
