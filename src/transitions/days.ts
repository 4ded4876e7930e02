import type { Tenure } from '../model/allocation.ts';
import { addDays, type Day, dayBefore, earlierDay, laterDay } from '../model/day.ts';

/**
 * The days that bound the records of a change. A run records the day on which it gives or releases
 * an address, or shortens a retention. New releases, and the retention of addresses that stay held,
 * count from {@link earliestDay} at least: the retention of a release with an older day could be
 * over at once.
 */
export interface Days {
  /** The day of the head commit. */
  readonly day: Day;
  /** No run of the change is older: see {@link earliestDay}. */
  readonly earliest: Day;
  /** The day of the commit that the change is to be merged into. */
  readonly target: Day;
  /** The longest retention of any declaration or pool of base and head, in days. */
  readonly longestRetention: number;
}

export interface Leaving extends Days {
  /**
   * True when a Service left a shared address with a key. Then `keepUntil` must keep its retention.
   */
  readonly isLeft: boolean;
}

/** How many days a new lease may be on an open branch. No retention counts from `since`. */
const openDays = 30;

/**
 * Returns the first day that a run on top of a table can have recorded: the day of its commit, or
 * the newest recorded day, as {@link allocate} refuses an earlier one. One day less, for clock skew
 * and for branches of one day that are merged one after the other.
 */
export function earliestDay(table: ReadonlyMap<string, Tenure>, committed: Day): Day {
  let newest = committed;
  for (const { since, released } of table.values()) {
    newest = laterDay(newest, laterDay(since, released?.on));
  }
  return dayBefore(newest);
}

/** The same, but not later than yesterday, so that a commit dated ahead does not bound branches. */
export function firstDay(table: ReadonlyMap<string, Tenure>, committed: Day, today: Day): Day {
  return earlierDay(earliestDay(table, committed), dayBefore(today));
}

/** A commit of the target, older than the base, at which commits of the change branch off. */
export interface BranchPoint<Kept extends Tenure> {
  readonly table: ReadonlyMap<string, Kept>;
  /** No run on top of the commit is older. */
  readonly earliest: Day;
}

/**
 * Returns the first day that a change can have recorded for an address or a hostname, the `key`.
 * When a forge merges a branch into the target, the base is the target's newest commit, but the
 * branch made its records on top of an older commit, where the two diverge. The days of an address
 * count from there, as long as the target has not changed its record since.
 *
 * This cannot be exploited. The branch point is in the target's history, so the author of a branch
 * cannot choose its day. Anyone could push a branch that starts at that commit: it would be checked
 * against the same day, and git would merge the same record without a conflict. When the target has
 * given or changed the address since, its days count from the base. A retention that has ended on
 * the target's day is refused in every case.
 */
export function earliestOf<Kept extends Tenure>(
  key: string,
  before: Kept | undefined,
  {
    earliest,
    branchPoints = [],
  }: { readonly earliest: Day; readonly branchPoints?: readonly BranchPoint<Kept>[] | undefined },
  isSame: (left: Kept | undefined, right: Kept | undefined) => boolean,
): Day {
  const unchanged = branchPoints.filter(({ table }) => isSame(table.get(key), before));
  return unchanged.reduce((first, point) => earlierDay(first, point.earliest), earliest);
}

/** Returns what is wrong with a day that is too late for any run, or a retention too long. */
export function dateAhead(
  { since, keepUntil, released }: Tenure,
  before: Tenure | undefined,
  { day, longestRetention }: Days,
): string | undefined {
  const last = addDays(day, 1);
  if (since > last) return `is held since ${since}, later than ${last}`;
  if (released && released.on > last) return `was released on ${released.on}, later than ${last}`;
  const most = addDays(last, Math.max(longestRetention, before?.retain ?? 0));
  const furthest = laterDay(most, before?.keepUntil ?? before?.released?.freeFrom);
  const kept = released?.freeFrom ?? keepUntil;
  return kept !== undefined && kept > furthest
    ? `is kept until ${kept}, and no retention lasts beyond ${furthest}`
    : undefined;
}

/** True for a retention that has ended before the target's day, with a day for clock skew. */
function isOver(on: Day, freeFrom: Day, target: Day): boolean {
  return freeFrom > on && freeFrom <= target && addDays(on, 1) < target;
}

