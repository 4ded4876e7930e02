import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { type Free, groupsOf, type Seat } from '../../src/allocate/matching/contention.ts';
import { canMeet, mostNewcomers } from '../../src/allocate/matching/feasibility.ts';
import { admitted, seating } from '../../src/allocate/matching/zone.ts';
import type { Family } from '../../src/net/address.ts';
import { runs } from '../support/scope.ts';

const reached = { all: 0, met: 0, contested: 0, contestedAndMet: 0 };

afterAll(() => {
  console.log(reached);
});

const pools = ['p', 'q', 'r', 's'] as const;
const usesArbitrary = fc.constantFrom<Family[]>(['ipv4'], ['ipv6'], ['ipv4', 'ipv6']);

/** The seats of a kind of holder: it takes the same of every pool, or not. */
const seatsArbitrary = fc
  .tuple(
    fc.subarray([...pools]),
    fc.array(usesArbitrary, { minLength: 4, maxLength: 4 }),
    fc.nat(4),
  )
  .map(([own, uses, torn]): readonly Seat[] =>
    own.map((pool, index) => ({ pool, uses: (torn === 0 ? uses[index] : uses[0]) ?? [] })),
  );

/** Holders of a few kinds, mixed, and pools that have about as much as they want. */
const crowdArbitrary = fc.record({
  holders: fc
    .tuple(
      fc.array(seatsArbitrary, { minLength: 2, maxLength: 5 }),
      fc.array(fc.nat(4), { minLength: 1, maxLength: 9 }),
    )
    .map(([kinds, places]) => places.map((place) => kinds[place % kinds.length] ?? [])),
  free: fc
    .array(fc.record({ ipv4: fc.nat(4), ipv6: fc.nat(4) }), { minLength: 4, maxLength: 4 })
    .map((counts): Free => new Map(pools.map((pool, index) => [pool, counts[index] ?? none]))),
});

const none = { ipv4: 0, ipv6: 0 };

test('holders can be met exactly when trying every seat of everybody finds a way', () => {
  fc.assert(
    fc.property(crowdArbitrary, ({ holders, free }) => {
      const isMet = triesAll(holders, free);
      expect(canMeet(groupsOf(holders), free)).toBe(isMet);
      const isContested = pools.some((pool) => isContestedIn(pool, holders));
      reached.all += 1;
      reached.met += Number(isMet);
      reached.contested += Number(isContested);
      reached.contestedAndMet += Number(isContested && isMet);
    }),
    { seed: 1, numRuns: runs(30_000) },
  );
});

test('each holder has the first of its seats with which all others can still be met', () => {
  fc.assert(
    fc.property(crowdArbitrary, fc.nat(9), ({ holders, free }, split) => {
      const [choices, others] = [holders.slice(0, split), holders.slice(split)];
      expect(seating(choices, others, free)).toEqual(firstOf(choices, others, free));
    }),
    { seed: 2, numRuns: runs(6_000) },
  );
});

test('a holder goes without exactly when it cannot be met beside those before it that are', () => {
  fc.assert(
    fc.property(crowdArbitrary, ({ holders, free }) => {
      const met: number[] = [];
      for (const place of holders.keys()) {
        const all = [...met, place].map((one) => holders[one] ?? []);
        if (triesAll(all, free)) met.push(place);
      }
      expect([...admitted(holders, free)].sort()).toEqual(met);
    }),
    { seed: 3, numRuns: runs(4_000) },
  );
});

test('so many newcomers are met beside those that wait, and not one more', () => {
  fc.assert(
    fc.property(
      crowdArbitrary,
      seatsArbitrary,
      usesArbitrary,
      ({ holders, free }, own, families) => {
        fc.pre(triesAll(holders, free));
        const stock = new Map(
          [...free].map(([pool, { ipv4, ipv6 }]) => [
            pool,
            { ipv4: BigInt(ipv4), ipv6: BigInt(ipv6) },
          ]),
        );
        const newcomers = { families, pools: own.map(({ pool }) => pool) };
        const most = Number(mostNewcomers(newcomers, groupsOf(holders), stock));
        const seats = newcomers.pools.map((pool) => ({ pool, uses: families }));
        const beside = (count: number) => [
          ...holders,
          ...Array.from({ length: count }, () => seats),
        ];
        expect([triesAll(beside(most), free), triesAll(beside(most + 1), free)]).toEqual([
          true,
          false,
        ]);
      },
    ),
    { seed: 4, numRuns: runs(3_000) },
  );
});

test('the random crowds are met often enough, also where pairs and single addresses compete', () => {
  expect(reached.met / reached.all).toBeGreaterThan(0.2);
  expect(reached.met / reached.all).toBeLessThan(0.8);
  expect(reached.contested / reached.all).toBeGreaterThan(0.3);
  expect(reached.contestedAndMet).toBeGreaterThan(runs(2_000));
});

/** Tries every seat of every holder, but for states that are known to be hopeless. */
function triesAll(holders: readonly (readonly Seat[])[], free: Free): boolean {
  const hopeless = new Set<string>();
  const search = (place: number, left: Free): boolean => {
    const seats = holders[place];
    if (!seats) return true;
    const state = JSON.stringify([place, ...left]);
    if (hopeless.has(state)) return false;
    const isFound = seats.some((seat) => {
      const after = without(left, seat);
      return after !== undefined && search(place + 1, after);
    });
    if (!isFound) hopeless.add(state);
    return isFound;
  };
  return search(0, free);
}

/** Undefined where the pool has not enough. */
function without(free: Free, { pool, uses }: Seat): Free | undefined {
  const left = { ...(free.get(pool) ?? none) };
  for (const family of uses) left[family] -= 1;
  return left.ipv4 < 0 || left.ipv6 < 0 ? undefined : new Map(free).set(pool, left);
}

function firstOf(
  choices: readonly (readonly Seat[])[],
  others: readonly (readonly Seat[])[],
  free: Free,
): readonly string[] | undefined {
  const [seats, ...later] = choices;
  if (!seats) return triesAll(others, free) ? [] : undefined;
  for (const seat of seats) {
    const left = without(free, seat);
    if (!left || !triesAll([...later, ...others], left)) continue;
    const rest = firstOf(later, others, left);
    if (rest) return [seat.pool, ...rest];
  }
  return undefined;
}

/** True where some holders want both families of the pool, and some want one. */
function isContestedIn(pool: string, holders: readonly (readonly Seat[])[]): boolean {
  const uses = holders.flat().filter((seat) => seat.pool === pool);
  return new Set(uses.map((seat) => seat.uses.length)).size > 1;
}
