import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { methods } from '../support/branches/integration.ts';
import { anyMethod, TogetherRun } from '../support/branches/integration-run.ts';
import { blended, conflicts, refused } from '../support/branches/merge-results.ts';
import { repeats } from '../support/run/scope.ts';
import { seeded } from '../support/run/seeded.ts';

let run: TogetherRun;

beforeAll(async () => {
  run = await TogetherRun.start();
  return () => run.remove();
});

afterAll(() => {
  console.log(JSON.stringify(run.tally));
});

/** Pairs of kinds that git or check refuses, or that git merges into what nobody wrote. */
const pairs = [...Object.values(conflicts).flat(), ...Object.keys(refused), ...blended].map(
  (names) => {
    const [left = '', right = ''] = names.split(' + ');
    return [`${left} 0`, `${right} 1`] as const;
  },
);

describe('branches that lease at once', () => {
  it.each(methods)('come together where two of them do not fit, by %s', async (method) => {
    const random = seeded(3);
    for (const pair of pairs) await run.bringTogether(pair, () => method, random);
  });

  it.each(Array.from({ length: repeats(4, 12) }, (_, index) => 100 + index))(
    'come together in any order, five to eight of them (seed %i)',
    async (seed) => {
      const random = seeded(seed);
      const names = random.shuffled(run.names).slice(0, 5 + random.below(4));
      await run.bringTogether(names, () => anyMethod(random), random);
    },
  );

  it('have been resolved, refused and found blended, each often enough to prove something', () => {
    expect(run.tally.clean).toBeGreaterThan(20);
    expect(run.tally.resolved).toBeGreaterThan(60);
    expect(run.tally.refused).toBeGreaterThan(10);
    expect(run.tally.blended).toBeGreaterThan(2);
  });
});
