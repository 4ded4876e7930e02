/**
 * Finds out by trying whether all holders can have what they ask for, with held and kept addresses
 * where they are. Exponential but for its memory of hopeless states; shares no code with src/core/allocate.
 */

import type { AllocationTable } from '../../../src/core/model/allocation.ts';
import type { Holder } from '../../../src/core/model/holder.ts';
import type { Pool, Pools } from '../../../src/core/model/pools.ts';
import { type Family, formatAddress } from '../../../src/core/net/address.ts';
import {
  freeIn,
  heldBy,
  isFreeForAll,
  keptFor,
  mayServe,
  poolListing,
  poolsOpenTo,
} from './naive-rules.ts';

/** What one choice of a pool for a holder takes from that pool's free addresses. */
interface Cost {
  readonly pool: string;
  readonly ipv4: number;
  readonly ipv6: number;
}

/** True when there is an assignment that meets every holder. */
export function planExists(
  pools: Pools,
  holders: readonly Holder[],
  table: AllocationTable,
  today: string,
): boolean {
  const world = { pools, table, today };
  const pins = holders.flatMap((holder) => lackedPins(world, holder));
  if (new Set(pins).size < pins.length) return false;
  const free = new Map<string, number>();
  for (const pool of pools.pools) {
    for (const family of ['ipv4', 'ipv6'] as const) {
      const left = freeIn(pool, family, table, today).filter((text) => !pins.includes(text));
      free.set(`${pool.name} ${family}`, pool.state === 'active' ? left.length : 0);
    }
  }
  const choices = holders
    .map((holder) => costsOf(world, holder))
    .filter((costs) => !isSettled(costs));
  return search(choices, free, new Set());
}

interface World {
  readonly pools: Pools;
  readonly table: AllocationTable;
  readonly today: string;
}

function isSettled(costs: readonly Cost[]): boolean {
  return costs.some(({ ipv4, ipv6 }) => ipv4 + ipv6 === 0);
}

function search(
  choices: readonly (readonly Cost[])[],
  free: ReadonlyMap<string, number>,
  hopeless: Set<string>,
): boolean {
  const [first, ...rest] = choices;
  if (!first) return true;
  const state = `${choices.length} ${[...free.values()].join()}`;
  if (hopeless.has(state)) return false;
  for (const { pool, ipv4, ipv6 } of first) {
    const v4 = (free.get(`${pool} ipv4`) ?? 0) - ipv4;
    const v6 = (free.get(`${pool} ipv6`) ?? 0) - ipv6;
    if (v4 < 0 || v6 < 0) continue;
    const left = new Map(free).set(`${pool} ipv4`, v4).set(`${pool} ipv6`, v6);
    if (search(rest, left, hopeless)) return true;
  }
  hopeless.add(state);
  return false;
}

function lackedFamilies({ table }: World, holder: Holder): readonly Family[] {
  const held = heldBy(table, holder.id);
  return holder.families.filter((family) => !held.some(({ address }) => address.family === family));
}

function lackedPins(world: World, holder: Holder): readonly string[] {
  const lacked = lackedFamilies(world, holder);
  return holder.pins
    .filter(({ address }) => lacked.includes(address.family))
    .map(({ address }) => formatAddress(address));
}

/** What the holder would take in each pool it could live in; none when it can live nowhere. */
function costsOf(world: World, holder: Holder): readonly Cost[] {
  return poolsOpenTo(world.pools, holder).flatMap((pool) => {
    if (!keepsAllHeld(world, holder, pool)) return [];
    const lacked = lackedFamilies(world, holder);
    const costs = lacked.map((family) => ({ family, cost: costIn(world, holder, pool, family) }));
    if (costs.some(({ cost }) => cost === undefined)) return [];
    const of = (family: Family) => costs.find((entry) => entry.family === family)?.cost ?? 0;
    return [{ pool: pool.name, ipv4: of('ipv4'), ipv6: of('ipv6') }];
  });
}

/** True when everything the holder has and still asks for may stay, and lies in this pool. */
function keepsAllHeld({ table }: World, holder: Holder, pool: Pool): boolean {
  return heldBy(table, holder.id)
    .filter(({ address }) => holder.families.includes(address.family))
    .every(({ address }) => {
      const text = formatAddress(address);
      const pin = holder.pins.find((candidate) => candidate.address.family === address.family);
      return mayServe(pool, text) && (!pin || formatAddress(pin.address) === text);
    });
}

/** 0 or 1 free addresses of a pool, or undefined when the holder cannot have that family there. */
function costIn(world: World, holder: Holder, pool: Pool, family: Family): number | undefined {
  const { table, today } = world;
  const kept = keptFor(table, holder.id, today)
    .map(({ address }) => address)
    .filter((address) => address.family === family)
    .map(formatAddress)
    .filter((text) => mayServe(pool, text));
  const pin = holder.pins.find(({ address }) => address.family === family);
  if (!pin) return kept.length > 0 ? 0 : 1;
  const text = formatAddress(pin.address);
  if (poolListing(world.pools, text) !== pool || !mayServe(pool, text)) return undefined;
  if (kept.includes(text)) return 0;
  return pool.state === 'active' && isFreeForAll(table.get(text), today) ? 0 : undefined;
}
