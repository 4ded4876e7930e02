import { type Allocation, type AllocationTable, isSameAllocation } from '../model/allocation.ts';
import { addDays, type Day, dayBefore, earlierDay, laterDay } from '../model/day.ts';

/**
 * What a change may make of days and of promises. A run that gives, releases or shortens a promise records the
 * day on which it runs, and no run of a change is from before what the change starts from: a release with a day of
 * long ago would be over before it began. So a new release, and a promise that goes on while the address is held,
 * count from {@link earliestDay} at least.
 */

/** The days by which the records of a change are judged. */
export interface Days {
  /** The head commit's. */
  readonly day: Day;
  /** No run of the change is from before it: see {@link earliestDay}. */
  readonly earliest: Day;
  /** That of the commit which the change is to be merged into. */
  readonly target: Day;
  /** The most days that any declaration or pool promises, before or after. */
  readonly longestPromise: number;
}

/** The same, and what is known of who had the address. */
export interface Leaving extends Days {
  /** True when a Service left others alone on an address with a key, whose promise `keepUntil` has to keep. */
  readonly isLeft: boolean;
}

/** Whole days that a new lease may have been on an open branch. Nothing is promised by `since`. */
const openDays = 30;

/**
 * The first day that a run on top of a table can have recorded: that of its commit, or the newest recorded, as
 * {@link allocate} refuses an earlier one. A day less, for clocks, and for branches of one day that are
 * merged one after the other.
 */
export function earliestDay(table: AllocationTable, committed: Day): Day {
  let newest = committed;
  for (const { since, released } of table.values()) {
    newest = laterDay(newest, laterDay(since, released?.on));
  }
  return dayBefore(newest);
}

/** The same on a day: a commit that is dated ahead of today takes no branch its day for clocks. */
export function firstDay(table: AllocationTable, committed: Day, today: Day): Day {
  return earlierDay(earliestDay(table, committed), dayBefore(today));
}

/** A commit of the target at which commits of a change part from it, before the one that the change is compared with. */
export interface Parting {
  /** Its records. */
  readonly table: AllocationTable;
  /** No run on top of it is from before that day. */
  readonly earliest: Day;
}

/**
 * The first day that a change can have recorded of an address. When a forge merges a branch into the target, the base is
 * the target's newest commit, but the branch made its records on top of an older commit, where the two part. The days of
 * an address count from there, as long as the target has not changed its record since.
 *
 * This is no way to cheat. The commit where they part is in the target's history, so the author of a branch cannot choose
 * its day. Anyone could push a branch that starts at that commit: it would be judged by the same day, and git would merge
 * the same record without a conflict. When the target has given or changed the address since, its days count from the
 * base. A promise that has ended on the target's day is refused in every case.
 */
export function earliestOf(
  address: string,
  before: Allocation | undefined,
  { earliest, partings = [] }: { readonly earliest: Day; readonly partings?: readonly Parting[] },
): Day {
  const known = partings.filter(({ table }) => {
    const was = table.get(address);
    return was && before ? isSameAllocation(was, before) : was === before;
  });
  return known.reduce((first, parting) => earlierDay(first, parting.earliest), earliest);
}

/** What a record says of a day that no run can have had yet, or of a promise that nothing makes. */
export function dateAhead(
  { since, keepUntil, released }: Allocation,
  before: Allocation | undefined,
  { day, longestPromise }: Days,
): string | undefined {
  const last = addDays(day, 1);
  if (since > last) return `is held since ${since}, later than ${last}`;
  if (released && released.on > last) return `was released on ${released.on}, later than ${last}`;
  const most = addDays(last, Math.max(longestPromise, before?.retain ?? 0));
  const furthest = laterDay(most, before?.keepUntil ?? before?.released?.freeFrom);
  const kept = released?.freeFrom ?? keepUntil;
  return kept !== undefined && kept > furthest
    ? `is kept until ${kept}, and no promise reaches beyond ${furthest}`
    : undefined;
}

/** What a record of a change says of a day before any run of it. */
export function dateBehind(
  before: Allocation | undefined,
  after: Allocation,
  { earliest, target, isLeft }: Leaving,
): string | undefined {
  const { since, released } = after;
  if (since !== before?.since && addDays(since, openDays) < earliest) {
    return `is held since ${since}, more than ${openDays} days before ${earliest}`;
  }
  if (released) {
    const { on, freeFrom } = released;
    if (on < earliest) {
      return `was released on ${on}, and the change starts from what is of ${earliest} or later`;
    }
    // A cooldown of a day keeps an address from nobody who waits for a merge.
    const isOver = freeFrom > addDays(on, 1) && freeFrom <= target;
    return isOver
      ? `was released on ${on}, and what was promised until ${freeFrom} is over on ${target}, before the merge`
      : undefined;
  }
  if (!before || before.released || (after.retain >= before.retain && !isLeft)) return undefined;
  const promised = addDays(earliest, before.retain);
  return after.keepUntil !== undefined && after.keepUntil < promised
    ? `is kept until ${after.keepUntil}, and ${before.retain} days from ${earliest} on were promised to ${before.holder}, until ${promised}`
    : undefined;
}

/** Why an address that was held is kept for a shorter or a longer time than was promised. */
export function promiseForged(
  before: Allocation,
  after: Allocation,
  by: Leaving,
): string | undefined {
  return after.released
    ? releasePromiseForged(before, after, after.released)
    : heldPromiseForged(before, after, by);
}

/** Why the promise to a Service that left is in no record: no run saw it beside the one that stays. */
export function leaverForgotten(
  before: Allocation,
  { keepUntil }: Allocation,
  { earliest }: Days,
): string | undefined {
  const isCounted = keepUntil !== undefined && keepUntil >= addDays(earliest, before.retain);
  return isCounted || keepUntil !== before.keepUntil
    ? undefined
    : `was promised to a Service that left it for ${before.retain} days, and no keepUntil says so`;
}

function releasePromiseForged(
  before: Allocation,
  after: Allocation,
  { on, freeFrom }: NonNullable<Allocation['released']>,
): string | undefined {
  const promised = laterDay(addDays(on, before.retain), before.keepUntil);
  if (freeFrom < promised) return tooShort(before, promised, freeFrom);
  // A holder that moves away keeps what it leaves for a day at least.
  if (freeFrom <= laterDay(addDays(on, 1), promised) && after.retain === before.retain)
    return undefined;
  return `was promised to ${before.holder} for ${before.retain} days, until ${promised}, and is kept until ${freeFrom} for ${after.retain} days`;
}

function heldPromiseForged(
  before: Allocation,
  after: Allocation,
  { day, isLeft }: Leaving,
): string | undefined {
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
    : `is kept until ${keepUntil}, and nothing that is declared promises that: ${most ?? 'no day'} was expected`;
}

function tooShort({ holder }: Allocation, promised: Day, kept: string): string {
  return `was promised to ${holder} until ${promised} at least, and is kept until ${kept}`;
}

/** Why an address that comes back to its holder is promised less than it still was. */
export function returnForged(
  { holder, released }: Allocation,
  after: Allocation,
): string | undefined {
  const kept = laterDay(addDays(after.since, after.retain), after.keepUntil);
  return released !== undefined && kept < released.freeFrom
    ? `is promised to ${holder} until ${released.freeFrom}, and would be kept until ${kept}`
    : undefined;
}
