import { setTimeout as pause } from 'node:timers/promises';
import type { Waiting } from '../app/ports/waiting.ts';

/** The machine's clock, which nobody can set back while a use case waits. */
export const clock: Waiting = {
  now: () => performance.now(),
  pause: (milliseconds) => pause(milliseconds),
};
