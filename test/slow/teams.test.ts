import { afterAll, expect, it } from 'vitest';
import { repeats } from '../support/scope.ts';
import { playTeam } from '../support/team/history.ts';
import { Notes } from '../support/team/notes.ts';

/** TEAM=17 plays the team 17 alone, and leaves its repositories when it fails. */
const alone = process.env.TEAM;
const count = repeats(12, 2_000);
const seeds = alone ? [Number(alone)] : Array.from({ length: count }, (_, index) => index + 1);
const notes = new Notes();

afterAll(() => {
  console.log(JSON.stringify(notes.counts, null, 1));
});

it.each(seeds)(
  'the team %i keeps its promises: no honest work is refused, and no cheat passes',
  async (seed) => {
    await playTeam(seed, notes, alone !== undefined);
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
