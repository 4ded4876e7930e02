// @module-tag counted

import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { allocate } from '../../src/core/allocate/allocate.ts';
import { suppliesOf } from '../../src/core/allocate/supply.ts';
import { PoolIndex } from '../../src/core/declarations/pools/pool-index.ts';
import { isFree } from '../../src/core/model/allocation.ts';
import type { Claim } from '../../src/core/model/claim.ts';
import type { Pools } from '../../src/core/model/pools.ts';
import { type Address, formatAddress } from '../../src/core/net/address.ts';
import { rangeSetOf } from '../../src/core/net/range-set.ts';
import type { PendingAddress } from '../../src/lib/forecast/branch-adds.ts';
import { capacityOf, nothingPending } from '../../src/lib/forecast/capacity.ts';
import type { ZoneCapacity } from '../../src/lib/forecast/capacity-answer.ts';
import type { Pending } from '../../src/lib/forecast/pending.ts';
import { type Crowd, crowdArbitrary, crowdDay } from '../support/allocations/crowded-arbitrary.ts';
import { aDay, aRecord, claimWith, holderId, theHolders } from '../support/allocations/tables.ts';
import { anAddress, aRange } from '../support/declarations/pools-and-claims.ts';
import { runs } from '../support/run/scope.ts';
import { noHostnames } from '../support/trees/workspace-snapshot.ts';

const day = aDay(crowdDay);
const reached = { some: 0, waited: 0, limited: 0, branched: 0, pinned: 0 };

afterAll(() => {
  console.log(reached);
});

const clusters = ['a', 'b'] as const;

/** Crowds in one of two clusters, in whose pools some addresses are reserved or avoided. */
const worldArbitrary = fc
  .record({
    crowd: crowdArbitrary,
    open: fc.array(fc.constantFrom(undefined, undefined, ['a'], ['b'], ['a', 'b']), {
      minLength: 4,
      maxLength: 4,
    }),
    stand: fc.array(fc.constantFrom(...clusters), { minLength: 6, maxLength: 6 }),
    reserves: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
    quota: fc.option(fc.integer({ min: 2, max: 6 }), { nil: undefined }),
  })
  .map(({ crowd, open, stand, reserves, quota }) => {
    const isTaken = (text: string) =>
      crowd.table.get(text)?.released === undefined && crowd.table.has(text);
    const pools: Pools = {
      ...crowd.pools,
      quotas: {
        default: undefined,
        owners: quota === undefined ? new Map() : new Map([['ann', quota]]),
      },
      clusters: crowd.pools.clusters.flatMap((cluster) =>
        clusters.map((name) => ({ ...cluster, name })),
      ),
      pools: crowd.pools.pools.map((pool, index) => {
        const second = `10.${index}.0.1`;
        return {
          ...pool,
          clusters: open[index],
          avoidBuggyIPs: reserves[index] === true && !isTaken(`10.${index}.0.0`),
          reserved: rangeSetOf(
            reserves[index + 4] && !isTaken(second) ? [aRange(`${second}/32`)] : [],
          ),
        };
      }),
    };
    const claims = crowd.claims.map((claim, index): Claim => {
      const announced = pools.pools.find(({ name }) => name === claim.pool)?.clusters?.[0] ?? 'a';
      return {
        ...claim,
        cluster: claim.holder.includes('/z-') ? announced : (stand[index % 6] ?? 'a'),
      };
    });
    return { ...crowd, pools, claims, quota };
  });

/** True when the allocator finds an address for so many new holders beside all others. */
function canHave(
  { pools, table, claims }: Pick<Crowd, 'pools' | 'table' | 'claims'>,
  { cluster, zone, family }: ZoneCapacity,
  [owner, count]: readonly [owner: string, count: number],
): boolean {
  const more = Array.from({ length: count }, (_, index) => ({
    ...claimWith({ name: `${owner}-ip-new${index}`, ipFamily: family, zone }),
    cluster,
  }));
  return allocate(pools, theHolders(pools, ...claims, ...more), table, { today: day }).ok;
}

type World = Crowd & { readonly quota: number | undefined };

function isMet({ pools, table, claims }: World): boolean {
  return allocate(pools, theHolders(pools, ...claims), table, { today: day }).ok;
}

function judge(world: World, owner: string): void {
  const claims = new Map(world.claims.map((claim) => [claim.holder, [claim]]));
  const snapshot = { ...world, claims, promises: new Map(), ...noHostnames, problems: [] };
  const { items, waiting } = capacityOf(snapshot, { day, owner }, nothingPending);
  for (const row of items) {
    const count = Number(row.promisable);
    expect([row, canHave(world, row, [owner, count])]).toEqual([row, true]);
    // Who waits may return to one of several pools, and the quota is judged by the one where the least is kept.
    if (owner === 'new' || waiting.length === 0) {
      expect([row, canHave(world, row, [owner, count + 1])]).toEqual([row, false]);
    }
    const isSome = count > 0;
    reached.some += Number(isSome);
    reached.waited += Number(isSome && waiting.length > 0);
    reached.limited += Number(owner === 'ann');
  }
}

