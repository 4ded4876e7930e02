// @module-tag counted

import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { allocate } from '../../src/core/allocate/allocate.ts';
import { isFree, isHeld } from '../../src/core/model/allocation.ts';
import { familiesOf, type Pool } from '../../src/core/model/pools.ts';
import type { Family } from '../../src/core/net/address.ts';
import { compareRanges } from '../../src/core/net/range.ts';
import { poolTotals } from '../../src/core/run/plan/pool-changes.ts';
import type { Declared } from '../../src/core/tree/declared.ts';
import { addressMap } from '../../src/features/ask/address-map.ts';
import { freeRanges } from '../../src/features/list/free-ranges.ts';
import { outlooksOf, verdictOf } from '../../src/features/page/browser/outlook.ts';
import { PictureIndex } from '../../src/features/page/browser/picture-index.ts';
import { pictureOf } from '../../src/features/page/picture.ts';
import { countedState, metricsOf } from '../../src/features/serve/metrics.ts';
import { metricsText } from '../../src/features/serve/metrics-text.ts';
import { capacityOf, nothingPending } from '../../src/lib/forecast/capacity.ts';
import { forecastsOf } from '../../src/lib/forecast/forecast.ts';
import { poolUsages } from '../../src/lib/list/pool-usage.ts';
import { whoHas } from '../../src/lib/list/who.ts';
import type { WorkspaceSnapshot } from '../../src/lib/list/workspace-snapshot.ts';
import type { ServedTree } from '../../src/lib/service/serve-state.ts';
import { type Crowd, crowdArbitrary, crowdDay } from '../support/allocations/crowded-arbitrary.ts';
import { addressesOf } from '../support/allocations/naive-rules.ts';
import { aDay, claimWith, theHolders } from '../support/allocations/tables.ts';
import { aRange } from '../support/declarations/pools-and-claims.ts';
import { runs } from '../support/run/scope.ts';
import { noHostnames } from '../support/trees/workspace-snapshot.ts';

const day = aDay(crowdDay);
const reached = { counts: 0, draining: 0, none: 0, drainedZones: 0, waiting: 0, green: 0 };

afterAll(() => {
  console.log(reached);
});

/** A crowd, some pools of which are draining, with and without the holders that wait. */
const worldArbitrary = fc
  .record({ crowd: crowdArbitrary, drains: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }) })
  .map(({ crowd, drains }): Crowd => {
    const pools = crowd.pools.pools.map((pool, index): Pool => {
      return drains[index] ? { ...pool, state: 'draining' } : pool;
    });
    return { ...crowd, pools: { ...crowd.pools, pools } };
  });

/** The world with some hundred addresses more in each family of each pool. */
function roomy({ pools, ...world }: Crowd): Crowd {
  const wide = (pool: Pool, index: number): Pool => {
    const more = [`10.${index}.1.0/25`, `fd00:${index}::1:0/120`].map(aRange);
    return { ...pool, ranges: [...pool.ranges, ...more].sort(compareRanges) };
  };
  return { ...world, pools: { ...pools, pools: pools.pools.map(wide) } };
}

function snapshotOf({ pools, table, claims }: Crowd): WorkspaceSnapshot {
  const byHolder = new Map(claims.map((claim) => [claim.holder, [claim]]));
  return { pools, table, claims: byHolder, promises: new Map(), ...noHostnames, problems: [] };
}

/** True when so many new holders that name a pool all get an address of it. */
function canHave({ pools, table, claims }: Crowd, pool: Pool, family: Family, count: number) {
  const more = Array.from({ length: count }, (_, index) =>
    claimWith({ name: `new-${index}`, ipFamily: family, pool: pool.name }),
  );
  const holders = theHolders(pools, ...claims, ...more);
  return allocate(pools, holders, table, { today: day }).ok;
}

/** The claims of holders that have an address. */
function served({ claims, table }: Crowd) {
  const holding = new Set([...table.values()].filter(isHeld).map(({ holder }) => holder));
  return claims.filter(({ holder }) => holding.has(holder));
}

/** How many new holders can get an address of a pool, by the allocator. */
function mostHolders(world: Crowd, pool: Pool, family: Family): number {
  let count = 0;
  while (canHave(world, pool, family, count + 1)) count += 1;
  return count;
}

const emptyLedger = {
  poolVersions: [],
  ref: 'main',
  commit: 'c0ffee',
  at: crowdDay,
  shallow: false,
  histories: new Map(),
  hostnameHistories: new Map(),
};

function pictured(snapshot: WorkspaceSnapshot): PictureIndex {
  const revision = { commit: 'c0ffee', at: crowdDay } as never;
  const forecasts = forecastsOf(snapshot, emptyLedger, day);
  return new PictureIndex(pictureOf(snapshot, { revision, day, forecasts }));
}

