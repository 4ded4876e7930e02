import { addDays, type Day } from '../../model/day.ts';
import type { Holder } from '../../model/holder.ts';
import {
  type AddressPromise,
  mostPromisedDays,
  promiseText,
  requestedFamilies,
} from '../../model/lease.ts';
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
      hint: "use an earlier day, or correct the machine's clock if it is behind; while the promise lasts, it can be renewed with a later day",
    }));
}

/**
 * ADDRESS_STRANDED for each promise with a family that the lease of its endpoint does not request:
 * the takeover would release the address of that family.
 */
export function strandedPromises(holders: readonly Holder[]): Problem[] {
  return takenPromises(holders).flatMap(({ promise, families, at }): Problem[] => {
    const missing = requestedFamilies(promise.ipFamily).filter((one) => !families.includes(one));
    if (missing.length === 0) return [];
    return [
      {
        code: 'ADDRESS_STRANDED',
        message: `the lease requests only ${families.join(' and ')}, but ${promiseText(promise)} includes ${missing.join(' and ')}`,
        at,
        also: [promise.at],
        hint: `set ipFamily: ${promise.ipFamily} here, or end the promise first: \`git rm ${promise.at.file}\``,
      },
    ];
  });
}

/** The files of promises whose address a lease has taken over. They have no effect after that. */
export function takenPromiseFiles(holders: readonly Holder[]): readonly string[] {
  return takenPromises(holders).map(({ promise }) => promise.at.file);
}

/** The holders whose claims have taken over their promise. */
export function takenPromises(holders: readonly Holder[]) {
  return holders.flatMap(({ claims, promise, families, at }) =>
    claims.length > 0 && promise ? [{ claims, promise, families, at }] : [],
  );
}
