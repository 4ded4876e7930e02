import { afterAll, expect, it } from 'vitest';
import { repeats } from '../support/run/scope.ts';
import { playTeam } from '../support/team/history.ts';
import { hintTable, Notes, shortOf } from '../support/team/notes.ts';

/**
 * TEAM=17 plays the team 17 alone, and leaves its repositories when it fails. TEAM=13-40 plays a range. play-teams.mjs plays
 * many, at a third of the cost: 1,000 each night.
 */
const [first, last = first] = process.env.TEAM?.split('-').map(Number) ?? [];
const alone = first !== undefined && first === last;
const from = first ?? 1;
const count = (last ?? repeats(4, 100)) - from + 1;
const seeds = Array.from({ length: count }, (_, index) => from + index);
const notes = new Notes();

afterAll(() => {
  console.log(JSON.stringify(notes.counts, null, 1));
  console.table(hintTable(notes.counts));
});

it.each(seeds)(
  'the team %i keeps its promises: no honest work is refused, and no cheat passes',
  async (seed) => {
    await playTeam(seed, notes, alone);
  },
);

it.skipIf(alone)('the teams have done enough to prove something', () => {
  expect(shortOf(notes.counts, count)).toEqual([]);
});
