import type { Day } from '../../model/day.ts';
import { type AddressPromise, isPromiseOver, promiseText } from '../../model/lease.ts';
import { planPlace } from './address-changes.ts';
import { cautionsFor } from './caution-text.ts';
import type { Caution } from './plan-answer.ts';

/** PROMISE_OVER for each promise whose last day is over on a day. */
export function overCautions(promises: readonly AddressPromise[], day: Day): Caution[] {
  const over = promises.filter((promise) => isPromiseOver(promise, day));
  return cautionsFor(over, {
    one: (promise): Caution => ({
      code: 'PROMISE_OVER',
      message: `${promiseText(promise)} is over; leasehold prune ends it`,
      at: planPlace('head', promise.at),
    }),
    many: (shown, count): Caution => ({
      code: 'PROMISE_OVER',
      message: `${count} promises are over, including ${shown.map(promiseText).join('; ')}; leasehold prune ends them`,
    }),
  });
}
