/**
 * What a commit did to the record of an address:
 *
 * - `found`: a record is there, and who had the address before cannot be told: the clone reaches no further back,
 *   or what stood there was unreadable.
 * - `given`: somebody holds it who was not recorded before.
 * - `given to another`: somebody else holds it than was recorded.
 * - `reclaimed`: its last holder has it again.
 * - `promise changed`: its holder keeps it, and is promised it for a longer or shorter time.
 * - `released`: its holder has it no more; it is kept for him until `freeFrom`.
 * - `pruned`: the record of a released address is removed.
 * - `removed`: the record of a held address is removed, which no run of leasehold does.
 * - `unreadable`: what stands there is no record of this address.
 */
export const historyEvents = [
  'found',
  'given',
  'given to another',
  'reclaimed',
  'promise changed',
  'released',
  'pruned',
  'removed',
  'unreadable',
] as const;

/** One of {@link historyEvents}. */
export type HistoryEventName = (typeof historyEvents)[number];

/** One commit of the branch that changed the record of an address. */
export interface HistoryEvent {
  readonly event: HistoryEventName;
  /** The committer's time, UTC, `2026-01-02T10:00:00Z`: when it took effect on the branch. */
  readonly at: string;
  /** The full object name. */
  readonly commit: string;
  /** The name of who wrote it. Like the subject, not to be trusted. */
  readonly author: string;
  readonly subject: string;
  /** The pull or merge request that the message names, such as `#12` or `group/project!34`. */
  readonly request?: string;
}

/** A time in which one holder had an address, or it was kept for him, or nobody was recorded. */
export interface HistoryPeriod {
  /** `none`: there was no record, so it was free; `unreadable`: nobody can tell. */
  readonly state: 'held' | 'released' | 'none' | 'unreadable';
  /** Who held it; once released, who held it last. */
  readonly holder?: string;
  readonly pool?: string;
  /** Once released: the first day on which anyone could get it. */
  readonly freeFrom?: string;
  /** The time of `begun`. */
  readonly from: string;
  /** The time at which the next period begins; absent in the last one. */
  readonly until?: string;
  readonly begun: HistoryEvent;
  /** Changes of the promise within it, the oldest first. */
  readonly changes: readonly HistoryEvent[];
}

/** What `leasehold history -o json` prints. */
export interface AddressHistory {
  readonly apiVersion: 'leasehold.dev/v1';
  readonly kind: 'AddressHistory';
  readonly address: string;
  /** The ref whose first parents were followed. */
  readonly ref: string;
  /** Its commit. */
  readonly commit: string;
  /** True when the clone lacks older commits: the first period may have begun before it says. */
  readonly shallow: boolean;
  /** The oldest first. */
  readonly periods: readonly HistoryPeriod[];
}
