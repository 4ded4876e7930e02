import { expect, test } from 'vitest';
import { playLives } from '../support/life/lives.ts';
import { scope } from '../support/run/scope.ts';

/** Of another seed than the lives of test/property/lives.test.ts, which are enough for any scope but the full one. */
const count = 10_000;

test.runIf(scope === 'full')(`${count} lives of seed 3 break no promise`, async () => {
  const reached = await playLives(3, count);
  expect(reached).toMatchObject({ lives: count, whole: count / 200, steps: count * 50 });
});