async function metricsIn(snapshot: WorkspaceSnapshot): Promise<ReadonlyMap<string, string>> {
  const tree = { snapshot, day, pending: nothingPending, revision: { commit: undefined } };
  const state = countedState({ ...tree, capacity: undefined } as unknown as ServedTree);
  const seen = { source: 's', served: tree, polls: { all: 1, failed: 0 } } as never;
  const text = await metricsText(metricsOf(seen, '1', { state, forecasts: undefined }));
  return new Map(
    [...text.matchAll(/^(\S+) (\S+)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
}

/** The free addresses of a family of a pool, as each view counts them. */
async function countsOf(snapshot: WorkspaceSnapshot) {
  const { pools, table } = snapshot;
  const usages = poolUsages(snapshot, day).items;
  const index = pictured(snapshot);
  const metrics = await metricsIn(snapshot);
  const state = { pools, table } as Declared;
  const totals = poolTotals(state, state, day);
  const forecasts = forecastsOf(snapshot, emptyLedger, day).items;
  const isBare = (address: string) => {
    const record = table.get(address);
    return record === undefined || isFree(record, day);
  };
  return (pool: Pool, family: Family) => {
    const ofPool = <One extends { pool: string; family: Family }>(all: readonly One[]) =>
      all.filter((one) => one.pool === pool.name && one.family === family);
    const sum = (all: readonly string[]) => all.reduce((count, one) => count + Number(one), 0);
    const map = addressMap(pool, table, { day, family });
    const labels = `{pool="${pool.name}",zone="${pool.zone}",family="${family}"}`;
    const own = [...addressesOf(pool).entries()].filter(([, one]) => one.family === family);
    const said = own
      .filter(([text]) => isBare(text))
      .flatMap(([, address]) => whoHas({ kind: 'address', address }, snapshot).items)
      .filter(({ state: is, withheld }) => is === 'free' || (is === 'released' && !withheld));
    return {
      pools: sum(
        usages
          .filter((one) => one.pool === pool.name)
          .flatMap(({ families }) => families)
          .filter((one) => one.family === family)
          .map(({ free }) => free),
      ),
      page: sum(
        outlooksOf(index)
          .filter((one) => one.pool.pool === pool.name && one.usage.family === family)
          .map(({ usage }) => usage.free),
      ),
      metrics: Number(metrics.get(`leasehold_pool_free_addresses${labels}`)),
      plan: sum(ofPool(totals).map(({ after }) => after?.free ?? '')),
      forecast: sum(ofPool(forecasts).map(({ free }) => free)),
      map: sum(map.ranges.map(({ all }) => all.free)),
      list: sum(
        ofPool(freeRanges(pools.pools, table, { day, family }).items).map((one) => one.addresses),
      ),
      who: said.length,
    };
  };
}

test('every view counts as free what the allocator gives to new holders', async () => {
  await fc.assert(
    fc.asyncProperty(worldArbitrary, async (world) => {
      const alone = { ...world, claims: served(world) };
      // A pool that drains or shrank can leave a holder without what it has.
      fc.pre(
        allocate(world.pools, theHolders(world.pools, ...alone.claims), world.table, { today: day })
          .ok,
      );
      const count = await countsOf(snapshotOf(alone));
      for (const pool of world.pools.pools) {
        for (const family of familiesOf(pool)) {
          const most = mostHolders(alone, pool, family);
          const counts = count(pool, family);
          expect([pool.name, family, counts]).toEqual([
            pool.name,
            family,
            Object.fromEntries(Object.keys(counts).map((view) => [view, most])),
          ]);
          reached.counts += 1;
          reached.draining += Number(pool.state === 'draining');
          reached.none += Number(most === 0);
        }
      }
    }),
    { seed: 1, numRuns: runs(300) },
  );
});

test('the page is green only if every zone gives to a new holder, and nobody waits', () => {
  fc.assert(
    fc.property(worldArbitrary.map(roomy), fc.boolean(), (crowd, isServed) => {
      const world = isServed ? { ...crowd, claims: served(crowd) } : crowd;
      const snapshot = snapshotOf(world);
      const { level } = verdictOf(pictured(snapshot));
      const { items } = capacityOf(snapshot, { day }, nothingPending);
      const zones = new Set(world.pools.pools.map(({ zone }) => zone));
      const giving = new Set(
        world.pools.pools.flatMap(({ zone, state }) => (state === 'active' ? [zone] : [])),
      );
      const isWaiting = served(world).length < world.claims.length;
      reached.drainedZones += Number(giving.size < zones.size);
      reached.waiting += Number(isWaiting);
      if (level !== 'ample') return;
      reached.green += 1;
      expect([isWaiting, giving.size]).toEqual([false, zones.size]);
      const single = items.filter(({ family }) => family !== 'dual');
      expect(single.filter(({ promisable }) => promisable === '0')).toEqual([]);
    }),
    { seed: 2, numRuns: runs(1_000) },
  );
  expect(reached.green).toBeGreaterThan(0);
});