test('the allocator can assign exactly as many addresses as capacity promises', () => {
  fc.assert(
    fc.property(worldArbitrary.filter(isMet), (world) => {
      judge(world, 'new');
      if (world.quota !== undefined) judge(world, 'ann');
    }),
    { seed: 1, numRuns: runs(1_000) },
  );
});

const noQuotas = { default: undefined, owners: new Map<string, number>() };

/** An address of a small pool, by what may be wrong with it: it may be no pool's, or somebody's. */
const placeArbitrary = fc.record({
  pool: fc.nat(3),
  place: fc.nat(4),
  family: fc.constantFrom('ipv4', 'ipv6'),
  ref: fc.nat(2),
  isPin: fc.boolean(),
});

type Place = typeof placeArbitrary extends fc.Arbitrary<infer Value> ? Value : never;

function addressOf({ pool, place, family }: Place): Address {
  return anAddress(family === 'ipv4' ? `10.${pool}.0.${place}` : `fd00:${pool}::${place}`);
}

/** A world after branches gave out addresses that were free, and some holders that pin another free one. */
interface Busy {
  readonly before: World;
  /** Before, but for what waits there. */
  readonly claims: World['claims'];
  readonly merged: World;
  readonly pending: Pending;
}

function busyOf(world: World, places: readonly Place[]): Busy {
  const supplies = suppliesOf(new PoolIndex(world.pools), { table: world.table, today: day });
  const table = new Map(world.table);
  const given: Claim[] = [];
  const pinned: Claim[] = [];
  const adds = new Map<string, PendingAddress[]>();
  const seen = new Set<string>();
  for (const place of places) {
    const address = addressOf(place);
    const text = formatAddress(address);
    const pool = world.pools.pools[place.pool];
    const record = world.table.get(text);
    const isOpen = pool?.state === 'active' && supplies.get(pool.name)?.[place.family].has(address);
    if (!pool || !isOpen || seen.has(text) || (record && !isFree(record, day))) continue;
    seen.add(text);
    const name = `${place.isPin ? 'pin' : 'branch'}-${seen.size}`;
    const words = { name, ipFamily: place.family, pool: pool.name };
    const cluster = pool.clusters?.[0] ?? 'a';
    if (place.isPin) {
      pinned.push({ ...claimWith({ ...words, pin: text }), cluster });
      continue;
    }
    table.set(text, aRecord(text, { pool: pool.name, name, since: crowdDay }));
    given.push({ ...claimWith(words), cluster });
    const ref = `refs/pull/${place.ref}/head`;
    adds.set(ref, [...(adds.get(ref) ?? []), { address, holder: holderId(name), moved: false }]);
  }
  const claims = [...world.claims, ...pinned];
  const refs = [...adds].map(([ref, own]) => ({ ref, commit: 'c', day: crowdDay, adds: own }));
  return {
    before: { ...world, claims },
    claims,
    merged: { ...world, table, claims: [...claims, ...given] },
    pending: { ...nothingPending, refs },
  };
}

test('the allocator can assign exactly that many beside open branches and pins', () => {
  fc.assert(
    fc.property(worldArbitrary, fc.array(placeArbitrary, { maxLength: 8 }), (limited, places) => {
      // Where a holder with a quota goes that waits decides whether it is met: that is not counted.
      const world = { ...limited, pools: { ...limited.pools, quotas: noQuotas } };
      const { before, claims, merged, pending } = busyOf(world, places);
      fc.pre(isMet(merged));
      const byHolder = new Map(claims.map((claim) => [claim.holder, [claim]]));
      const snapshot = {
        ...before,
        claims: byHolder,
        promises: new Map(),
        ...noHostnames,
        problems: [],
      };
      for (const row of capacityOf(snapshot, { day }, pending).items) {
        const count = Number(row.promisable);
        expect([row, canHave(merged, row, ['new', count])]).toEqual([row, true]);
        expect([row, canHave(merged, row, ['new', count + 1])]).toEqual([row, false]);
        const isSome = count > 0 && row.pending !== '0';
        reached.branched += Number(isSome && pending.refs.length > 0);
        reached.pinned += Number(isSome && claims.length > world.claims.length);
      }
    }),
    { seed: 2, numRuns: runs(700) },
  );
});

test('the random pools had something to promise, often beside holders that wait', () => {
  expect(reached.some).toBeGreaterThan(runs(300));
  expect(reached.waited).toBeGreaterThanOrEqual(runs(100));
  expect(reached.limited).toBeGreaterThanOrEqual(runs(100));
  expect(reached.branched).toBeGreaterThanOrEqual(runs(100));
  expect(reached.pinned).toBeGreaterThanOrEqual(runs(100));
});
