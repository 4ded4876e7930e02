import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blended, conflicts, refused } from '../support/branch-results.ts';
import { makeBranches } from '../support/branches.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { branchesByName } from '../support/more-branches.ts';
import { type Seeded, seeded } from '../support/seeded.ts';
import { integrate, type Method, methods } from '../support/together.ts';

let repository: GitRepository;
let branches: ReadonlyMap<string, string>;

/** How branches came into main, over all tests. */
const tally = { clean: 0, resolved: 0, refused: 0, blended: 0 };

beforeAll(async () => {
  const root = mkdtempSync(join(tmpdir(), 'leasehold-together-'));
  const made = await makeBranches(root);
  repository = made.repository;
  branches = await branchesByName(made);
  return () => rmSync(root, { recursive: true, force: true });
});

afterAll(() => {
  console.log(JSON.stringify(tally));
});

const threes = [
  ['take the lowest address 0', 'take the lowest address 1', 'reserve the lowest address 0'],
  ['replace a tenant 0', 'change the port of one who is replaced 1', 'take the last address 0'],
  ['a former holder comes back', 'take the last address 1', 'prune 0'],
];
const four = [
  'take two of the lowest, one after the other',
  'pin the same holder elsewhere 1',
  'lengthen a cooldown 0',
  'end a lease, then lease',
];

/** Pairs of kinds that git or check refuses, or that git merges into what nobody wrote. */
const pairs = [...Object.values(conflicts).flat(), ...Object.keys(refused), ...blended].map(
  (names) => {
    const [left = '', right = ''] = names.split(' + ');
    return [`${left} 0`, `${right} 1`] as const;
  },
);

describe('branches that lease at once', () => {
  it.each(threes)('come together in every order by every method: %s, %s, %s', async (...names) => {
    const random = seeded(1);
    for (const order of ordersOf(names)) {
      for (const method of ['merge', 'squash', 'rebase'] as const) {
        await bringTogether(order, () => method, random);
      }
    }
  });

  it('come together in every order of four', async () => {
    const random = seeded(2);
    for (const order of ordersOf(four)) await bringTogether(order, () => anyMethod(random), random);
  });

  it.each(methods)('come together where two of them do not fit, by %s', async (method) => {
    const random = seeded(3);
    for (const pair of pairs) await bringTogether(pair, () => method, random);
  });

  it.each(Array.from({ length: 12 }, (_, index) => 100 + index))(
    'come together in any order, five to eight of them (seed %i)',
    async (seed) => {
      const random = seeded(seed);
      const names = random.shuffled(branches.keys()).slice(0, 5 + random.below(4));
      await bringTogether(names, () => anyMethod(random), random);
    },
  );

  it('have been resolved, refused and found blended, each often enough to prove something', () => {
    expect(tally.clean).toBeGreaterThan(60);
    expect(tally.resolved).toBeGreaterThan(60);
    expect(tally.refused).toBeGreaterThan(20);
    expect(tally.blended).toBeGreaterThan(2);
  });
});

/** The first branch is main; the others come into it one after the other. */
async function bringTogether(
  [first = '', ...others]: readonly string[],
  methodOf: () => Method,
  random: Seeded,
): Promise<void> {
  repository.git('checkout', '-q', '-f', '-B', 'main', commitOf(first));
  repository.git('clean', '-q', '-f', '-d', 'leases', 'dist');
  const done = [first];
  for (const name of others) {
    const method = methodOf();
    done.push(`${method} ${name}`);
    try {
      const ended = await integrate(repository, { ref: commitOf(name), method }, random);
      tally[ended.how] += 1;
      if (ended.isBlended) tally.blended += 1;
    } catch (error) {
      throw new Error(`${done.join(', ')}: ${(error as Error).message}`, { cause: error });
    }
  }
}

function commitOf(name: string): string {
  const commit = branches.get(name);
  if (commit === undefined) throw new Error(`there is no branch ${name}`);
  return commit;
}

function anyMethod(random: Seeded): Method {
  return methods[random.below(methods.length)] ?? 'merge';
}

function ordersOf(names: readonly string[]): readonly (readonly string[])[] {
  if (names.length < 2) return [names];
  return names.flatMap((name, index) =>
    ordersOf(names.filter((_, other) => other !== index)).map((rest) => [name, ...rest]),
  );
}
