import { setTimeout as pause } from 'node:timers/promises';
import type { Clock, Timeouts } from '../ports/clock.ts';

/** The machine's clock, which nobody can set back while a use case waits. */
export const clock: Clock & Timeouts = {
  now: () => performance.now(),
  pause: (milliseconds) => pause(milliseconds),
  endsWithin(milliseconds, work) {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), milliseconds);
      const end = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      work.then(end, end);
    });
  },
};
