import { expect, test } from 'vitest';
import { playLives } from '../support/life/lives.ts';

test('ten thousand lives of seed 2 break no promise', async () => {
  const reached = await playLives(2, 10_000);
  expect(reached).toMatchObject({ lives: 10_000, whole: 50, steps: 500_000 });
});
