import { addDays, type Day } from '../model/day.ts';
import { UsageError } from './failure.ts';
import type { World } from './world.ts';

/** `--today` and `--allow-date-ahead`, of every command that records addresses. */
export interface DayOptions {
  readonly today: Day | undefined;
  readonly allowDateAhead?: true;
}

/** The day that a run records: the one that somebody says, or the clock's. */
export function recordedDay(world: World, options: DayOptions): Day {
  return saidDay(world, options) ?? world.today();
}

/**
 * The day that somebody says. One that is ahead of the clock, but for a day between time zones, is a UsageError unless
 * it is meant: once it is merged, no run records anything before that day.
 */
export function saidDay(world: World, { today, allowDateAhead }: DayOptions): Day | undefined {
  if (today === undefined || allowDateAhead) return today;
  const clock = world.today();
  if (today <= addDays(clock, 1)) return today;
  throw new UsageError(
    `today is ${clock} by the clock, and --today or LEASEHOLD_TODAY says ${today}: once that is recorded, no run records anything before that day; say --allow-date-ahead (or LEASEHOLD_ALLOW_DATE_AHEAD=1) if it is meant`,
  );
}
