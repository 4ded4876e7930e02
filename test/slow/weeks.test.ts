import { afterAll, it } from 'vitest';
import { repeats } from '../support/run/scope.ts';
import { type Counts, playWeeks } from '../support/weeks/weeks.ts';

/** WEEKS=17 plays the weeks of one team alone, WEEKS=13-40 a range. */
const [first, last = first] = process.env.WEEKS?.split('-').map(Number) ?? [];
const from = first ?? 1;
const count = (last ?? repeats(3, 500)) - from + 1;
const seeds = Array.from({ length: count }, (_, index) => from + index);
const counts: Counts = new Map();

afterAll(() => console.table(Object.fromEntries(counts)));

it.each(seeds)(
  'the weeks %i: every job ends green by what is printed, and nobody else loses an address',
  (seed) => playWeeks(seed, 8, counts),
);
