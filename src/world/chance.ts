import { randomBytes as bytesOf, randomInt } from 'node:crypto';
import type { Random, RandomBytes } from '../ports/random.ts';

const steps = 2 ** 32;

/** The machine's own randomness: nothing that is written depends on it. */
export const chance: Random = () => randomInt(steps) / steps;

/** The machine's own randomness, of which keys are made. */
export const randomBytes: RandomBytes = (count) => bytesOf(count);