/** Returns what is wrong with a day before any run of the change. */
export function dateBehind(
  before: Tenure | undefined,
  after: Tenure,
  { earliest, target, isLeft }: Leaving,
): string | undefined {
  const { since, released } = after;
  if (since !== before?.since && addDays(since, openDays) < earliest) {
    return `is held since ${since}, more than ${openDays} days before ${earliest}`;
  }
  if (released) {
    const { on, freeFrom } = released;
    if (on < earliest) {
      return `was released on ${on}, and no run of the change is older than ${earliest}`;
    }
    return isOver(on, freeFrom, target)
      ? `was released on ${on}, and its retention until ${freeFrom} is over on ${target}, before the merge`
      : undefined;
  }
  if (!before || before.released || (after.retain >= before.retain && !isLeft)) return undefined;
  const least = addDays(earliest, before.retain);
  if (
    after.keepUntil &&
    isOver(addDays(after.keepUntil, -before.retain), after.keepUntil, target)
  ) {
    return `is kept until ${after.keepUntil}, and that is over on ${target}, before the merge`;
  }
  return after.keepUntil !== undefined && after.keepUntil < least
    ? `is kept until ${after.keepUntil}, and its retention for ${before.holder} is ${before.retain} days from ${earliest} on, until ${least}`
    : undefined;
}

/**
 * `fresh`, the record that a run on the base makes today of one that stays held, with the keepUntil
 * of `own`, the record of the branch, if an earlier run of the branch can have counted it.
 */
export function asCounted<Kept extends Tenure>(
  fresh: Kept,
  {
    before,
    own,
    earliest,
  }: { readonly before: Tenure; readonly own: Tenure; readonly earliest: Day },
): Kept {
  const { keepUntil } = own;
  if (keepUntil === undefined || fresh.keepUntil === before.keepUntil) return fresh;
  const least = laterDay(addDays(earliest, before.retain), before.keepUntil);
  const isCounted = keepUntil >= least && keepUntil <= (fresh.keepUntil ?? '');
  return isCounted ? { ...fresh, keepUntil } : fresh;
}

/** Returns why the retention of a record is not that of its record in the base. */
export function retentionForged(before: Tenure, after: Tenure, by: Leaving): string | undefined {
  return after.released
    ? releaseForged(before, after, after.released)
    : heldForged(before, after, by);
}

/** Returns a reason when no record keeps the retention of a Service that left a shared address. */
export function leaverForgotten(
  before: Tenure,
  { keepUntil }: Tenure,
  { earliest }: Days,
): string | undefined {
  const isCounted = keepUntil !== undefined && keepUntil >= addDays(earliest, before.retain);
  return isCounted || keepUntil !== before.keepUntil
    ? undefined
    : `has a retention of ${before.retain} days for a Service that left it, and no keepUntil records that`;
}

function releaseForged(
  before: Tenure,
  after: Tenure,
  { on, freeFrom }: NonNullable<Tenure['released']>,
): string | undefined {
  const least = laterDay(addDays(on, before.retain), before.keepUntil);
  if (freeFrom < least) return tooShort(before, least, freeFrom);
  // An address that a move vacates is retained for a day at least.
  if (freeFrom <= laterDay(addDays(on, 1), least) && after.retain === before.retain)
    return undefined;
  return `must be kept for ${before.holder} for ${before.retain} days, until ${least}, and is kept until ${freeFrom} for ${after.retain} days`;
}

function heldForged(before: Tenure, after: Tenure, { day, isLeft }: Leaving): string | undefined {
  const last = addDays(day, 1);
  const isShorter = after.retain < before.retain || isLeft;
  const least = isShorter
    ? laterDay(addDays(before.since, before.retain), before.keepUntil)
    : before.keepUntil;
  const { keepUntil } = after;
  if (least !== undefined && (keepUntil === undefined || keepUntil < least)) {
    return tooShort(before, least, keepUntil ?? `${after.retain} days after its release`);
  }
  if (keepUntil === before.keepUntil || keepUntil === undefined) return undefined;
  const most = isShorter
    ? laterDay(addDays(last, before.retain), before.keepUntil)
    : before.keepUntil;
  return most !== undefined && keepUntil <= most
    ? undefined
    : `is kept until ${keepUntil}, and no retention lasts so long: ${most ?? 'no day'} was expected`;
}

function tooShort({ holder }: Tenure, least: Day, kept: string): string {
  return `must be kept for ${holder} until ${least} at least, and is kept until ${kept}`;
}

/** Returns why the retention of a reclaimed address is shorter than before. */
export function returnForged({ holder, released }: Tenure, after: Tenure): string | undefined {
  const kept = laterDay(addDays(after.since, after.retain), after.keepUntil);
  return released !== undefined && kept < released.freeFrom
    ? `must be kept for ${holder} until ${released.freeFrom}, and would be kept until ${kept}`
    : undefined;
}
