import { expect, test } from 'vitest';
import { playLives } from '../support/life/lives.ts';
import { repeats } from '../support/run/scope.ts';

/** Of another seed than the thousand of test/property/lives.test.ts. */
const count = repeats(200, 10_000);

test(`${count} lives of seed 2 break no promise`, async () => {
  const reached = await playLives(2, count);
  expect(reached).toMatchObject({ lives: count, whole: count / 200, steps: count * 50 });
});
