import { ownerOf, quotaOf } from '../../allocate/quotas.ts';
import { PoolIndex } from '../../declarations/pools/pool-index.ts';
import { type Allocation, isFree, isHeld } from '../../model/allocation.ts';
import type { Day } from '../../model/day.ts';
import { compareText } from '../../model/order.ts';
import type { Pools } from '../../model/pools.ts';
import type { Known } from './known.ts';
import type { OwnerPart, OwnerUsage, OwnerUsages } from './owner-usage-answer.ts';

/**
 * What every owner has on a day, counted as quotas count it (`allocate/quotas.ts`): all who hold something or for whom
 * something is kept, and all who have a quota of their own. Groups over clusters count for nobody.
 */
export function ownerUsages({ pools, table }: Known, day: Day): OwnerUsages {
  const records = new Map([...pools.quotas.owners.keys()].map((owner): Owned => [owner, []]));
  for (const record of table.values()) {
    const owner = ownerOf(record.holder);
    if (owner === undefined || isFree(record, day)) continue;
    const own = records.get(owner);
    if (own) own.push(record);
    else records.set(owner, [record]);
  }
  const zoneOf = zonesIn(pools);
  const items = [...records]
    .sort(([left], [right]) => compareText(left, right))
    .map(([owner, own]) => usageOf(owner, partsOf(own, zoneOf), pools));
  return { apiVersion: 'leasehold.dev/v1', kind: 'OwnerUsages', day, items };
}

type Owned = [owner: string, records: Allocation[]];

/** The zone that an address lies in now, or else that of the pool it was given from. */
type ZoneOf = (record: Allocation) => string | undefined;

function zonesIn(pools: Pools): ZoneOf {
  const index = new PoolIndex(pools);
  const named = new Map(pools.pools.map((pool) => [pool.name, pool]));
  return ({ address, pool }) => (index.of(address) ?? named.get(pool))?.zone;
}

function usageOf(owner: string, parts: readonly OwnerPart[], { quotas }: Pools): OwnerUsage {
  const held = parts.reduce((sum, part) => sum + part.held, 0);
  const retained = parts.reduce((sum, part) => sum + part.retained, 0);
  const quota = quotaOf(quotas, owner);
  if (quota === undefined) return { owner, held, retained, parts };
  return { owner, held, retained, quota, left: Math.max(0, quota - held - retained), parts };
}

function partsOf(records: readonly Allocation[], zoneOf: ZoneOf): readonly OwnerPart[] {
  const parts = new Map<string, OwnerPart>();
  for (const record of records) {
    const { family } = record.address;
    const zone = zoneOf(record);
    const key = `${zone ?? ''} ${family}`;
    const { held, retained } = parts.get(key) ?? { held: 0, retained: 0 };
    const more = isHeld(record) ? 1 : 0;
    const counts = { family, held: held + more, retained: retained + 1 - more };
    parts.set(key, zone === undefined ? counts : { zone, ...counts });
  }
  return [...parts].sort(([left], [right]) => compareText(left, right)).map(([, part]) => part);
}
