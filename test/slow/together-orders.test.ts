import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyMethod, TogetherRun } from '../support/branches/integration-run.ts';
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

const threes = [
  ['take the lowest address 0', 'take the lowest address 1', 'reserve the lowest address 0'],
  ['replace a tenant 0', 'change the port of one who is replaced 1', 'take the last address 0'],
  ['a former holder comes back', 'take the last address 1', 'prune 0'],
];
const eachMethod = ['merge', 'squash', 'rebase'] as const;
const four = [
  'take two of the lowest, one after the other',
  'pin the same holder elsewhere 1',
  'lengthen a retention 0',
  'end a lease, then lease',
];

describe('branches that lease at once', () => {
  it.each(threes)(
    'come together in every order by one method or by all: %s, %s, %s',
    async (...names) => {
      const random = seeded(1);
      for (const order of ordersOf(names)) {
        for (const method of random.shuffled(eachMethod).slice(0, repeats(1, 3))) {
          await run.bringTogether(order, () => method, random);
        }
      }
    },
  );

  it('come together in every order of four', async () => {
    const random = seeded(2);
    for (const order of ordersOf(four)) {
      await run.bringTogether(order, () => anyMethod(random), random);
    }
  });

  it('have been resolved, refused and found blended, each often enough to prove something', () => {
    expect(run.tally.clean).toBeGreaterThan(repeats(10, 20));
    expect(run.tally.resolved).toBeGreaterThan(repeats(30, 60));
    expect(run.tally.refused).toBeGreaterThan(repeats(5, 10));
    expect(run.tally.blended).toBeGreaterThan(repeats(0, 2));
  });
});

function ordersOf(names: readonly string[]): readonly (readonly string[])[] {
  if (names.length < 2) return [names];
  return names.flatMap((name, index) =>
    ordersOf(names.filter((_, other) => other !== index)).map((rest) => [name, ...rest]),
  );
}
