import fc from 'fast-check';
import type { AllocationTable } from '../../../src/core/model/allocation.ts';
import type { Claim } from '../../../src/core/model/claim.ts';
import type { Holder } from '../../../src/core/model/holder.ts';
import type { Pools } from '../../../src/core/model/pools.ts';
import { addressesOf } from './naive-rules.ts';
import {
  aRecord,
  claimWith,
  holderId,
  poolsWith,
  poolWith,
  type RecordWords,
  theHolders,
} from './tables.ts';

/** The day of every {@link Crowd}. */
export const crowdDay = '2026-03-10';

/** Small pools whose addresses are mostly spoken for, and holders that want some. */
export interface Crowd {
  readonly pools: Pools;
  readonly table: AllocationTable;
  readonly claims: readonly Claim[];
  readonly holders: readonly Holder[];
}

/** Holders whose names appear in the tables: those after the first six never want anything. */
const names = ['ann', 'ben', 'cy', 'dee', 'eve', 'flo', 'xia'];

/** Two or three pools in one zone, sometimes two, with a few addresses of each family. */
const crowdPools = fc
  .array(
    fc.record({
      v4: fc.integer({ min: 2, max: 5 }),
      v6: fc.integer({ min: 2, max: 5 }),
      state: fc.constantFrom('active', 'active', 'active', 'active', 'active', 'draining'),
      strategy: fc.constantFrom('spread', 'lowest'),
      elsewhere: fc.integer({ min: 0, max: 7 }),
    }),
    { minLength: 2, maxLength: 4 },
  )
  .map((pools) =>
    poolsWith(
      ...pools.map(({ v4, v6, state, strategy, elsewhere }, index) =>
        poolWith({
          name: `pool-${index}`,
          zone: index > 0 && elsewhere === 0 ? 'lab' : 'inet',
          addresses: [
            `10.${index}.0.0-10.${index}.0.${v4 - 1}`,
            `fd00:${index}::-fd00:${index}::${v6 - 1}`,
          ],
          state,
          strategy,
        }),
      ),
    ),
  );

type Fate = 'never' | 'kept' | 'free' | 'held';

/** What became of an address; mostly kept for someone, so that returning is what decides. */
const fateArbitrary = fc.record({
  fate: fc.constantFrom<Fate[]>('never', 'kept', 'kept', 'kept', 'kept', 'free', 'held'),
  name: fc.nat(names.length - 1),
  day: fc.integer({ min: 1, max: 9 }),
});

const wantArbitrary = fc.record({
  ipFamily: fc.constantFrom('ipv4', 'ipv6', 'dual', 'dual', 'dual'),
  pool: fc.constantFrom(undefined, undefined, undefined, undefined, 'pool-0', 'pool-1'),
  isWanted: fc.boolean(),
});

/** Crowds whose wanting holders often have addresses kept in several pools. */
export const crowdArbitrary: fc.Arbitrary<Crowd> = fc
  .record({
    pools: crowdPools,
    fates: fc.array(fateArbitrary, { minLength: 40, maxLength: 40 }),
    wants: fc.array(wantArbitrary, { minLength: 6, maxLength: 6 }),
  })
  .map(({ pools, fates, wants }) => {
    const table = new Map(
      pools.pools
        .flatMap((pool) => [...addressesOf(pool).keys()].map((text) => ({ text, pool: pool.name })))
        .flatMap(({ text, pool }, index) => {
          const { fate = 'never', name = 0, day = 1 } = fates[index] ?? {};
          const words = { pool, name: names[name] ?? '', ...recordOf(fate, day) };
          if (fate === 'never') return [];
          return [[text, aRecord(text, fate === 'held' ? { ...words, name: `z-${text}` } : words)]];
        }),
    );
    const wanting = wants.flatMap(({ ipFamily, pool, isWanted }, index) =>
      isWanted ? [claimWith({ name: names[index] ?? '', ipFamily, pool })] : [],
    );
    const holding = [...table.values()]
      .filter(({ released }) => !released)
      .map(({ holder, address, pool }) =>
        claimWith({ name: holder.slice(holderId('').length), ipFamily: address.family, pool }),
      );
    const claims = [...wanting, ...holding];
    return { pools, table, claims, holders: theHolders(pools, ...claims) };
  });

function recordOf(fate: Fate, day: number): RecordWords {
  if (fate === 'kept') return { released: [`2026-03-0${day}`, '2026-03-20'], retain: 0 };
  return fate === 'free' ? { released: ['2026-02-01', `2026-03-0${day}`] } : {};
}
