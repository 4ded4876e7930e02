import { randomBytes as bytesOf, randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Clock, Timeouts } from '../interfaces/clock.ts';
import type { Random, RandomBytes } from '../interfaces/random.ts';

const steps = 2 ** 32;

/** Pseudo-random numbers for jitter; no output depends on them. */
export const random: Random = () => randomInt(steps) / steps;

/** Cryptographically secure random bytes. */
export const randomBytes: RandomBytes = (count) => bytesOf(count);

/** The machine's monotonic clock. */
export const clock: Clock & Timeouts = {
  now: () => performance.now(),
  pause: (milliseconds, signal) => pause(milliseconds, undefined, signal && { signal }),
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

/** From this number of files on, a run saves memory. About 50,000 declarations have as many. */
const manyFiles = 100_000;

/**
 * Takes the number of files that a tree has. When there are many, V8's heap may grow by 40 percent
 * between two collections, and not to the double: about a third less memory for a tenth more time.
 */
export function saveMemory(files: number): void {
  if (files >= manyFiles) setFlagsFromString('--heap-growing-percent=40');
}

/** A request to end the process. */
export interface StopSignal {
  isStopped(): boolean;
  /** Resolves with the first signal. */
  readonly stopped: Promise<void>;
  /** Aborts with the first signal. */
  readonly aborting: AbortSignal;
  /** Restores the default action of the signals. */
  close(): void;
}

const signals = ['SIGTERM', 'SIGINT'] as const;

/**
 * Handles the first SIGTERM or SIGINT as a request to finish; a second one ends the process at
 * once.
 */
export function stopSignal(): StopSignal {
  const controller = new AbortController();
  const { signal: aborting } = controller;
  const stopped = new Promise<void>((resolve) => {
    aborting.addEventListener('abort', () => resolve());
  });
  const stop = (): void => {
    close();
    controller.abort();
  };
  const close = (): void => {
    for (const signal of signals) process.off(signal, stop);
  };
  for (const signal of signals) process.on(signal, stop);
  return { isStopped: () => aborting.aborted, stopped, aborting, close };
}
