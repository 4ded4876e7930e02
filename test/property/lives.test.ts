// @module-tag slow

import { expect, test } from 'vitest';
import { playLives } from '../support/life/lives.ts';
import type { Reached } from '../support/life/reached-outcomes.ts';
import { runs } from '../support/run/scope.ts';

/** The first of those that test/slow/lives-*.test.ts play. */
const count = runs(1_000);

test('no life of a repository breaks a promise, moves an address in silence, or leaves check red', async () => {
  const reached = await playLives(1, count);
  const { counts, ...sums } = reached;
  console.log(sums, Object.fromEntries([...counts].sort()));
  expect(reached).toMatchObject({
    lives: count,
    whole: Math.floor(count / 200),
    steps: count * 50,
  });
  expect(tooRareIn(reached)).toEqual([]);
}, 900_000);

/** What so many lives have to reach, and do not: the counts are of a thousand. */
function tooRareIn({ steps, refused, held, counts }: Reached): string[] {
  const wanted: readonly (readonly [what: string, least: number])[] = [
    ['given', 1_000],
    ['left', 1_000],
    ['returned while kept', 500],
    ['given to another', 300],
    ['dual', 1_000],
    ['moved', 300],
    ['promised until a day', 300],
    ['promised for longer', 300],
    ['returned when free', 50],
    ['held by sharers', 1_000],
    ['held by a Service', 1_000],
    ['over two clusters', 300],
    ['held by a promise', 1_000],
    ['taken over by a lease', 100],
    ['left by a promise', 50],
    ['POOL_EXHAUSTED', 300],
    ['POOL_DRAINING', 100],
    ['ADDRESS_STRANDED', 300],
    ['PORT_TAKEN', 300],
    ['PIN_RETAINED', 20],
    ['PIN_TAKEN', 100],
    ['PIN_MOVED', 100],
    ['HOLDER_CONFLICT', 100],
    ['a first key', 20],
    ['another key by a signature', 200],
    ['signed over to another', 100],
    ['returned by a signature', 10],
    ['NOT_PROVEN', 200],
    ['KEY_SHARED', 20],
  ];
  const rare = wanted.filter(([what, least]) => (counts.get(what) ?? 0) < runs(least));
  const wrong = rare.map(([what]) => `${what}: ${counts.get(what) ?? 0}`);
  if (held / steps < 8) wrong.push(`${held / steps} addresses held at a time`);
  if (refused / steps > 0.3) wrong.push(`${refused / steps} of the steps refused`);
  return wrong;
}
