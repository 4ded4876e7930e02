import type { Tenure } from '../model/allocation.ts';
import { addDays, type Day, dayBefore, laterDay } from '../model/day.ts';

/**
 * The days that bound the records of a change. A run records the day on which it gives or releases
 * an address, or shortens a retention. A change can be open for weeks, so its days may be older than
 * the target's; how long an address is kept counts from the landing: see {@link landedFreeDays}.
 */
export interface Days {
  /** The day of the head commit. */
  readonly day: Day;
  /** The day of the commit that the change is to be merged into. */
  readonly target: Day;
  /** The longest retention of any declaration or pool of base and head, in days. */
  readonly longestRetention: number;
}

export interface Leaving extends Days {
  /**
   * True when a Service left a shared address with a key. Then `keepUntil` must keep its retention.
   */
  readonly endsSharing: boolean;
}

/** How many days a change may be open. */
const openDays = 365;

/**
 * Returns what is wrong with a day that is too late for any run, or a retention too long. A
 * retention that is shortened while the address stays held lasts as long as the one before, at most.
 */
export function dateAhead(
  after: Tenure,
  before: Tenure | undefined,
  { day, longestRetention, endsSharing }: Leaving,
): string | undefined {
  const { since, keepUntil, released } = after;
  const last = addDays(day, 1);
  if (since > last) return `is held since ${since}, later than ${last}`;
  // The day of clock skew is not one of the retention.
  const isGiven = before?.released && before.holder !== after.holder && !released;
  if (isGiven && before.released.freeFrom > day && since >= before.released.freeFrom) {
    return `is held since ${since}; it is free for others from ${before.released.freeFrom} on, and the commit is of ${day}`;
  }
  if (released && released.on > last) return `was released on ${released.on}, later than ${last}`;
  const longest =
    before && isShortened(before, after, endsSharing)
      ? before.retain
      : Math.max(longestRetention, before?.retain ?? 0);
  const furthest = laterDay(
    addDays(last, longest),
    before?.keepUntil ?? before?.released?.freeFrom,
  );
  const kept = released?.freeFrom ?? keepUntil;
  return kept !== undefined && kept > furthest
    ? `is kept until ${kept}, and no retention lasts beyond ${furthest}`
    : undefined;
}

/** True when an address stays held, with a shorter retention than before. */
function isShortened(before: Tenure, after: Tenure, endsSharing: boolean): boolean {
  return !before.released && !after.released && (after.retain < before.retain || endsSharing);
}

/** True for a retention that has ended before the target's day, with a day for clock skew. */
function isOver(on: Day, freeFrom: Day, target: Day): boolean {
  return freeFrom > on && freeFrom <= target && addDays(on, 1) < target;
}

/**
 * Returns what is wrong with a day that is too old for the target: more than a year, or a retention
 * that has ended. A shorter retention of an address that stays held counts from the target's day,
 * less one for clock skew: no landing of a release makes up for it.
 */
export function dateBehind(
  before: Tenure | undefined,
  after: Tenure,
  { target, endsSharing }: Leaving,
): string | undefined {
  const { since, released, keepUntil } = after;
  if (since !== before?.since && isLongAgo(since, target)) {
    return `is held since ${since}, ${longBefore(target)}`;
  }
  if (released) {
    const { on, freeFrom } = released;
    if (isOver(on, freeFrom, target)) {
      return `was released on ${on}, and its retention until ${freeFrom} is over on ${target}, before the merge`;
    }
    return isLongAgo(on, target) ? `was released on ${on}, ${longBefore(target)}` : undefined;
  }
  if (!before || !isShortened(before, after, endsSharing)) return undefined;
  if (keepUntil === undefined || isCounted(before, keepUntil, target)) return undefined;
  return `is kept until ${keepUntil}, and its retention for ${before.holder} is ${before.retain} days from ${target} on`;
}

function isLongAgo(day: Day, target: Day): boolean {
  return addDays(day, openDays) < target;
}

function longBefore(target: Day): string {
  return `more than ${openDays} days before ${target}`;
}

/** True for a keepUntil with all days of the retention before, from the day before the target's on. */
function isCounted(before: Tenure, keepUntil: Day, target: Day): boolean {
  return keepUntil >= addDays(dayBefore(target), before.retain);
}

/**
 * `fresh`, the record that a run on the base makes today of one that stays held, with the keepUntil
 * of `own`, the record of the branch, if an earlier run of the branch can have counted it.
 */
export function asCounted<Kept extends Tenure>(
  fresh: Kept,
  { before, own, target }: { readonly before: Tenure; readonly own: Tenure; readonly target: Day },
): Kept {
  const { keepUntil } = own;
  if (keepUntil === undefined || fresh.keepUntil === before.keepUntil) return fresh;
  const isOfBranch = keepUntil >= (before.keepUntil ?? '') && keepUntil <= (fresh.keepUntil ?? '');
  return isOfBranch && isCounted(before, keepUntil, target) ? { ...fresh, keepUntil } : fresh;
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
  { target }: Days,
): string | undefined {
  const isKept = keepUntil !== undefined && isCounted(before, keepUntil, target);
  return isKept || keepUntil !== before.keepUntil
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

function heldForged(before: Tenure, after: Tenure, { endsSharing }: Leaving): string | undefined {
  const isShorter = isShortened(before, after, endsSharing);
  const least = isShorter
    ? laterDay(addDays(before.since, before.retain), before.keepUntil)
    : before.keepUntil;
  const { keepUntil } = after;
  if (least !== undefined && (keepUntil === undefined || keepUntil < least)) {
    return tooShort(before, least, keepUntil ?? `${after.retain} days after its release`);
  }
  return isShorter || keepUntil === before.keepUntil
    ? undefined
    : `is kept until ${keepUntil}, and its retention is not shorter than before: ${before.keepUntil ?? 'no day'} was expected`;
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
