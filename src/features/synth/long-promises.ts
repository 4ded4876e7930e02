import { addDays, type Day } from '../../model/day.ts';
import { type AddressPromise, mostPromisedDays } from '../../model/lease.ts';
import type { Problem } from '../../model/problem.ts';

/** PROMISE_TOO_LONG for each promise whose last day is too far after a day. */
export function tooLongPromises(promises: readonly AddressPromise[], day: Day): Problem[] {
  const latest = addDays(day, mostPromisedDays);
  return promises
    .filter(({ until }) => until > latest)
    .map(({ endpoint, until, at }) => ({
      code: 'PROMISE_TOO_LONG',
      message: `the promise for ${endpoint} lasts until ${until}, expected ${latest} at the latest`,
      at,
      hint: 'use an earlier day; while the promise lasts, it can be renewed with a later day',
    }));
}
