import { afterAll, expect, it } from 'vitest';
import { repeats } from '../support/run/scope.ts';
import { playTeam } from '../support/team/history.ts';
import { Notes } from '../support/team/notes.ts';

/** TEAM=17 plays the team 17 alone, and leaves its repositories when it fails. TEAM=13-40 plays a range; 2,000 are played each night. */
const [first, last = first] = process.env.TEAM?.split('-').map(Number) ?? [];
const alone = first !== undefined && first === last;
const from = first ?? 1;
const count = (last ?? repeats(12, 100)) - from + 1;
const seeds = Array.from({ length: count }, (_, index) => from + index);
const notes = new Notes();

afterAll(() => {
  console.log(JSON.stringify(notes.counts, null, 1));
});

it.each(seeds)(
  'the team %i keeps its promises: no honest work is refused, and no cheat passes',
  async (seed) => {
    await playTeam(seed, notes, alone);
  },
);

it.skipIf(alone)('the teams have done enough to prove something', () => {
  const sum = (part: RegExp) =>
    Object.entries(notes.counts).reduce(
      (all, [what, times]) => all + (part.test(what) ? times : 0),
      0,
    );
  expect(sum(/^landed by/)).toBeGreaterThan(8 * count);
  expect(sum(/^cheat .*tried$/)).toBeGreaterThan(count);
  expect(sum(/^cheat, sound in itself/)).toBeGreaterThan(count / 2);
  expect(sum(/^red: /)).toBeGreaterThan(4 * count);
  expect(sum(/with conflicts$/)).toBeGreaterThan(2 * count);
  expect(sum(/^(?:reverts (?:by|in)|cherry-picks|stacked)/)).toBeGreaterThan(count);
});
