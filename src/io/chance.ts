import { randomInt } from 'node:crypto';
import type { Chance } from '../app/ports/chance.ts';

const steps = 2 ** 32;

/** The machine's own randomness: nothing that is written depends on it. */
export const chance: Chance = () => randomInt(steps) / steps;
