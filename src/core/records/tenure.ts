import type { Tenure } from '../model/allocation.ts';
import { addDays, type Day, laterDay } from '../model/day.ts';
import { compareText } from '../model/order.ts';
import type { Position, Problem } from '../model/problem.ts';

/** The day until which a record is kept for its holder if it is released today. */
export function keptUntil({ retain, keepUntil }: Tenure, today: Day): Day {
  return laterDay(addDays(today, retain), keepUntil);
}

/** The record of an address or hostname that is released today. */
export function releasedToday<Kept extends Tenure>(record: Kept, today: Day): Kept {
  const released = { on: today, freeFrom: keptUntil(record, today) };
  return { ...record, keepUntil: undefined, released };
}

/**
 * `fresh` for an address or hostname that returns to its holder. A former retention that ends later
 * stays as `keepUntil`.
 */
export function reclaimed<Kept extends Tenure>(fresh: Kept, former: Tenure): Kept {
  const kept = former.released?.freeFrom;
  const own = addDays(fresh.since, fresh.retain);
  return kept !== undefined && kept > own ? { ...fresh, keepUntil: kept } : fresh;
}

/** DATE_EARLIER at the newest record, the first one in order, if it has a day after today. */
export function dateProblems<Kept extends Tenure>(
  records: Iterable<Kept>,
  today: Day,
  {
    compare,
    placeOf,
  }: {
    readonly compare: (left: Kept, right: Kept) => number;
    readonly placeOf: (record: Kept) => Position;
  },
): Problem[] {
  const [newest] = [...records]
    .map((record) => ({ record, day: laterDay(record.since, record.released?.on) }))
    .filter(({ day }) => day > today)
    .sort((left, right) => compareText(right.day, left.day) || compare(left.record, right.record));
  if (!newest) return [];
  return [
    {
      code: 'DATE_EARLIER',
      message: `today is ${today}, and ${newest.day} is recorded already`,
      at: placeOf(newest.record),
      hint: `correct the machine's clock or --today; if they are right, another machine was ahead: run it again on ${newest.day}`,
    },
  ];
}
